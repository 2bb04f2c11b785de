import { expect, test } from '@jest/globals';
import { BENCH_ROWS, HELP, readBenchOptions } from './bench-options.js';

const NONE = { isHelp: false, isShort: false, rows: new Set(BENCH_ROWS), writes: false, onlyPrints: false };

test.each<[string, string[], Partial<typeof NONE>]>([
  ['all rows, in full', [], {}],
  ['a quick look', ['--short'], { isShort: true }],
  ['the table in the page', ['--write'], { writes: true }],
  ['figures without a verdict', ['--short', '--print'], { isShort: true, onlyPrints: true }],
  ['the help', ['--help'], { isHelp: true }],
  ['one row', ['--only', 'grpc'], { rows: new Set(['grpc'] as const) }],
  ['one row, in one argument', ['--only=lanes'], { rows: new Set(['lanes'] as const) }],
  ['two rows', ['--short', '--only', 'grpc, etcd'], { isShort: true, rows: new Set(['grpc', 'etcd'] as const) }],
])('pnpm bench accepts %s', (_, words, asked) => {
  expect(readBenchOptions(words)).toEqual({ ...NONE, ...asked });
});

test.each<[string, string[], RegExp]>([
  ['an unknown row', ['--only', 'grpc,soap'], /--only takes http, activities, grpc, etcd, lanes, processes/],
  ['no row at all', ['--only'], /--only takes http/],
  ['an unknown option', ['--fast'], /--fast is no option/],
  ['a value for an option without values', ['--short=no'], /--short=no is no option/],
  ['a page with a part of the table', ['--only', 'grpc', '--write'], /cannot be had with --only/],
])('pnpm bench refuses %s', (_, words, message) => {
  expect(() => readBenchOptions(words)).toThrow(message);
});

test.each(['--short', '--only', '--write', '--print', '--help', ...BENCH_ROWS])('--help describes %s', (word) => {
  expect(HELP).toMatch(new RegExp(`^ +${word}\\b`, 'm'));
});
