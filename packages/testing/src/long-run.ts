import { test } from '@jest/globals';

/** Whether this is the long run, which has all rows and all tests of a `*.wide.test.ts`. */
export const isLongRun = process.env['LONG'] === '1';

/**
 * All rows in the long run, and the first one of each kind in `npm test`; the first one of all where it is enough for the
 * others. Rows about money, access and crashes differ in meaning: they are no sample of each other (docs/decisions/0140).
 */
export function selectRows<Row>(
  rows: readonly Row[],
  getKind: (row: Row, index: number) => unknown = () => null,
): readonly Row[] {
  if (isLongRun) return rows;
  const kinds = new Set<unknown>();
  return rows.filter((row, index) => {
    const kind = getKind(row, index);
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst;
  });
}

/** `test.each` that plays all rows of its table in the long run, and otherwise the first one and every `step`-th after it. */
export function testEvery(step: number): typeof test.each {
  const testRows = (rows: readonly unknown[]) => test.each(rows.filter((_, index) => isLongRun || index % step === 0));
  return testRows as typeof test.each;
}

/** What defines a test, or one for each row. */
type DefineTest = Pick<typeof test, 'each'> & ((...described: Parameters<typeof test>) => void);

const defineNothing = Object.assign(() => undefined, { each: () => () => undefined });

/** Defines tests of a `*.wide.test.ts` that only the long run has: the edges. */
export function defineInLongRun(define: DefineTest): DefineTest {
  return isLongRun ? define : defineNothing;
}
