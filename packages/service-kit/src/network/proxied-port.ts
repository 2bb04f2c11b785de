import { EventEmitter } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../telemetry/log.js';
import { type ConnectionLimits, limitConnections } from './connection-limit.js';
import { DroppedConnectionLog } from './dropped-connection-log.js';
import { stripBrackets } from './listen-address.js';
import type { NetworkList } from './network-list.js';
import { readProxyHeader } from './proxy-header.js';

/** A proxy sends its header at once, before anything of its client. */
const HEADER_TIMEOUT_MS = 5_000;

/** The parts of a port behind proxies. */
interface ProxiedPortOptions {
  /** The proxies. Connections from elsewhere are dropped. */
  readonly proxies: NetworkList;
  /** Receives each connection, without its header. */
  readonly serve: (socket: Socket) => void;
  /** They apply to the clients of the proxies. */
  readonly connections: ConnectionLimits;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * A TCP port whose connections begin with a PROXY header that names the client. Connections without one, or from
 * elsewhere than the proxies, are dropped.
 */
export class ProxiedPort {
  readonly #server: Server;
  readonly #accepted = new EventEmitter();
  /** The client of each open connection, by the address and port that the connection itself has. */
  readonly #clients = new Map<string, string>();
  readonly #dropped: DroppedConnectionLog;

  constructor(private readonly options: ProxiedPortOptions) {
    this.#dropped = new DroppedConnectionLog(options.log);
    limitConnections(this.#accepted, { log: options.log, ...options.connections });
    this.#server = createServer((socket) => {
      this.#readHeader(socket);
    });
  }

  /** Opens the port and returns its number. Rejects when it cannot be opened. */
  open(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, stripBrackets(host), () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** The client behind the peer `address:port` of a connection. */
  findClient(peer: string): string {
    return this.#clients.get(peer) ?? peer;
  }

  /** Accepts no more connections. The open ones continue. */
  close(): void {
    this.#server.close();
  }

  #readHeader(socket: Socket): void {
    const { proxies } = this.options;
    const ownAddress = socket.remoteAddress ?? '';
    const ownPeer = `${ownAddress}:${socket.remotePort ?? 0}`;
    socket.on('error', () => undefined);
    if (!proxies.has(ownAddress)) {
      socket.destroy();
      this.#dropped.logStranger(ownAddress);
      return;
    }
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), HEADER_TIMEOUT_MS);
    const end = (): void => {
      clearTimeout(timer);
      socket.off('readable', read);
      socket.off('close', end);
    };
    const read = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      received = Buffer.concat([received, chunk]);
      const header = readProxyHeader(received);
      if (header.state === 'incomplete') return;
      end();
      if (header.state === 'invalid') {
        socket.destroy();
        this.#dropped.logBadHeader(ownAddress);
        return;
      }
      if (header.length < received.length) socket.unshift(received.subarray(header.length));
      if (header.address !== null) this.#nameClient(socket, { ownPeer, ...header, address: header.address });
      this.#accepted.emit('connection', socket);
      if (!socket.destroyed) this.options.serve(socket);
    };
    socket.on('readable', read);
    socket.once('close', end);
  }

  /** The socket and the calls on it have the address of the client from now on. */
  #nameClient(
    socket: Socket,
    { ownPeer, address, port }: { readonly ownPeer: string; readonly address: string; readonly port: number },
  ): void {
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    Object.defineProperty(socket, 'remotePort', { value: port });
    // A TLS socket asks the system, so it reports the proxy.
    this.#clients.set(ownPeer, `${address}:${port}`);
    socket.once('close', () => this.#clients.delete(ownPeer));
  }
}
