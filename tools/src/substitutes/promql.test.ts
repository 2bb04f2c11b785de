import { describe, expect, test } from '@jest/globals';
import { evaluate, parsePromql } from './promql.js';
import { parseScrape } from './scrape-text.js';
import { type MetricSample, TimeSeries } from './time-series.js';

const MINUTE = 60_000;
const NOW = 10 * MINUTE;

/** Eleven scrapes, one a minute: of a counter that grows by 6 a minute, a restarted one, and others. */
function createSeries(): TimeSeries {
  const series = new TimeSeries();
  for (let minute = 0; minute <= 10; minute += 1) {
    const text = `# TYPE requests_total counter
requests_total{code="200"} ${minute * 6}
requests_total{code="500"} ${minute < 5 ? minute * 3 : (minute - 5) * 3}
# TYPE depth gauge
depth{lane="a"} ${minute}
depth{lane="b"} 2
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1"} ${minute * 5}
wait_seconds_bucket{le="2"} ${minute * 9}
wait_seconds_bucket{le="+Inf"} ${minute * 10}
wait_seconds_sum 1
wait_seconds_count ${minute * 10}
`;
    series.addScrape(parseScrape(text), minute * MINUTE, { instance: 'one' });
    series.addScrape(parseScrape(`# TYPE info gauge\ninfo{app="api"} 1\n`), minute * MINUTE, {
      instance: 'one',
      x: 'y',
    });
  }
  return series;
}

function compute(text: string): unknown {
  const result = evaluate(parsePromql(text), createSeries(), NOW);
  if (typeof result === 'number') return result;
  const format = ({ labels, value }: MetricSample): string => {
    const { __name__: name = '', instance: _, ...others } = labels;
    const pairs = Object.entries(others).map(([label, each]) => `${label}=${each}`);
    return `${name}{${pairs.join(',')}} ${Math.round(value * 1_000) / 1_000}`;
  };
  return result.map(format);
}

test.each([
  ['2 * 3 - 1', 5],
  ['time()', 600],
  ['depth', ['depth{lane=a} 10', 'depth{lane=b} 2']],
  ['depth{lane="a"}', ['depth{lane=a} 10']],
  ['depth{lane!="a"}', ['depth{lane=b} 2']],
  ['depth{lane=~"a|c"}', ['depth{lane=a} 10']],
  ['depth > 5', ['depth{lane=a} 10']],
  ['depth > bool 5', ['{lane=a} 1', '{lane=b} 0']],
  ['depth * 2', ['{lane=a} 20', '{lane=b} 4']],
  ['20 / depth', ['{lane=a} 2', '{lane=b} 10']],
  ['sum(depth)', ['{} 12']],
  ['max by (instance) (depth)', ['{} 10']],
  ['rate(requests_total{code="200"}[5m])', ['{code=200} 0.1']],
  ['increase(requests_total{code="200"}[5m])', ['{code=200} 30']],
  // From 3 to 12, then from 0 to 15 after a restart: 24 within nine minutes.
  ['increase(requests_total{code="500"}[10m])', ['{code=500} 26.667']],
  ['changes(depth[3m])', ['{lane=a} 2', '{lane=b} 0']],
  ['min_over_time(depth[3m])', ['{lane=a} 8', '{lane=b} 2']],
  ['avg_over_time(depth[3m])', ['{lane=a} 9', '{lane=b} 2']],
  ['histogram_quantile(0.5, wait_seconds_bucket)', ['{} 1']],
  ['histogram_quantile(0.7, sum by (le) (wait_seconds_bucket))', ['{} 1.5']],
  ['histogram_quantile(0.99, wait_seconds_bucket)', ['{} 2']],
  ['absent(depth{lane="c"})', ['{lane=c} 1']],
  ['absent(depth)', []],
  ['vector(3)', ['{} 3']],
  ['depth{lane="a"} or depth', ['depth{lane=a} 10', 'depth{lane=b} 2']],
  ['depth * on (instance) group_left (app) info', ['{lane=a,app=api} 10', '{lane=b,app=api} 2']],
])('%s', (text, wanted) => {
  expect(compute(text)).toEqual(wanted);
});

describe('refused', () => {
  test.each([
    ['depth >', 'wrong at character'],
    ['sum(depth', 'wrong at character'],
    ['depth[5m]', 'MatrixSelector is not used'],
    ['rate(depth)', 'rate needs a range'],
    ['stddev(depth)', 'aggregation is not used'],
    ['min without (lane) (depth)', 'aggregation is not used'],
    ['depth{lane!~"a"}', 'matcher is not used'],
    ['depth and depth', 'operator and is not used'],
    ['depth * ignoring (lane) depth', 'matching is not used'],
    ['depth * on (lane) depth', 'matching is not used'],
    ['deriv(depth[5m])', 'deriv is not used'],
    ['depth offset 5m', 'OffsetExpr is not used'],
    ['depth ^ 2', 'operator ^ is not used'],
    ['sum(1)', 'series are needed'],
    ['depth * on (instance) group_left () depth', 'several series'],
  ])('%s: %s', (text, message) => {
    expect(() => compute(text)).toThrow(message);
  });
});

test('a series that is missing from a scrape is stale at once, and one that is not scraped after five minutes', () => {
  const series = new TimeSeries();
  const add = (text: string, minute: number) =>
    series.addScrape(parseScrape(`# TYPE depth gauge\n${text}`), minute * MINUTE, { instance: 'one' });
  add('depth{lane="a"} 1\ndepth{lane="b"} 1\n', 0);
  add('depth{lane="a"} 1\n', 1);
  const depth = parsePromql('sum(depth)');
  expect(evaluate(depth, series, MINUTE)).toEqual([{ labels: {}, value: 1 }]);
  expect(evaluate(depth, series, 5.9 * MINUTE)).toEqual([{ labels: {}, value: 1 }]);
  expect(evaluate(depth, series, 6 * MINUTE)).toEqual([]);
});

test.each([
  ['no newline at the end', '# TYPE a gauge\na 1'],
  ['a sample without a type', 'a 1\n'],
  ['a value that is no number', '# TYPE a gauge\na one\n'],
  ['a label without quotes', '# TYPE a gauge\na{b=c} 1\n'],
  ['one series twice', '# TYPE a gauge\na{b="c"} 1\na{b="c"} 2\n'],
  ['one type twice', '# TYPE a gauge\n# TYPE a gauge\na 1\n'],
])('a scrape with %s is refused', (_, text) => {
  expect(() => parseScrape(text)).toThrow();
});
