import { constants } from 'node:os';

/**
 * Ends a command at once on SIGTERM or SIGINT, with 128 plus the number of the signal, as shells report it. The first
 * process of a container needs it: the kernel does not end that process by a signal without a listener. Open
 * transactions are rolled back when their connections close.
 */
export function exitOnSignal(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
