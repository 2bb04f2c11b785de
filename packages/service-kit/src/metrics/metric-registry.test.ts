import { expect, test } from '@jest/globals';
import { Counter, Gauge, Histogram } from './metric.js';
import {
  addCollector,
  defineCounter,
  defineGauge,
  defineHistogram,
  listMetrics,
  renderMetrics,
} from './metric-registry.js';

const REQUESTS = defineCounter({ name: 'pos_test_requests_total', help: 'Requests\nby "code".', labels: ['code'] });
const OPEN = defineGauge({ name: 'pos_test_open', help: 'What is open.', labels: [] });
const SECONDS = defineHistogram({
  name: 'pos_test_duration_seconds',
  help: 'How long it takes.',
  labels: ['kind'],
  buckets: [0.1, 1],
});

test('a scrape has every metric in the text format of Prometheus', async () => {
  REQUESTS.increase({ code: '200' });
  REQUESTS.increase({ code: '200' }, 2);
  REQUESTS.increase({ code: 'a "quoted"\\\nname' });
  OPEN.set({}, 3);
  OPEN.set({}, 2.5);
  for (const seconds of [0.05, 0.1, 0.5, 7]) SECONDS.observe({ kind: 'slow' }, seconds);
  expect(await renderTestMetrics()).toBe(`# HELP pos_test_duration_seconds How long it takes.
# TYPE pos_test_duration_seconds histogram
pos_test_duration_seconds_bucket{kind="slow",le="0.1"} 2
pos_test_duration_seconds_bucket{kind="slow",le="1"} 3
pos_test_duration_seconds_bucket{kind="slow",le="+Inf"} 4
pos_test_duration_seconds_sum{kind="slow"} 7.65
pos_test_duration_seconds_count{kind="slow"} 4
# HELP pos_test_open What is open.
# TYPE pos_test_open gauge
pos_test_open 2.5
# HELP pos_test_requests_total Requests\\nby "code".
# TYPE pos_test_requests_total counter
pos_test_requests_total{code="200"} 3
pos_test_requests_total{code="a \\"quoted\\"\\\\\\nname"} 1
`);
});

/** Without the metrics of the tests that ran before in this process. */
async function renderTestMetrics(): Promise<string> {
  const lines = (await renderMetrics()).split('\n');
  return lines.filter((line) => /^(# (HELP|TYPE) )?pos_test_/.test(line) || line === '').join('\n');
}

test('a collector sets gauges before each scrape until it is removed, and its failure costs no other metric', async () => {
  let value = 0;
  const remove = addCollector(async () => OPEN.set({}, (value += 1)));
  const removeFailing = addCollector(() => {
    throw new Error('the database is away');
  });
  const failures: unknown[] = [];
  expect(await renderMetrics((error) => failures.push(error))).toContain('pos_test_open 1\n');
  expect(await renderMetrics((error) => failures.push(error))).toContain('pos_test_open 2\n');
  remove();
  removeFailing();
  expect(await renderMetrics((error) => failures.push(error))).toContain('pos_test_open 2\n');
  expect(failures).toHaveLength(2);
});

test('scrapes at the same time share one run of the collectors, and the next one runs them again', async () => {
  let runs = 0;
  const remove = addCollector(async () => {
    runs += 1;
    await new Promise(setImmediate);
    OPEN.set({}, runs);
  });
  const removeFailing = addCollector(() => {
    throw new Error('the database is away');
  });
  const failures: unknown[] = [];
  const texts = await Promise.all([1, 2, 3].map(() => renderMetrics((error) => failures.push(error))));
  expect({ runs, failures: failures.length }).toEqual({ runs: 1, failures: 1 });
  expect(new Set(texts).size).toBe(1);
  expect(await renderMetrics()).toContain('pos_test_open 2\n');
  remove();
  removeFailing();
});

test('a label with endless values does not grow the memory: the rest is counted together', () => {
  const counter = new Counter({ name: 'pos_paths_total', help: 'Paths.', labels: ['path', 'code'], seriesMax: 3 });
  for (let path = 0; path < 1_000; path += 1) counter.increase({ path: `/${path}`, code: '404' });
  const samples = counter.listSamples();
  expect(samples).toHaveLength(4);
  expect(samples.at(-1)).toEqual({ name: 'pos_paths_total', labels: { path: 'other', code: 'other' }, value: 997 });
  expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(1_000);
});

test('two series whose values share characters are two series', () => {
  const counter = new Counter({ name: 'pos_pairs_total', help: 'Pairs.', labels: ['one', 'other'] });
  counter.increase({ one: 'ab', other: 'c' });
  counter.increase({ one: 'a', other: 'bc' });
  expect(counter.listSamples()).toHaveLength(2);
});

test('a cleared gauge is not scraped', () => {
  const gauge = new Gauge({ name: 'pos_depth', help: 'Depth.', labels: ['lane'] });
  gauge.set({ lane: 'one' }, 1);
  gauge.clear();
  expect(gauge.listSamples()).toEqual([]);
});

test.each([
  ['a counter without _total', () => new Counter({ name: 'pos_requests', help: 'x', labels: [] }), 'end with _total'],
  ['a histogram without its unit', () => new Histogram({ name: 'pos_wait', help: 'x', labels: [] }), 'not in seconds'],
  ['a name without the prefix', () => new Gauge({ name: 'depth', help: 'x', labels: [] }), 'no name of a metric'],
  ['a name in upper case', () => new Gauge({ name: 'pos_Depth', help: 'x', labels: [] }), 'no name of a metric'],
  ['a label with a hyphen', () => new Gauge({ name: 'pos_d', help: 'x', labels: ['a-b'] }), 'no name of a label'],
  ['a second metric of one name', () => defineGauge({ name: 'pos_test_open', help: 'x', labels: [] }), 'defined twice'],
])('%s is refused', (_, define, message) => {
  expect(define).toThrow(message);
});

test('the metrics are listed by name', () => {
  const names = listMetrics().map(({ definition }) => definition.name);
  expect(names).toEqual([...names].sort());
});
