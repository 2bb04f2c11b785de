import { expect, test } from '@jest/globals';
import { BENCH_ROWS, type BenchOptions, HELP, readBenchOptions } from './bench-options.js';
import { PEERS } from './peers/peer.js';

const NONE = {
  isHelp: false,
  isShort: false,
  rows: new Set(BENCH_ROWS),
  writes: false,
  onlyPrints: false,
  growth: null,
  peers: null,
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
  ['all peers', ['--peers'], { peers: ['vendure', 'stripe-stateful-mock', 'etcd'] }],
  ['a quick look at them', ['--peers', '--short'], { isShort: true, peers: [...PEERS] }],
  ['the table of all peers in the page', ['--write', '--peers'], { writes: true, peers: [...PEERS] }],
  ['one peer', ['--peers', 'etcd'], { peers: ['etcd'] }],
  ['two peers, in one argument', ['--peers=etcd, vendure'], { peers: ['vendure', 'etcd'] }],
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
  ['an unknown peer', ['--peers', 'vendure,magento'], /--peers takes vendure, stripe-stateful-mock, etcd, with commas/],
  ['no peer at all', ['--peers='], /--peers takes vendure/],
  ['rows beside peers', ['--peers', '--only', 'grpc'], /--only selects rows that --peers does not have/],
  ['a large account beside peers', ['--peers', '--growth'], /--growth and --peers are measured apart/],
  ['a size beside peers', ['--peers', '--intents', '7'], /--intents is an option of --growth/],
  ['a page with some of the peers', ['--peers', 'etcd', '--write'], /cannot be had with some of the peers/],
  ['a size that is no number', ['--growth', '--events', 'many'], /--events takes a number of rows/],
])('pnpm bench refuses %s', (_, words, message) => {
  expect(() => readBenchOptions(words)).toThrow(message);
});

test.each([
  ...['--short', '--only', '--write', '--print', '--growth', '--intents', '--events', '--peers', '--help'],
  ...BENCH_ROWS,
  ...PEERS,
])('--help describes %s', (word) => {
  expect(HELP).toMatch(new RegExp(`^ +${word}\\b`, 'm'));
});
