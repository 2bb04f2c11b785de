import type { ServerDuplexStream, ServerReadableStream, ServerWritableStream } from '@grpc/grpc-js';
import { once } from 'node:events';
import { requireMessage } from './grpc-request-decoding.js';

/**
 * Yields the caller's messages one by one, with back pressure. Throws for bytes that are no message. Ends when the
 * caller ends its side or disconnects; the signal distinguishes the two.
 */
export async function* readMessages<Request>(
  call: ServerReadableStream<Request, unknown> | ServerDuplexStream<Request, unknown>,
  signal: AbortSignal,
): AsyncGenerator<Request, void, undefined> {
  // Ending the loop early must not destroy the direction that still answers.
  const messages = call.iterator({ destroyOnReturn: false });
  try {
    for await (const message of messages) {
      if (signal.aborted) return;
      yield requireMessage(message as Request);
    }
  } catch (error) {
    // A cancelled call destroys its stream, which is no error of ours.
    if (!signal.aborted && !call.destroyed) throw error;
  }
}

/**
 * Writes all messages to the caller, and waits whenever its window is full. Stops and closes the source when the signal
 * aborts.
 */
export async function writeMessages<Response>(
  call: ServerWritableStream<unknown, Response> | ServerDuplexStream<unknown, Response>,
  messages: AsyncIterable<Response>,
  signal: AbortSignal,
): Promise<void> {
  const source = messages[Symbol.asyncIterator]();
  const { wait, removeListener } = createInterruptibleWait(signal);
  try {
    while (!signal.aborted) {
      const next = await wait(source.next());
      if (next === INTERRUPTED || next.done === true) return;
      if (!call.write(next.value)) await wait(once(call, 'drain', { signal }).catch(() => INTERRUPTED));
    }
  } finally {
    removeListener();
    // Not awaited: a source that waits for something else ends only after that.
    void source.return?.().catch(() => undefined);
  }
}

/** The limit of messages that wait for a slow reader; above it the stream fails. */
const QUEUED_MESSAGES_MAX = 1_024;

/**
 * A stream for events from elsewhere, such as notifications and commands, which `push` adds. Bounded: when a reader is
 * more than 1,024 messages behind, the push is refused and the stream fails, so that the reader connects again.
 */
export class PushStream<T> implements AsyncIterable<T> {
  readonly #queue: T[] = [];
  #notifyReader: (() => void) | null = null;
  #end: { readonly error: Error | null } | null = null;

  /** Queues a message; false when the stream has ended or its reader is too far behind. */
  push(message: T): boolean {
    if (this.#end !== null) return false;
    if (this.#queue.length >= QUEUED_MESSAGES_MAX) {
      this.fail(new Error(`the reader is more than ${QUEUED_MESSAGES_MAX} messages behind`));
      return false;
    }
    this.#queue.push(message);
    this.#notifyReader?.();
    return true;
  }

  /** Ends the stream after what is already queued. */
  end(): void {
    this.#end ??= { error: null };
    this.#notifyReader?.();
  }

  /** Ends the stream with an error after what is already queued. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#notifyReader?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const message = this.#queue.shift();
        if (message !== undefined) {
          yield message;
        } else if (this.#end !== null) {
          if (this.#end.error !== null) throw this.#end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#notifyReader = resolve;
          });
          this.#notifyReader = null;
        }
      }
    } finally {
      this.#end ??= { error: null };
    }
  }
}

const INTERRUPTED = Symbol('interrupted');

/**
 * Waits for promises, but not after the signal aborts. One listener serves all waits, because a race per message would
 * keep each promise in memory until the end.
 */
function createInterruptibleWait(signal: AbortSignal): {
  wait: <T>(promise: Promise<T>) => Promise<T | typeof INTERRUPTED>;
  removeListener: () => void;
} {
  let interrupt: (() => void) | null = null;
  const abort = (): void => interrupt?.();
  signal.addEventListener('abort', abort, { once: true });
  return {
    wait: (promise) =>
      new Promise((resolve, reject) => {
        interrupt = () => {
          resolve(INTERRUPTED);
        };
        if (signal.aborted) interrupt();
        promise.then(resolve, reject);
      }),
    removeListener: () => {
      signal.removeEventListener('abort', abort);
    },
  };
}
