/** Runs the tasks, at most `concurrency` of them at a time. Returns their results in the order of the tasks. */
export async function runConcurrently<T>(tasks: readonly (() => Promise<T>)[], concurrency: number): Promise<T[]> {
  const done = new Map<number, T>();
  const waiting = tasks.entries();
  const worker = async (): Promise<void> => {
    for (const [index, run] of waiting) done.set(index, await run());
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return [...done].sort(([one], [other]) => one - other).map(([, result]) => result);
}
