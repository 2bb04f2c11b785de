import { WebSocket } from 'ws';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, type GatewayEnvironment } from './gateway-world.js';
import { EPOS_CONNECTION_KINDS } from '../epos-routing/epos-route-cache.js';
import { waitUntil } from './polling.js';

/** A message to the EPOS. */
export interface CallFrame {
  readonly id: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A scripted EPOS that opens a socket. */
export class TestEposSocket {
  readonly receivedFrames: CallFrame[] = [];
  closeEvent: { readonly code: number; readonly reason: string } | null = null;
  refusal: { readonly status: number; readonly body: string } | null = null;
  isOpen = false;
  readonly #socket: WebSocket;

  constructor(path: string, headers: Record<string, string>, gateway: RunningGateway) {
    this.#socket = new WebSocket(`${gateway.urls.health.replace('http', 'ws')}${path}`, { headers });
    this.#socket.on('open', () => (this.isOpen = true));
    this.#socket.on('message', (data: Buffer) => this.receivedFrames.push(JSON.parse(data.toString()) as CallFrame));
    this.#socket.on('close', (code, reason) => (this.closeEvent = { code, reason: reason.toString() }));
    this.#socket.on('error', () => undefined);
    this.#socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.on('end', () => (this.refusal = { status: response.statusCode ?? 0, body }));
    });
  }

  sendFrame(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.send(bytes, { binary: true });
  }

  terminate(): void {
    this.#socket.terminate();
  }

  async waitForFrame(number = 0): Promise<CallFrame> {
    await waitUntil(() => this.receivedFrames.length > number);
    return this.receivedFrames[number]!;
  }
}

export const PARTNER_HEADERS = { 'software-house-id': 'house' };
export const buildKeyHeaders = (key: string) => ({ authorization: `Basic ${key}`, ...PARTNER_HEADERS });

/** An EPOS whose connection is registered, so that calls are routed to it. */
export async function connectTestEpos(
  path: string,
  { apiKey, scope }: GatewayAccount,
  { environment, gateway }: { readonly environment: GatewayEnvironment; readonly gateway: RunningGateway },
): Promise<TestEposSocket> {
  const countConnections = async (): Promise<number> =>
    (
      await environment.testDatabase.database.read(scope, (reader) =>
        listLiveConnections(reader, EPOS_CONNECTION_KINDS),
      )
    ).length;
  const before = await countConnections();
  const eposSocket = new TestEposSocket(path, buildKeyHeaders(apiKey), gateway);
  await waitUntil(async () => (await countConnections()) > before);
  return eposSocket;
}
