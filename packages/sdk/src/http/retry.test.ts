import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { decideRetry, type RetryQuestion } from './retry.js';

type Vector = Omit<RetryQuestion, 'now'> & { readonly name: string; readonly expected: number | null };

const file = new URL('../../../../sdks/vectors/retries.json', import.meta.url);
const { now, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly now: number;
  readonly vectors: readonly Vector[];
};

// The clients of all languages have the same policy.
test.each(vectors.map((vector) => [vector.name, vector.expected, vector] as const))(
  '%s: a wait of %s ms',
  (_, expected, vector) => {
    expect(decideRetry({ ...vector, now })).toBe(expected);
  },
);

test('the list contains failures that are final and failures that pass', () => {
  expect(vectors.filter(({ expected }) => expected === null).length).toBeGreaterThan(20);
  expect(vectors.filter(({ expected }) => expected !== null).length).toBeGreaterThan(20);
});
