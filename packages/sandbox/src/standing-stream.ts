import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Cancel } from './clock.js';
import { StandingLine, type StandingPlace } from './standing-line.js';

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

const WELCOME_LIMIT_MS = 5_000;
const HEARTBEATS_MISSED_MAX = 3;

interface Line<Up, Down> extends OpenStream<Up, Down> {
  /** What is to happen next on this line: give up waiting for the welcome, then heartbeat after heartbeat. */
  cancelNext: Cancel;
  isWelcome: boolean;
  heardAt: number;
}

/** Keeps one stream to a gateway open. */
export class StandingStream<Up, Down> extends StandingLine<Line<Up, Down>> {
  readonly #talk: StreamTalk<Up, Down>;

  constructor({ talk, ...place }: StandingPlace & { readonly talk: StreamTalk<Up, Down> }) {
    super(place);
    this.#talk = talk;
  }

  protected dial(address: string): Line<Up, Down> {
    const opened = this.#talk.open(address);
    const line: Line<Up, Down> = {
      ...opened,
      isWelcome: false,
      heardAt: this.clock.now().getTime(),
      cancelNext: this.clock.afterReal(WELCOME_LIMIT_MS, () => {
        this.ended(line);
      }),
    };
    line.stream.on('data', (message: Down) => {
      this.#heard(line, message);
    });
    // A broken stream says `error` and then `end`; whichever comes first counts.
    line.stream.on('error', () => {
      this.ended(line);
    });
    line.stream.on('end', () => {
      this.ended(line);
    });
    line.stream.write(this.#talk.hello());
    return line;
  }

  protected takeDown(line: Line<Up, Down>): void {
    line.cancelNext();
    line.stream.cancel();
    line.close();
    this.#talk.broken();
  }

  protected isOpen({ isWelcome }: Line<Up, Down>): boolean {
    return isWelcome;
  }

  #heard(line: Line<Up, Down>, message: Down): void {
    if (!this.isCurrent(line)) return;
    line.heardAt = this.clock.now().getTime();
    const intervalMs = this.#talk.welcomeOf(message);
    if (intervalMs === null) {
      if (line.isWelcome) this.#talk.received(message);
      return;
    }
    if (line.isWelcome || !this.letIn(line)) return;
    line.isWelcome = true;
    line.cancelNext();
    this.#beat(line, intervalMs);
    this.#talk.opened((up) => {
      if (this.isCurrent(line)) line.stream.write(up);
    });
  }

  #beat(line: Line<Up, Down>, intervalMs: number): void {
    line.cancelNext = this.clock.afterReal(intervalMs, () => {
      const silentMs = this.clock.now().getTime() - line.heardAt;
      if (silentMs > intervalMs * HEARTBEATS_MISSED_MAX) {
        this.ended(line);
        return;
      }
      line.stream.write(this.#talk.heartbeat());
      this.#beat(line, intervalMs);
    });
  }
}
