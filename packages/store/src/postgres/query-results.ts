import type pg from 'pg';

/** Waits for all, so that nothing is under way behind a failure, and throws the first one. */
export async function awaitAll(results: readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const settled = await Promise.allSettled(results);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** The rows of an answer, typed by who wrote the statement. */
export function getRows<Row>(result: pg.QueryResult | undefined): Row[] {
  return (result?.rows ?? []) as Row[];
}
