import { existsSync, readFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import path from 'node:path';
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
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly path: string;
  readonly port: number | undefined;
  /** The address of a tunnel that leads to the port; without one the service must run on this machine. */
  readonly publicUrl: string | undefined;
  readonly onRequest: RequestListener;
}

const LOOPBACK = '127.0.0.1';
/** The worker of `npm start` calls this port of loopback, unless DEMO_RECEIVER_PORT chose another one for it. */
const DEV_PORT = 3008;

/**
 * Opens the receiver. The choice of the transport is here and nowhere else: beside `npm start` it is TLS with the
 * development certificate, which the worker trusts, on the port that the worker may call. Elsewhere a tunnel with a
 * certificate of its own leads to a plain port of loopback.
 */
export async function openEndpoint(settings: EndpointSettings): Promise<ReceiverEndpoint> {
  const { connection, env, publicUrl, onRequest } = settings;
  if (publicUrl !== undefined) {
    if (!URL.canParse(publicUrl) || new URL(publicUrl).protocol !== 'https:') {
      throw new WrongUse(`--public-url ${publicUrl}: must be an https address`);
    }
    if (settings.port === undefined) throw new WrongUse('--public-url needs --port, to which the tunnel leads');
    const server = createPlainServer(onRequest);
    await listen(server, settings.port);
    return { url: `${publicUrl.replace(/\/+$/, '')}${settings.path}`, close: () => closeServer(server) };
  }
  if (connection.dev === null) {
    throw new WrongUse('the service cannot reach this machine: set --public-url and --port of a tunnel');
  }
  const folder = path.join(connection.dev.dataDir, 'certificates');
  const [key, cert] = ['loopback-key.pem', 'loopback.pem'].map((name) => path.join(folder, name));
  if (!existsSync(key ?? '') || !existsSync(cert ?? '')) throw new NotReached(`${folder} has no certificate`);
  const server = createTlsServer({ key: readFileSync(key ?? ''), cert: readFileSync(cert ?? '') }, onRequest);
  const port = settings.port ?? readPort(env['DEMO_RECEIVER_PORT']);
  await listen(server, port);
  return { url: `https://localhost:${port}${settings.path}`, close: () => closeServer(server) };
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEV_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new WrongUse(`DEMO_RECEIVER_PORT ${text}: is no port`);
  return port;
}

type AnyServer = ReturnType<typeof createPlainServer> | ReturnType<typeof createTlsServer>;

async function listen(server: AnyServer, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new NotReached(`port ${port} is in use, perhaps by another pos listen or npm run demo`) : error);
    });
    server.listen(port, LOOPBACK, resolve);
  });
}

async function closeServer(server: AnyServer): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
