import { test } from '@jest/globals';

/**
 * `test.each` of a `*.wide.test.ts`: it plays all rows of its table in the long run, and otherwise the first one and every
 * `step`-th after it.
 */
export function testEvery(step: number): typeof test.each {
  const testRows = (rows: readonly unknown[]) =>
    test.each(rows.filter((_, index) => process.env['LONG'] === '1' || index % step === 0));
  return testRows as typeof test.each;
}
