import type { FastifyReply } from 'fastify';

const HEARTBEAT_MS = 15_000;
/** After this long a browser reconnects to a stream that ended. */
const RECONNECT_MS = 1_000;

/**
 * A response of server-sent events, each the whole current state as JSON. A slow reader misses states, never the
 * newest one, so that no queue grows.
 */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #heartbeat: NodeJS.Timeout;
  #next: string | null = null;
  #isFull = false;

  /** Takes the response over: nothing else may be sent on it. `onClose` is called once, when either side ends it. */
  constructor(reply: FastifyReply, onClose: () => void) {
    this.#reply = reply;
    const { raw } = reply.hijack();
    // Headers that the checks of the request have set, such as the trace id.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Otherwise a server that closes waits for the idle connection that an ended stream leaves.
      connection: 'close',
    });
    raw.write(`retry: ${RECONNECT_MS}\n\n`);
    raw.on('drain', () => {
      this.#isFull = false;
      if (this.#next !== null) this.#write(this.#next);
    });
    this.#heartbeat = setInterval(() => {
      if (!this.#isFull) raw.write(': heartbeat\n\n');
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
    raw.once('close', () => {
      clearInterval(this.#heartbeat);
      onClose();
    });
  }

  sendState(state: unknown): void {
    const text = JSON.stringify(state);
    if (this.#isFull) this.#next = text;
    else this.#write(text);
  }

  /** Ends the response; the browser reconnects. */
  end(): void {
    this.#reply.raw.end();
  }

  #write(text: string): void {
    this.#next = null;
    this.#isFull = !this.#reply.raw.write(`data: ${text}\n\n`);
  }
}
