import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusal';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';

/** What is kept: a stream or a socket that the other side has opened. */
export interface KeptLine {
  /** Milliseconds since the other side was heard last. */
  silentMs(): number;
  /** Milliseconds since something was sent to it. */
  unsentMs(): number;
  end(error: Error): void;
}

/** How a line is kept alive. */
export interface Keeping {
  /** Sends a sign of life. */
  readonly beat: () => void;
  /** Refuses when the key was deleted, or may not do this any more. */
  readonly readmit: () => Promise<void>;
  readonly everyMs: number;
  /** Not heard for so long, the other side is taken for dead. */
  readonly deadAfterMs: number;
  /** The other side is at work for us and need not say anything else. */
  readonly isAtWork?: () => boolean;
}

interface Kept {
  readonly tick: () => void;
  readonly readmit: () => Promise<void>;
  isAsking: boolean;
}

/** A deleted key must stop working within a second, and the key ring answers for nine tenths of one by itself. */
const TICK_MS = 100;

/** Watches all lines of a gateway: sends heartbeats, ends those that are dead, and those whose key has been deleted. */
export class LineKeeper {
  readonly #kept = new Set<Kept>();
  #timer: NodeJS.Timeout | null = null;

  start(): void {
    this.#timer = setInterval(() => {
      this.#tick();
    }, TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#kept.clear();
  }

  /** Keeps a line until the returned function is called. */
  keep(line: KeptLine, { beat, readmit, everyMs, deadAfterMs, isAtWork }: Keeping): () => void {
    const kept: Kept = {
      isAsking: false,
      readmit: async () => {
        try {
          await readmit();
        } catch (error) {
          // Only a no ends the line: while the database is away nobody can tell.
          if (error instanceof Refusal && ENDING.has(error.code)) line.end(error);
        }
      },
      tick: () => {
        if (line.silentMs() > deadAfterMs && isAtWork?.() !== true) {
          line.end(new GrpcFailure(status.DEADLINE_EXCEEDED, `not heard for ${deadAfterMs} ms`));
        } else if (line.unsentMs() >= everyMs) {
          beat();
        }
      },
    };
    this.#kept.add(kept);
    return () => {
      this.#kept.delete(kept);
    };
  }

  #tick(): void {
    for (const kept of this.#kept) {
      kept.tick();
      if (kept.isAsking) continue;
      kept.isAsking = true;
      void kept.readmit().then(() => {
        kept.isAsking = false;
      });
    }
  }
}

const ENDING: ReadonlySet<string> = new Set(['unauthenticated', 'permission_missing']);
