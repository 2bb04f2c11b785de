import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connection to a server that a test can cut and restore, as a network does. */
export class CuttableProxy {
  readonly #sockets = new Set<Socket>();
  #target: { readonly host: string; readonly port: number } | null = null;
  #isCut = false;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#pipeSockets(socket);
    });
  }

  static async open(): Promise<CuttableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CuttableProxy(server);
  }

  /** An address that leads to the same server through this proxy. */
  connectTo(address: string): string {
    const url = new URL(address);
    this.#target = { host: url.hostname, port: Number(url.port) };
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Breaks every connection, and every new one at once. */
  cutConnections(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restoreConnections(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cutConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #pipeSockets(clientSocket: Socket): void {
    if (this.#isCut || this.#target === null) {
      clientSocket.destroy();
      return;
    }
    const targetSocket = connect(this.#target);
    for (const [socket, other] of [
      [clientSocket, targetSocket],
      [targetSocket, clientSocket],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    clientSocket.pipe(targetSocket).pipe(clientSocket);
  }
}
