import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Cancel, WorldClock } from './clock.js';

/** One attempt at a stream, and how to give its connection back. */
export interface OpenStream<Up, Down> {
  readonly stream: ClientDuplexStream<Up, Down>;
  readonly close: () => void;
}

/** What goes over a stream that is kept open, as the one who keeps it sees it. */
export interface StreamTalk<Up, Down> {
  readonly open: (address: string) => OpenStream<Up, Down>;
  readonly hello: () => Up;
  readonly heartbeat: () => Up;
  /** The interval of heartbeats when this message is the welcome, else null. */
  readonly welcomeOf: (message: Down) => number | null;
  /** The stream serves; what is sent before the next break goes through `send`. */
  readonly opened: (send: (message: Up) => void) => void;
  readonly received: (message: Down) => void;
  readonly broken: () => void;
}

/** How long to wait before the next try. Real milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1: spreads the tries of many over time. */
  readonly jitter: () => number;
}

const WELCOME_LIMIT_MS = 5_000;
const HEARTBEATS_MISSED_MAX = 3;

interface Line<Up, Down> extends OpenStream<Up, Down> {
  /** What is to happen next on this line: give up waiting for the welcome, then heartbeat after heartbeat. */
  cancelNext: Cancel;
  isWelcome: boolean;
  heardAt: number;
}

/** Keeps one stream to a gateway open: the next address when one fails, later and later while none answers. */
export class StandingStream<Up, Down> {
  readonly #addresses: readonly string[];
  readonly #talk: StreamTalk<Up, Down>;
  readonly #clock: WorldClock;
  readonly #backoff: Backoff;
  #line: Line<Up, Down> | null = null;
  #cancelRetry: Cancel | null = null;
  #isStopped = true;
  #tries = 0;
  #failures = 0;
  #stormLeft = 0;

  constructor(parts: {
    readonly addresses: readonly string[];
    readonly talk: StreamTalk<Up, Down>;
    readonly clock: WorldClock;
    readonly backoff: Backoff;
  }) {
    this.#addresses = parts.addresses;
    this.#talk = parts.talk;
    this.#clock = parts.clock;
    this.#backoff = parts.backoff;
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
    return this.#line?.isWelcome === true;
  }

  #dial(): void {
    const address = this.#addresses[this.#tries % this.#addresses.length];
    this.#tries += 1;
    if (address === undefined) return;
    const opened = this.#talk.open(address);
    const line: Line<Up, Down> = {
      ...opened,
      isWelcome: false,
      heardAt: this.#clock.now().getTime(),
      cancelNext: this.#clock.afterReal(WELCOME_LIMIT_MS, () => {
        this.#broke(line);
      }),
    };
    this.#line = line;
    line.stream.on('data', (message: Down) => {
      this.#heard(line, message);
    });
    // A broken stream says `error` and then `end`; whichever comes first counts.
    line.stream.on('error', () => {
      this.#broke(line);
    });
    line.stream.on('end', () => {
      this.#broke(line);
    });
    line.stream.write(this.#talk.hello());
  }

  #heard(line: Line<Up, Down>, message: Down): void {
    if (this.#line !== line) return;
    line.heardAt = this.#clock.now().getTime();
    const intervalMs = this.#talk.welcomeOf(message);
    if (intervalMs === null) {
      if (line.isWelcome) this.#talk.received(message);
      return;
    }
    if (line.isWelcome || this.#isStormy(line)) return;
    line.isWelcome = true;
    line.cancelNext();
    this.#failures = 0;
    this.#beat(line, intervalMs);
    this.#talk.opened((up) => {
      if (this.#line === line) line.stream.write(up);
    });
  }

  #beat(line: Line<Up, Down>, intervalMs: number): void {
    line.cancelNext = this.#clock.afterReal(intervalMs, () => {
      const silentMs = this.#clock.now().getTime() - line.heardAt;
      if (silentMs > intervalMs * HEARTBEATS_MISSED_MAX) {
        this.#broke(line);
        return;
      }
      line.stream.write(this.#talk.heartbeat());
      this.#beat(line, intervalMs);
    });
  }

  #broke(line: Line<Up, Down>): void {
    if (this.#line !== line || this.#isStormy(line)) return;
    this.#hangUp();
    if (this.#isStopped) return;
    const { firstMs, maxMs, jitter } = this.#backoff;
    const delayMs = Math.min(firstMs * 2 ** this.#failures, maxMs);
    this.#failures += 1;
    this.#retryAfter(delayMs * (0.75 + 0.5 * jitter()));
  }

  /** In a storm, whatever has become of this try, the next one is made at once. */
  #isStormy(line: Line<Up, Down>): boolean {
    if (this.#line !== line || this.#stormLeft === 0) return false;
    this.#stormLeft -= 1;
    this.#hangUp();
    this.#retryAfter(0);
    return true;
  }

  #retryAfter(realMs: number): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#clock.afterReal(realMs, () => {
      this.#cancelRetry = null;
      this.#dial();
    });
  }

  #hangUp(): void {
    const line = this.#line;
    if (line === null) return;
    this.#line = null;
    line.cancelNext();
    line.stream.cancel();
    line.close();
    this.#talk.broken();
  }
}
