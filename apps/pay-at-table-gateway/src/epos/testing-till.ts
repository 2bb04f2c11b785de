import { WebSocket } from 'ws';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, type TestPlace, until } from '../testing.js';
import { EPOS_CONNECTIONS } from './epos-routes.js';

/** What a till hears. */
export interface Frame {
  readonly id: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A till that opens a socket, played by hand. */
export class Till {
  readonly heard: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  refused: { readonly status: number; readonly body: string } | null = null;
  isOpen = false;
  readonly #socket: WebSocket;

  constructor(path: string, headers: Record<string, string>, at: RunningGateway) {
    this.#socket = new WebSocket(`${at.urls.health.replace('http', 'ws')}${path}`, { headers });
    this.#socket.on('open', () => (this.isOpen = true));
    this.#socket.on('message', (data: Buffer) => this.heard.push(JSON.parse(data.toString()) as Frame));
    this.#socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    this.#socket.on('error', () => undefined);
    this.#socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.on('end', () => (this.refused = { status: response.statusCode ?? 0, body }));
    });
  }

  say(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  sayBytes(bytes: Buffer): void {
    this.#socket.send(bytes, { binary: true });
  }

  hangUp(): void {
    this.#socket.terminate();
  }

  async call(number = 0): Promise<Frame> {
    await until(() => this.heard.length > number);
    return this.heard[number]!;
  }
}

export const PARTNER = { 'software-house-id': 'house' };
export const literal = (key: string) => ({ authorization: `Basic ${key}`, ...PARTNER });

/** A till whose row is written, so that calls are routed to it. */
export async function servedTill(
  path: string,
  { apiKey, scope }: TestAccount,
  { place, at }: { readonly place: TestPlace; readonly at: RunningGateway },
): Promise<Till> {
  const countOf = async (): Promise<number> =>
    (await place.test.database.read(scope, (reader) => listLiveConnections(reader, EPOS_CONNECTIONS))).length;
  const before = await countOf();
  const till = new Till(path, literal(apiKey), at);
  await until(async () => (await countOf()) > before);
  return till;
}
