/**
 * Runs a command until it ends, and returns its exit code. SIGINT and SIGTERM abort the signal, so that the active flow
 * ends with its cleanup.
 */
export async function runUntilStopped(run: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  try {
    return await run(stop.signal);
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}
