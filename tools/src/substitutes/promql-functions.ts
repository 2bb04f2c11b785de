import { dropMetricName, formatLabels, type Labels, type MetricSample, type Point } from './time-series.js';

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Functions of the points of a series within a range; null where there are too few points. */
const RANGE_FUNCTIONS: Readonly<Record<string, (points: readonly Point[], range: TimeRange) => number | null>> = {
  rate: (points, range) => {
    const increase = computeIncrease(points, range);
    return increase === null ? null : increase / ((range.toMs - range.fromMs) / 1_000);
  },
  increase: computeIncrease,
  changes: (points) => points.filter(({ value }, index) => index > 0 && value !== points[index - 1]?.value).length,
  min_over_time: (points) => points.reduce((min, { value }) => Math.min(min, value), Infinity),
  avg_over_time: (points) => points.reduce((sum, { value }) => sum + value, 0) / points.length,
};

/** Calls a function of ranges that our rules use. */
export function callRangeFunction(
  name: string,
  series: readonly { readonly labels: Labels; readonly points: readonly Point[] }[],
  range: TimeRange,
): MetricSample[] {
  const compute = RANGE_FUNCTIONS[name];
  if (compute === undefined) throw new Error(`the function ${name} is not used in our rules`);
  return series.flatMap(({ labels, points }) => {
    const value = compute(points, range);
    return value === null ? [] : [{ labels: dropMetricName(labels), value }];
  });
}

/** The growth of a counter, extrapolated to the ends of the range as Prometheus does. */
function computeIncrease(points: readonly Point[], { fromMs, toMs }: TimeRange): number | null {
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

/** The quantile of each histogram, interpolated within its bucket. */
export function computeQuantiles(quantile: number, buckets: readonly MetricSample[]): MetricSample[] {
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
