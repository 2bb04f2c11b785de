import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals';
import { GrpcFailure } from '@pos/service-kit/grpc';
import { WebSocket, type RawData } from 'ws';

/** The close codes of sockets, by reason. They are part of the contract. */
export const CLOSE_CODES = {
  shutdown: 1001,
  binary: 1003,
  replaced: 4001,
  keyInvalid: 4003,
  idleTimeout: 4008,
  failed: 1011,
} as const;

/** The time limit of the closing handshake. */
const CLOSE_LIMIT_MS = 2_000;
/** A connection with more unsent bytes is closed. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024;
const REASON_BYTES_MAX = 120;

/** The part of a socket that sends calls. */
export type SocketWriter = Pick<SocketConnection, 'send' | 'terminate'>;

/** One socket that an EPOS has opened. It sends and receives texts, and either side may end it. */
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
    // An error also closes the socket; without a listener it would end the process.
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

  /** Sends a ping. */
  ping(): void {
    this.#sentAtMs = performance.now();
    if (this.isOpen) this.socket.ping();
  }

  /** Sends a text; false when the socket is closing, or closes now because its reader is too far behind. */
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

  /** Passes every text to `onText` until the socket has closed. A binary frame closes the socket. */
  async receiveTexts(onText: (text: string) => void): Promise<void> {
    this.socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#receivedAtMs = performance.now();
      if (isBinary) this.close(CLOSE_CODES.binary, 'only text frames are read');
      else if (!this.#isEnding) onText(decodeText(data));
    });
    await this.#closed;
  }

  /** Closes the socket with the close code of the error. */
  end(error: Error): void {
    if (error instanceof Refusal) this.close(CLOSE_CODES.keyInvalid, error.message);
    else if (error instanceof GrpcFailure && error.status === status.DEADLINE_EXCEEDED) {
      this.close(CLOSE_CODES.idleTimeout, error.message);
    } else this.close(CLOSE_CODES.failed, error.message);
  }

  /** Closes the socket; after the time limit of the handshake it is terminated. */
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

  /** Drops the connection at once, without a handshake. */
  terminate(): void {
    this.#isEnding = true;
    this.socket.terminate();
  }
}

function decodeText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
