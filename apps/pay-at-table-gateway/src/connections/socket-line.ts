import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals/refusal';
import { GrpcFailure } from '@pos/service-kit/grpc/grpc-errors';
import { WebSocket, type RawData } from 'ws';

/** Why a socket is closed, in the numbers that partners know. */
export const CLOSE_CODES = {
  shutdown: 1001,
  binary: 1003,
  replaced: 4001,
  keyInvalid: 4003,
  idleTimeout: 4008,
  failed: 1011,
} as const;

/** The longest that the other side is given to agree to the end. */
const CLOSE_LIMIT_MS = 2_000;
/** A reader that is so far behind is given up. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;
const REASON_BYTES_MAX = 120;

/** What those who make calls on a socket need of it. */
export type SocketWriter = Pick<SocketConnection, 'send' | 'terminate'>;

/** One socket that an EPOS has opened: texts in, texts out, and one end that may come from either side. */
export class SocketConnection {
  #receivedAtMs = performance.now();
  #sentAtMs = performance.now();
  #isEnding = false;
  readonly #closed: Promise<void>;

  constructor(private readonly socket: WebSocket) {
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    // What breaks a socket closes it too; without a listener it would end the process.
    socket.on('error', () => undefined);
    socket.on('pong', () => (this.#receivedAtMs = performance.now()));
    socket.on('ping', () => (this.#receivedAtMs = performance.now()));
  }

  get isOpen(): boolean {
    return !this.#isEnding && this.socket.readyState === WebSocket.OPEN;
  }

  getReadIdleMs(): number {
    return performance.now() - this.#receivedAtMs;
  }

  getWriteIdleMs(): number {
    return performance.now() - this.#sentAtMs;
  }

  /** Asks for a sign of life. */
  ping(): void {
    this.#sentAtMs = performance.now();
    if (this.isOpen) this.socket.ping();
  }

  /** Sends a text; false when the socket is closing, or its reader so far behind that it is given up. */
  send(text: string): boolean {
    if (!this.isOpen) return false;
    if (this.socket.bufferedAmount > UNSENT_BYTES_MAX) {
      this.close(CLOSE_CODES.failed, 'the reader is too far behind');
      return false;
    }
    this.#sentAtMs = performance.now();
    this.socket.send(text);
    return true;
  }

  /** Hands every text on until the socket has closed. Binary frames end it. */
  async receiveTexts(onText: (text: string) => void): Promise<void> {
    this.socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#receivedAtMs = performance.now();
      if (isBinary) this.close(CLOSE_CODES.binary, 'only text frames are read');
      else if (!this.#isEnding) onText(decodeText(data));
    });
    await this.#closed;
  }

  /** Ends the socket for what went wrong, in the number that says it. */
  end(error: Error): void {
    if (error instanceof Refusal) this.close(CLOSE_CODES.keyInvalid, error.message);
    else if (error instanceof GrpcFailure && error.status === status.DEADLINE_EXCEEDED) {
      this.close(CLOSE_CODES.idleTimeout, error.message);
    } else this.close(CLOSE_CODES.failed, error.message);
  }

  /** Closes it; the other side is not waited for long. */
  close(code: number, reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.socket.close(code, Buffer.from(reason).subarray(0, REASON_BYTES_MAX));
    const terminateTimer = setTimeout(() => {
      this.socket.terminate();
    }, CLOSE_LIMIT_MS);
    void this.#closed.then(() => {
      clearTimeout(terminateTimer);
    });
  }

  /** Drops the connection at once, as a network does. */
  terminate(): void {
    this.#isEnding = true;
    this.socket.terminate();
  }
}

function decodeText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
