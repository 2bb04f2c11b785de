/** The progress of long work. */
export interface Progress {
  /** Shows how much is done, of how much; null where the whole is unknown. */
  update(done: number, total: number | null): void;
  /** Shows that work is running until this promise ends. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Removes the line. */
  end(): void;
}

interface ProgressOutput {
  readonly writeError: (text: string) => void;
  /** The width of the terminal; null where nobody looks, and so nothing is written. */
  readonly columns: number | null;
}

const BAR_WIDTH = 24;
const REDRAW_MS = 200;
const CLEAR_LINE = '\r\u001B[K';

/** Draws one line that is replaced. Output of other kinds must not be written between `update` and `end`. */
export function openProgress(label: string, output: ProgressOutput): Progress {
  const { columns } = output;
  if (columns === null) return { update: () => undefined, during: (work) => work, end: () => undefined };
  const begin = performance.now();
  const write = (bar: string): void => {
    const seconds = Math.floor((performance.now() - begin) / 1000);
    output.writeError(`${CLEAR_LINE}${`${label} ${bar} ${seconds} s`.slice(0, Math.max(columns - 1, 1))}`);
  };
  const end = (): void => output.writeError(CLEAR_LINE);
  return {
    update: (done, total) => write(formatBar(done, total)),
    during: async (work) => {
      let step = 0;
      const timer = setInterval(() => {
        write(formatBar(step, null));
        step += 1;
      }, REDRAW_MS);
      try {
        return await work;
      } finally {
        clearInterval(timer);
        end();
      }
    },
    end,
  };
}

/** `[######----] 3 of 5`; a block that moves where the whole is unknown. */
export function formatBar(done: number, total: number | null): string {
  if (total === null) {
    const at = done % BAR_WIDTH;
    return `[${'-'.repeat(at)}#${'-'.repeat(BAR_WIDTH - at - 1)}]`;
  }
  const filled = total === 0 ? BAR_WIDTH : Math.floor((Math.min(done, total) / total) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${done} of ${total}`;
}
