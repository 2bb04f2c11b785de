import type { Expression } from './promql-syntax.js';
import {
  type EvaluationResult,
  formatLabels,
  type Labels,
  type Point,
  type MetricSample,
  type TimeSeries,
} from './time-series.js';

type CallExpression = Extract<Expression, { kind: 'call' }>;

interface Evaluation {
  readonly series: TimeSeries;
  readonly atMs: number;
  readonly evaluate: (arg: Expression) => EvaluationResult;
}

/** Functions of the points of a series within a range; null where there are too few points. */
const RANGE_FUNCTIONS: Readonly<
  Record<string, (points: readonly Point[], range: { readonly fromMs: number; readonly toMs: number }) => number | null>
> = {
  rate: (points, range) => {
    const increase = computeIncrease(points, range);
    return increase === null ? null : increase / ((range.toMs - range.fromMs) / 1_000);
  },
  increase: computeIncrease,
  changes: (points) => points.filter(({ value }, index) => index > 0 && value !== points[index - 1]?.value).length,
  max_over_time: (points) => points.reduce((max, { value }) => Math.max(max, value), -Infinity),
  min_over_time: (points) => points.reduce((min, { value }) => Math.min(min, value), Infinity),
  avg_over_time: (points) => points.reduce((sum, { value }) => sum + value, 0) / points.length,
};

/** Calls a function of PromQL that our rules use. */
export function callFunction({ name, args }: CallExpression, evaluation: Evaluation): EvaluationResult {
  const [first, second] = args;
  if (name === 'time') return evaluation.atMs / 1_000;
  if (first === undefined) throw new Error(`${name} needs an argument`);
  if (name === 'absent') return computeAbsent(first, evaluation);
  if (name === 'vector') return [{ labels: {}, value: Number(evaluation.evaluate(first)) }];
  if (name === 'histogram_quantile' && second !== undefined)
    return computeQuantiles(Number(evaluation.evaluate(first)), toSamples(evaluation.evaluate(second)));
  return callRangeFunction(name, first, evaluation);
}

function callRangeFunction(name: string, arg: Expression, { series, atMs }: Evaluation): MetricSample[] {
  const compute = RANGE_FUNCTIONS[name];
  if (compute === undefined) throw new Error(`the function ${name} is not used in our rules`);
  if (arg.kind !== 'selector' || arg.rangeMs === null) throw new Error(`${name} needs a range`);
  const range = { fromMs: atMs - arg.rangeMs, toMs: atMs };
  return series.selectRange(arg.matchers, atMs, arg.rangeMs).flatMap(({ labels, points }) => {
    const value = compute(points, range);
    return value === null ? [] : [{ labels: dropMetricName(labels), value }];
  });
}

function computeAbsent(arg: Expression, { evaluate }: Evaluation): MetricSample[] {
  if (toSamples(evaluate(arg)).length > 0) return [];
  const matchers = arg.kind === 'selector' ? arg.matchers : [];
  const named = matchers.filter(({ label, op }) => op === '=' && label !== '__name__');
  return [{ labels: Object.fromEntries(named.map(({ label, text }) => [label, text])), value: 1 }];
}

/** The growth of a counter, extrapolated to the ends of the range as Prometheus does. */
function computeIncrease(
  points: readonly Point[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  let growth = last.value - first.value;
  for (const [index, { value }] of points.entries()) {
    const before = points[index - 1]?.value ?? value;
    // A counter that fell began again at zero.
    if (value < before) growth += before;
  }
  const sampledMs = last.atMs - first.atMs;
  const stepMs = sampledMs / (points.length - 1);
  const limitMs = stepMs * 1.1;
  const zeroAtMs = growth > 0 && first.value >= 0 ? sampledMs * (first.value / growth) : Infinity;
  const beforeMs = first.atMs - fromMs;
  const startMs = Math.min(beforeMs < limitMs ? beforeMs : stepMs / 2, zeroAtMs);
  const afterMs = toMs - last.atMs;
  const endMs = afterMs < limitMs ? afterMs : stepMs / 2;
  return growth * ((sampledMs + startMs + endMs) / sampledMs);
}

function computeQuantiles(quantile: number, buckets: readonly MetricSample[]): MetricSample[] {
  const histograms = new Map<string, { labels: Labels; bounds: { le: number; count: number }[] }>();
  for (const { labels, value } of buckets) {
    const { le, ...others } = dropMetricName(labels);
    if (le === undefined) continue;
    const key = formatLabels(others);
    const histogram = histograms.get(key) ?? { labels: others, bounds: [] };
    histograms.set(key, histogram);
    histogram.bounds.push({ le: le === '+Inf' ? Infinity : Number(le), count: value });
  }
  return [...histograms.values()].map(({ labels, bounds }) => ({ labels, value: interpolate(quantile, bounds) }));
}

function interpolate(quantile: number, bounds: { readonly le: number; readonly count: number }[]): number {
  const sorted = [...bounds].sort((one, other) => one.le - other.le);
  const total = sorted.at(-1)?.count ?? 0;
  if (total === 0 || sorted.length < 2) return NaN;
  const rank = quantile * total;
  const index = sorted.findIndex(({ count }) => count >= rank);
  const upper = sorted[index];
  const lower = sorted[index - 1] ?? { le: 0, count: 0 };
  if (upper === undefined || upper.le === Infinity) return sorted.at(-2)?.le ?? NaN;
  if (upper.count === lower.count) return upper.le;
  return lower.le + (upper.le - lower.le) * ((rank - lower.count) / (upper.count - lower.count));
}

function toSamples(result: EvaluationResult): readonly MetricSample[] {
  if (typeof result === 'number') throw new Error('series are needed here, and this is a number');
  return result;
}

function dropMetricName(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'));
}
