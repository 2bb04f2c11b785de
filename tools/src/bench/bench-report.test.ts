import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { medianPair } from './load/load.js';
import { formatReport, listShortfalls, insertMeasured } from './bench-report.js';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/contribute/performance.md');
const side = {
  inFlight: 16,
  perSecond: 465.4,
  p50Ms: 32.84,
  p99Ms: 71.8,
  failures: 0,
  processor: { apps: { api: 2.5, sandbox: 0.001, worker: 0.25 }, database: 1.783 },
};
const compared = { inFlight: 16, ours: side, floor: { ...side, perSecond: 591 }, ratio: 0.5837, ratios: [0.5837] };

test('a run replaces the table of the performance page, and nothing else of it', () => {
  const page = readFileSync(PAGE, 'utf8');
  const table = formatReport({
    http: [compared],
    activities: [compared],
    grpc: [],
    etcd: { gateway: [compared], relay: [compared] },
    lanes: null,
    processes: {
      http: [{ load: compared, lockWaits: { ours: 0.25, floor: 0.0625 } }],
      grpc: [{ load: compared, lockWaits: { ours: 0, floor: 0 } }],
    },
    memory: [
      { name: 'api', idle: 112.4, loaded: 135.2, own: 85.1 },
      { name: 'sandbox', idle: 100, loaded: 100, own: 50 },
    ],
  });
  const written = insertMeasured(page, table);
  expect(written).toContain(
    '| create + fetch of an intent, HTTP | 16 | 465 | 32.8 | 71.8 | 2.75 | 1.78 | 591 | 32.8 | 71.8 | 2.75 | 1.78 | 0.58 | 0.58 |',
  );
  expect(written).toContain(
    '| create + fetch of an intent, HTTP | 16 | ours | 34.38 | api 2.50, worker 0.25 | 1.78 | 29.85 |',
  );
  expect(written).toContain('| create + fetch of an intent, HTTP | 16 | floor | 27.07 |');
  expect(written).toContain('| create + fetch with the activity log, against without | 16 | 465 |');
  expect(written).toContain('| lock + record + unlock, gRPC, against etcd | 16 | 465 |');
  expect(written).toContain('| a relay that stores nothing, gRPC, against etcd | 16 | 465 |');
  expect(written).toContain('| create + fetch, two api processes against one | 16 | 465 |');
  expect(written).toContain('| create + fetch, two api processes against one | 16 | 0.250 | 0.063 |');
  expect(written).toContain('| lock + record + unlock, two gateways against one | 16 | 0.000 | 0.000 |');
  expect(written).toContain(
    '| api | 112 | 135 | 85 |\n| sandbox | 100 | 100 | 50 |\n| all together | 212 | 235 | 135 |',
  );
  expect(written).not.toContain('ordered webhook deliveries | 64');
  expect(insertMeasured(written, 'x')).toBe(insertMeasured(page, 'x'));
  expect(insertMeasured(page, 'x').length).toBeGreaterThan(page.length / 3);
});

test('the rates of a row are those of its ratio, and the ratios of all pairs are shown', () => {
  const pair = (ours: number, floor: number) => ({
    ours: { ...side, perSecond: ours },
    floor: { ...side, perSecond: floor },
  });
  // The median of each side alone is 595 and 421, which is the ratio of no pair.
  const median = medianPair([pair(595, 421), pair(300, 411), pair(610, 1000)]);
  expect(median).toMatchObject({ ours: { perSecond: 300 }, floor: { perSecond: 411 } });
  expect(median.ratio).toBeCloseTo(300 / 411, 10);
  const table = formatReport({
    http: [median],
    activities: [],
    grpc: [],
    etcd: null,
    lanes: null,
    processes: null,
    memory: [],
  });
  expect(table).toContain(
    '| 16 | 300 | 32.8 | 71.8 | 2.75 | 1.78 | 411 | 32.8 | 71.8 | 2.75 | 1.78 | 0.73 | 1.41, 0.73, 0.61 |',
  );
});

test('times that the system does not report are left out, and no round waits less than nothing', () => {
  const unknown = { apps: { api: Number.NaN }, database: Number.NaN };
  const busy = { apps: { api: 30 }, database: 20 };
  const measured = { ...compared, ours: { ...side, processor: unknown }, floor: { ...side, processor: busy } };
  const table = formatReport({
    http: [measured],
    activities: [],
    grpc: [],
    etcd: null,
    lanes: null,
    processes: null,
    memory: [],
  });
  expect(table).toContain('| ours | 34.38 | api - | - | - |');
  expect(table).toContain('| floor | 34.38 | api 30.00 | 20.00 | 0.00 |');
});

test('deliveries have a table of their latency at half load', () => {
  const halfLoad = {
    ours: { perSecond: 250.4, p50Ms: 12.34, p99Ms: 99.96 },
    floor: { perSecond: 300, p50Ms: 1, p99Ms: 2 },
  };
  const lanes = { drained: [compared], halfLoad, besideBlocked: compared };
  const table = formatReport({ http: [], activities: [], grpc: [], etcd: null, lanes, processes: null, memory: [] });
  expect(table).toContain('| ordered webhook deliveries | 16 | 465 |');
  expect(table).toContain('| ordered webhook deliveries, beside a blocked lane of 50,000 against without | 16 | 465 |');
  expect(table).toContain('| commit to accept at half load, ours | 250 | 12.3 | 100.0 |');
  expect(table).toContain('| commit to accept at half load, floor | 300 | 1.0 | 2.0 |');
});

test('a comparison without a pair is refused', () => {
  expect(() => medianPair([])).toThrow('nothing was measured');
});

test.each([
  ['no mark', 'a page'],
  ['no end', '<!-- measured: start --> a'],
  ['the place twice', '<!-- measured: start --><!-- measured: end --><!-- measured: start --><!-- measured: end -->'],
])('a page with %s is not changed', (_, page) => {
  expect(() => insertMeasured(page, 'x')).toThrow('no one place');
});

test.each<[string, readonly (typeof compared)[], RegExp[]]>([
  ['as much as it must', [{ ...compared, ratio: 0.4 }], []],
  ['more than it must', [compared], []],
  ['a little less', [{ ...compared, ratio: 0.399 }], [/keeps 0\.399 of its floor, less than 0\.4/]],
  ['no figure', [{ ...compared, ratio: Number.NaN }], [/keeps NaN/]],
  ['enough, with rounds that failed', [{ ...compared, ours: { ...side, failures: 2 } }], [/2 rounds failed/]],
  [
    'enough, over a floor whose rounds failed',
    [{ ...compared, floor: { ...side, perSecond: 0, failures: 9 }, ratio: Number.POSITIVE_INFINITY }],
    [/the floor of create \+ fetch: 9 rounds failed/],
  ],
  ['enough with one in flight only', [{ ...compared, inFlight: 1 }], [/not measured/]],
  ['less with 64 in flight, which has no limit', [compared, { ...compared, inFlight: 64, ratio: 0.1 }], []],
  ['nothing', [], [/not measured/]],
])('of its floor create + fetch keeps %s', (_, http, messages) => {
  expect(listShortfalls({ http })).toEqual(messages.map((each) => expect.stringMatching(each)));
});
