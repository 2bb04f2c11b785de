import { expect, test } from '@jest/globals';
import { BENCH_ROWS, type BenchOptions, HELP, readBenchOptions } from './bench-options.js';

const NONE = {
  isHelp: false,
  isShort: false,
  rows: new Set(BENCH_ROWS),
  writes: false,
  onlyPrints: false,
  growth: null,
};

test.each<[string, string[], Partial<BenchOptions>]>([
  ['all rows, in full', [], {}],
  ['a quick look', ['--short'], { isShort: true }],
  ['the table in the page', ['--write'], { writes: true }],
  ['figures without a verdict', ['--short', '--print'], { isShort: true, onlyPrints: true }],
  ['the help', ['--help'], { isHelp: true }],
  ['one row', ['--only', 'grpc'], { rows: new Set(['grpc'] as const) }],
  ['one row, in one argument', ['--only=lanes'], { rows: new Set(['lanes'] as const) }],
  ['two rows', ['--short', '--only', 'grpc, etcd'], { isShort: true, rows: new Set(['grpc', 'etcd'] as const) }],
  ['a large account', ['--growth'], { growth: { intents: 1_000_000, events: 10_000_000 } }],
  ['a smaller one', ['--growth', '--short'], { isShort: true, growth: { intents: 20_000, events: 200_000 } }],
  ['one of any size', ['--growth', '--intents', '7', '--events=70'], { growth: { intents: 7, events: 70 } }],
])('pnpm bench accepts %s', (_, words, asked) => {
  expect(readBenchOptions(words)).toEqual({ ...NONE, ...asked });
});

test.each<[string, string[], RegExp]>([
  ['an unknown row', ['--only', 'grpc,soap'], /--only takes http, activities, grpc, etcd, lanes, processes/],
  ['no row at all', ['--only'], /--only takes http/],
  ['an unknown option', ['--fast'], /--fast is no option/],
  ['a value for an option without values', ['--short=no'], /--short=no is no option/],
  ['a page with a part of the table', ['--only', 'grpc', '--write'], /cannot be had with --only/],
  ['rows of a large account', ['--growth', '--only', 'grpc'], /--only selects rows that --growth does not have/],
  ['a size without a large account', ['--intents', '7'], /--intents is an option of --growth/],
  ['a size that is no number', ['--growth', '--events', 'many'], /--events takes a number of rows/],
])('pnpm bench refuses %s', (_, words, message) => {
  expect(() => readBenchOptions(words)).toThrow(message);
});

test.each(['--short', '--only', '--write', '--print', '--growth', '--intents', '--events', '--help', ...BENCH_ROWS])(
  '--help describes %s',
  (word) => {
    expect(HELP).toMatch(new RegExp(`^ +${word}\\b`, 'm'));
  },
);
