import type { Expression, VectorMatching } from './promql-syntax.js';
import { callFunction } from './promql-functions.js';
import { type EvaluationResult, formatLabels, type Labels, type MetricSample, type TimeSeries } from './time-series.js';

type BinaryExpression = Extract<Expression, { kind: 'binary' }>;
type Operator = (left: number, right: number) => number;

const ARITHMETIC: Readonly<Record<string, Operator>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};
const AGGREGATIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => values.reduce((one, other) => Math.max(one, other)),
  min: (values) => values.reduce((one, other) => Math.min(one, other)),
  count: (values) => values.length,
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
};

/** Evaluates an expression at a moment, as Prometheus does for a rule. */
export function evaluate(expression: Expression, series: TimeSeries, atMs: number): EvaluationResult {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'selector':
      if (expression.rangeMs !== null) throw new Error('a range is only an argument of a function');
      return series.selectInstant(expression.matchers, atMs);
    case 'call':
      return callFunction(expression, { series, atMs, evaluate: (arg) => evaluate(arg, series, atMs) });
    case 'aggregation':
      return aggregate(expression, toVector(evaluate(expression.arg, series, atMs)));
    case 'binary':
      return combine(expression, evaluate(expression.left, series, atMs), evaluate(expression.right, series, atMs));
  }
}

function toVector(result: EvaluationResult): readonly MetricSample[] {
  if (typeof result === 'number') throw new Error('series are needed here, and this is a number');
  return result;
}

function aggregate(
  { op, grouping }: Extract<Expression, { kind: 'aggregation' }>,
  samples: readonly MetricSample[],
): readonly MetricSample[] {
  const compute = AGGREGATIONS[op];
  if (compute === undefined) throw new Error(`${op} is not used in our rules`);
  const groups = new Map<string, { labels: Labels; values: number[] }>();
  for (const { labels, value } of samples) {
    const kept = keepLabels(labels, grouping.mode === 'by' ? 'on' : 'ignoring', grouping.labels);
    const key = formatLabels(kept);
    const group = groups.get(key) ?? { labels: kept, values: [] };
    groups.set(key, group);
    group.values.push(value);
  }
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: compute(values) }));
}

function combine(expression: BinaryExpression, left: EvaluationResult, right: EvaluationResult): EvaluationResult {
  const { op, matching } = expression;
  if (op === 'and' || op === 'or' || op === 'unless') {
    return combineSets(op, { left: toVector(left), right: toVector(right), matching });
  }
  if (typeof left === 'number' && typeof right === 'number') return applyToNumbers(expression, left, right);
  if (typeof right === 'number')
    return [...(left as readonly MetricSample[])].flatMap((sample) =>
      applyToSample(expression, sample, [sample.value, right]),
    );
  if (typeof left === 'number')
    return right.flatMap((sample) => applyToSample(expression, sample, [left, sample.value]));
  return combineVectors(expression, left, right);
}

function applyToNumbers({ op }: BinaryExpression, left: number, right: number): number {
  const compare = COMPARISONS[op];
  return compare === undefined ? getArithmetic(op)(left, right) : Number(compare(left, right));
}

/** A comparison keeps the series that it holds for, or with `bool` says 0 or 1 of each. */
function applyToSample(
  { op, isBool }: BinaryExpression,
  { labels, value }: MetricSample,
  [left, right]: readonly [number, number],
): MetricSample[] {
  const compare = COMPARISONS[op];
  if (compare === undefined) return [{ labels: dropName(labels), value: getArithmetic(op)(left, right) }];
  if (isBool) return [{ labels: dropName(labels), value: Number(compare(left, right)) }];
  return compare(left, right) ? [{ labels, value }] : [];
}

function combineVectors(
  expression: BinaryExpression,
  left: readonly MetricSample[],
  right: readonly MetricSample[],
): MetricSample[] {
  const { matching } = expression;
  const [many, one] = matching.group === 'right' ? [right, left] : [left, right];
  const others = new Map<string, MetricSample>();
  for (const sample of one) {
    const key = formatMatch(sample.labels, matching);
    if (others.has(key)) throw new Error(`several series on one side match {${key}}`);
    others.set(key, sample);
  }
  const taken = new Set<string>();
  return many.flatMap((sample) => {
    const key = formatMatch(sample.labels, matching);
    const other = others.get(key);
    if (other === undefined) return [];
    if (matching.group === null && taken.has(key)) throw new Error(`several series match {${key}} without group_left`);
    taken.add(key);
    const values = matching.group === 'right' ? [other.value, sample.value] : [sample.value, other.value];
    const included = matching.included.map((label) => [label, other.labels[label] ?? ''] as const);
    const isComparison = COMPARISONS[expression.op] !== undefined && !expression.isBool;
    const kept =
      matching.group !== null || isComparison
        ? sample.labels
        : keepLabels(sample.labels, matching.mode, matching.labels);
    const labels = { ...kept, ...Object.fromEntries(included) };
    return applyToSample(expression, { labels, value: sample.value }, [values[0] ?? NaN, values[1] ?? NaN]);
  });
}

function combineSets(
  op: 'and' | 'or' | 'unless',
  sides: {
    readonly left: readonly MetricSample[];
    readonly right: readonly MetricSample[];
    readonly matching: VectorMatching;
  },
): MetricSample[] {
  const { left, right, matching } = sides;
  const keysOf = (samples: readonly MetricSample[]) =>
    new Set(samples.map(({ labels }) => formatMatch(labels, matching)));
  if (op === 'or') {
    const known = keysOf(left);
    return [...left, ...right.filter(({ labels }) => !known.has(formatMatch(labels, matching)))];
  }
  const known = keysOf(right);
  return left.filter(({ labels }) => known.has(formatMatch(labels, matching)) === (op === 'and'));
}

function getArithmetic(op: string): Operator {
  const operator = ARITHMETIC[op];
  if (operator === undefined) throw new Error(`the operator ${op} is not used in our rules`);
  return operator;
}

function formatMatch(labels: Labels, { mode, labels: names }: VectorMatching): string {
  return formatLabels(keepLabels(labels, mode, names));
}

function keepLabels(labels: Labels, mode: 'on' | 'ignoring', names: readonly string[]): Labels {
  const isKept = (name: string): boolean => name !== '__name__' && names.includes(name) === (mode === 'on');
  return Object.fromEntries(Object.entries(labels).filter(([name]) => isKept(name)));
}

/** The result of a computation is no longer the metric. */
function dropName(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'));
}
