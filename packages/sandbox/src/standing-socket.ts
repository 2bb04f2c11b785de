import { WebSocket } from 'ws';
import type { Cancel, WorldClock } from './clock.js';
import type { Backoff } from './standing-stream.js';

/** How often a reconnect storm dials before it calms down: more than a gateway lets in within a minute. */
export const STORM_TRIES = 12;

/** The service goes away on purpose, and another gateway is there. */
const GOING_AWAY = 1001;
const HANDSHAKE_LIMIT_MS = 5_000;
/** The service pings every 30 s; a socket on which nothing comes for three of them is dead. */
const SILENCE_LIMIT_MS = 90_000;
const FRAME_BYTES_MAX = 1024 * 1024;

/** What goes over a socket that is kept open, as the one who keeps it sees it. */
export interface SocketTalk {
  readonly open: (address: string) => { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** A text came; what is said to it goes out on the same socket, or not at all. */
  readonly heard: (text: string, say: (text: string) => void) => void;
}

interface StandingSocketParts {
  readonly addresses: readonly string[];
  readonly talk: SocketTalk;
  readonly clock: WorldClock;
  readonly backoff: Backoff;
}

interface Line {
  readonly socket: WebSocket;
  cancelSilence: Cancel;
}

/** Keeps one socket to a gateway open: the next address when one fails, later and later while none lets it in. */
export class StandingSocket {
  readonly #parts: StandingSocketParts;
  #line: Line | null = null;
  #cancelRetry: Cancel | null = null;
  #isStopped = true;
  #tries = 0;
  #failures = 0;
  #stormLeft = 0;

  constructor(parts: StandingSocketParts) {
    this.#parts = parts;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#dial();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#hangUp();
  }

  /** Pulls the plug, and puts it back after so many real milliseconds; in a storm it first goes in and out so many times. */
  unplug(forMs: number, stormTries = 0): void {
    if (this.#isStopped) return;
    this.#stormLeft = stormTries;
    this.#hangUp();
    this.#retryAfter(forMs);
  }

  isServing(): boolean {
    return this.#line?.socket.readyState === WebSocket.OPEN;
  }

  #dial(): void {
    const { addresses, talk, clock } = this.#parts;
    const address = addresses[this.#tries % addresses.length];
    this.#tries += 1;
    if (address === undefined) return;
    const { url, headers } = talk.open(address);
    const socket = new WebSocket(url, { headers, handshakeTimeout: HANDSHAKE_LIMIT_MS, maxPayload: FRAME_BYTES_MAX });
    const line: Line = { socket, cancelSilence: () => undefined };
    const sign = (): void => {
      line.cancelSilence();
      if (this.#line !== line) return;
      line.cancelSilence = clock.afterReal(SILENCE_LIMIT_MS, () => {
        this.#ended(line, 0);
      });
    };
    this.#line = line;
    socket.on('open', () => {
      if (this.#isStormy(line)) return;
      this.#failures = 0;
      sign();
    });
    socket.on('ping', sign);
    socket.on('message', (data: Buffer) => {
      sign();
      talk.heard(data.toString(), (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      });
    });
    // What breaks a socket closes it too.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.#ended(line, code);
    });
  }

  #ended(line: Line, code: number): void {
    if (this.#line !== line || this.#isStormy(line)) return;
    this.#hangUp();
    if (this.#isStopped) return;
    const { firstMs, maxMs, jitter } = this.#parts.backoff;
    if (code === GOING_AWAY && this.#failures === 0) {
      this.#retryAfter(0);
      return;
    }
    const delayMs = Math.min(firstMs * 2 ** this.#failures, maxMs);
    this.#failures += 1;
    this.#retryAfter(delayMs * (0.75 + 0.5 * jitter()));
  }

  /** In a storm, whatever has become of this try, the next one is made at once. */
  #isStormy(line: Line): boolean {
    if (this.#line !== line || this.#stormLeft === 0) return false;
    this.#stormLeft -= 1;
    this.#hangUp();
    this.#retryAfter(0);
    return true;
  }

  #retryAfter(realMs: number): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#parts.clock.afterReal(realMs, () => {
      this.#cancelRetry = null;
      this.#dial();
    });
  }

  #hangUp(): void {
    const line = this.#line;
    if (line === null) return;
    this.#line = null;
    line.cancelSilence();
    line.socket.terminate();
  }
}
