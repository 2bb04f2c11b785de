/**
 * Lets the program that this process waits for end on a signal of the terminal, which gets it, too, so that what was made
 * is removed as after any failure.
 */
export function endWithPrograms(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}
