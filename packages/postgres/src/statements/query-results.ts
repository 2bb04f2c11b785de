import type { StatementResult } from './statement-batch.js';

/** Waits for all, so that nothing is still running after a failure, and throws the first one. */
export async function awaitAll(results: readonly Promise<StatementResult>[]): Promise<StatementResult[]> {
  const settled = await Promise.allSettled(results);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** The rows of a result, with the type that the statement's author gives. */
export function getRows<Row>(result: StatementResult | undefined): Row[] {
  return (result?.rows ?? []) as Row[];
}
