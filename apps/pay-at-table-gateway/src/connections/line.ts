import { status } from '@grpc/grpc-js';
import type { GrpcCall } from '@pos/service-kit/grpc-call';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import { PushStream } from '@pos/service-kit/grpc-streams';

const ENDED = Symbol('ended');
const LATE = Symbol('late');

/**
 * One stream that the other side has opened: messages in, messages out, and one end that may come from either side.
 * Whoever serves it iterates `heard` and hands `output` to the gRPC server.
 */
export class Line<In, Out> {
  readonly #messages: AsyncIterator<In>;
  readonly #output = new PushStream<Out>();
  #end: { readonly error: Error | null } | null = null;
  #interrupt: (() => void) | null = null;
  #heardAtMs = performance.now();
  #sentAtMs = performance.now();

  constructor(
    messages: AsyncIterable<In>,
    readonly call: GrpcCall,
  ) {
    this.#messages = messages[Symbol.asyncIterator]();
    if (call.signal.aborted) this.#gone();
    else call.signal.addEventListener('abort', () => this.#gone(), { once: true });
  }

  get output(): AsyncIterable<Out> {
    return this.#output;
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  /** Milliseconds since the other side was heard last. */
  silentMs(): number {
    return performance.now() - this.#heardAtMs;
  }

  /** Milliseconds since something was sent to the other side. */
  unsentMs(): number {
    return performance.now() - this.#sentAtMs;
  }

  /** Queues a message; false when the line is gone, or its reader so far behind that it is given up. */
  send(message: Out): boolean {
    if (this.#end !== null) return false;
    this.#sentAtMs = performance.now();
    if (this.#output.push(message)) return true;
    this.end(new GrpcFailure(status.RESOURCE_EXHAUSTED, 'the reader is too far behind'));
    return false;
  }

  /** Ends the line after what is queued; with an error, the other side gets its status. Only the first end counts. */
  end(error: Error | null = null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    if (error === null) this.#output.end();
    else this.#output.fail(error);
    this.#interrupt?.();
  }

  /** The first message; refuses when none came within the limit, or the stream ended before it. */
  async first(limitMs: number): Promise<In> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(() => {
        resolve(LATE);
      }, limitMs);
    });
    try {
      const next = await Promise.race([this.#next(), late]);
      if (next === LATE) throw new GrpcFailure(status.DEADLINE_EXCEEDED, `no hello within ${limitMs} ms`);
      if (next === ENDED || next.done === true) throw new GrpcFailure(status.INVALID_ARGUMENT, 'no hello first');
      return next.value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Every further message, until either side ends the line. */
  async *heard(): AsyncGenerator<In, void, undefined> {
    for (;;) {
      const next = await this.#next();
      if (next === ENDED || next.done === true) return;
      this.#heardAtMs = performance.now();
      yield next.value;
    }
  }

  #gone(): void {
    const reason: unknown = this.call.signal.reason;
    this.end(reason instanceof Error ? reason : new GrpcFailure(status.CANCELLED, 'the call was cancelled'));
  }

  /** One interrupt for all waits: a race against one promise of the end would remember every message until then. */
  #next(): Promise<IteratorResult<In, unknown> | typeof ENDED> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => {
        resolve(ENDED);
      };
      if (this.#end === null) this.#messages.next().then(resolve, reject);
      else resolve(ENDED);
    });
  }
}
