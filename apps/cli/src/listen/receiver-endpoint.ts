import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WrongUse } from '../failures/wrong-use.js';
import type { Connection } from '../connection/connection.js';
import { NotReached } from '../failures/not-reached.js';

/** Where the service sends deliveries to. */
export interface ReceiverEndpoint {
  /** The address for the subscription. */
  readonly url: string;
  /** Resolves when the requests that run have been answered. */
  close(): Promise<void>;
}

export interface EndpointSettings {
  readonly connection: Connection;
  readonly path: string;
  readonly port: number | undefined;
  /** The address of a tunnel that leads to the port; without one the service must run on this machine. */
  readonly publicUrl: string | undefined;
  readonly onRequest: RequestListener;
}

const LOOPBACK = '127.0.0.1';

/**
 * Opens the receiver, a plain port of loopback. A service on the same machine calls it there: a sandbox in development
 * may have such an address. For another one a tunnel with a certificate of its own leads to the port.
 */
export async function openEndpoint(settings: EndpointSettings): Promise<ReceiverEndpoint> {
  const { connection, publicUrl, path, port = 0, onRequest } = settings;
  if (publicUrl === undefined) {
    if (!isLoopback(connection.apiUrl)) {
      throw new WrongUse('the service cannot reach this machine: set --public-url and --port of a tunnel');
    }
  } else {
    if (!URL.canParse(publicUrl) || new URL(publicUrl).protocol !== 'https:') {
      throw new WrongUse(`--public-url ${publicUrl}: must be an https address`);
    }
    if (port === 0) throw new WrongUse('--public-url needs --port, to which the tunnel leads');
  }
  const server = createServer(onRequest);
  await listen(server, port);
  const base = publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url: `${base}${path}`, close: () => closeServer(server) };
}

/** Whether the service runs on this machine, and so reaches its loopback. */
function isLoopback(apiUrl: string): boolean {
  const { hostname } = new URL(apiUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new NotReached(`port ${port} is in use, perhaps by another pos listen`) : error);
    });
    server.listen(port, LOOPBACK, resolve);
  });
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
