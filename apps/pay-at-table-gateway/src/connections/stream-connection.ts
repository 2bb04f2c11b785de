import { status } from '@grpc/grpc-js';
import { type GrpcCall, GrpcFailure, PushStream } from '@pos/service-kit/grpc';

const STREAM_ENDED = Symbol('ended');
const TIMED_OUT = Symbol('late');

/**
 * One stream that the other side has opened. It sends and receives messages, and either side may end it. The service
 * iterates the received messages and passes `output` to the gRPC server.
 */
export class StreamConnection<In, Out> {
  readonly #messages: AsyncIterator<In>;
  readonly #output = new PushStream<Out>();
  #ended: { readonly error: Error | null } | null = null;
  #interrupt: (() => void) | null = null;
  #receivedAtMs = performance.now();
  #sentAtMs = performance.now();

  constructor(
    messages: AsyncIterable<In>,
    readonly call: GrpcCall,
  ) {
    this.#messages = messages[Symbol.asyncIterator]();
    if (call.signal.aborted) this.#endAborted();
    else call.signal.addEventListener('abort', () => this.#endAborted(), { once: true });
  }

  get output(): AsyncIterable<Out> {
    return this.#output;
  }

  get isOpen(): boolean {
    return this.#ended === null;
  }

  /** Milliseconds since the last message of the other side. */
  getReadIdleMs(): number {
    return performance.now() - this.#receivedAtMs;
  }

  /** Milliseconds since the last message to the other side. */
  getWriteIdleMs(): number {
    return performance.now() - this.#sentAtMs;
  }

  /** Queues a message; false when the connection has ended, or ends now because its reader is too far behind. */
  send(message: Out): boolean {
    if (this.#ended !== null) return false;
    this.#sentAtMs = performance.now();
    if (this.#output.push(message)) return true;
    this.end(new GrpcFailure(status.RESOURCE_EXHAUSTED, 'the reader is too far behind'));
    return false;
  }

  /** Ends the connection after the queued messages; with an error, the other side receives its status. Only the first call has an effect. */
  end(error: Error | null = null): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    if (error === null) this.#output.end();
    else this.#output.fail(error);
    this.#interrupt?.();
  }

  /** Returns the first message. Throws when none arrives within the limit, or the stream ends before it. */
  async receiveFirst(limitMs: number): Promise<In> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => {
        resolve(TIMED_OUT);
      }, limitMs);
    });
    try {
      const next = await Promise.race([this.#receiveNext(), timeout]);
      if (next === TIMED_OUT) throw new GrpcFailure(status.DEADLINE_EXCEEDED, `no hello within ${limitMs} ms`);
      if (next === STREAM_ENDED || next.done === true) throw new GrpcFailure(status.INVALID_ARGUMENT, 'no hello first');
      return next.value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Every further message, until either side ends the connection. */
  async *receiveMessages(): AsyncGenerator<In, void, undefined> {
    for (;;) {
      const next = await this.#receiveNext();
      if (next === STREAM_ENDED || next.done === true) return;
      this.#receivedAtMs = performance.now();
      yield next.value;
    }
  }

  #endAborted(): void {
    const reason: unknown = this.call.signal.reason;
    this.end(reason instanceof Error ? reason : new GrpcFailure(status.CANCELLED, 'the call was cancelled'));
  }

  /** One interrupt for all waits: a race against one promise of the end would keep a reference to every message. */
  #receiveNext(): Promise<IteratorResult<In, unknown> | typeof STREAM_ENDED> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => {
        resolve(STREAM_ENDED);
      };
      if (this.#ended === null) this.#messages.next().then(resolve, reject);
      else resolve(STREAM_ENDED);
    });
  }
}
