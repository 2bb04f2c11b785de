import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { callRangeFunction, computeQuantiles } from './promql-functions.js';
import {
  dropMetricName,
  type EvaluationResult,
  formatLabels,
  type LabelMatcher,
  type Labels,
  type MetricSample,
  type TimeSeries,
} from './time-series.js';

/** An expression of PromQL, as the parser of Prometheus has read it. */
export interface PromqlExpression {
  readonly text: string;
  readonly root: SyntaxNode;
}

/** When and over which series an expression is evaluated. */
interface Evaluation {
  readonly text: string;
  readonly series: TimeSeries;
  readonly atMs: number;
}

type Operator = (left: number, right: number) => number;

const ARITHMETIC: Readonly<Record<string, Operator>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};
const AGGREGATIONS: Readonly<Record<string, Operator>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
};
const MATCH_OPERATORS: Readonly<Record<string, LabelMatcher['op']>> = { EqlSingle: '=', Neq: '!=', EqlRegex: '=~' };
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses with the parser of Prometheus. Throws for a wrong expression. */
export function parsePromql(text: string): PromqlExpression {
  const tree = parser.parse(text);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`the expression is wrong at character ${from + 1}: ${text}`);
    },
  });
  const root = tree.topNode.firstChild;
  if (root === null) throw new Error('the expression is empty');
  return { text, root };
}

/** The names of the metrics that an expression reads. */
export function listMetricNames({ text, root }: PromqlExpression): string[] {
  const names: string[] = [];
  root.cursor().iterate(({ name, node }) => {
    const metric = name === 'VectorSelector' ? node.getChild('Identifier') : null;
    if (metric !== null) names.push(text.slice(metric.from, metric.to));
  });
  return names;
}

/** A duration such as `5m`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`${text} is no duration`);
  return Number(count) * (UNIT_MS[unit] ?? 0);
}

/**
 * Evaluates an expression at a moment, as Prometheus does for a rule. Throws for what our rules do not use, also where no
 * series matches.
 */
export function evaluate({ text, root }: PromqlExpression, series: TimeSeries, atMs: number): EvaluationResult {
  return evaluateNode(root, { text, series, atMs });
}

function evaluateNode(node: SyntaxNode, at: Evaluation): EvaluationResult {
  switch (node.name) {
    case 'ParenExpr':
      return evaluateNode(getChild(node, 0), at);
    case 'NumberDurationLiteral':
      return Number(readText(node, at));
    case 'VectorSelector':
      return at.series.selectInstant(readMatchers(node, at), at.atMs);
    case 'FunctionCall':
      return callFunction(node, at);
    case 'AggregateExpr':
      return aggregate(node, at);
    case 'BinaryExpr':
      return combine(node, at);
    default:
      throw new Error(`${node.name} is not used in our rules: ${readText(node, at)}`);
  }
}

function readMatchers(selector: SyntaxNode, at: Evaluation): LabelMatcher[] {
  const name = selector.getChild('Identifier');
  const listed = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return [
    ...(name === null ? [] : [{ label: '__name__', op: '=' as const, text: readText(name, at) }]),
    ...listed.map((matcher): LabelMatcher => {
      const op = MATCH_OPERATORS[matcher.getChild('MatchOp')?.firstChild?.name ?? ''];
      const [label, value] = [matcher.getChild('LabelName'), matcher.getChild('StringLiteral')];
      if (op === undefined || label === null || value === null)
        throw new Error(`this matcher is not used in our rules: ${readText(matcher, at)}`);
      return { label: readText(label, at), op, text: readText(value, at).slice(1, -1) };
    }),
  ];
}

function callFunction(node: SyntaxNode, at: Evaluation): EvaluationResult {
  const name = readText(getChild(node, 0), at);
  const args = listChildren(node.getChild('FunctionCallBody'));
  const [first, second] = args;
  if (name === 'time') return at.atMs / 1_000;
  if (first === undefined) throw new Error(`${name} needs an argument`);
  if (name === 'vector') return [{ labels: {}, value: Number(evaluateNode(first, at)) }];
  if (name === 'absent') {
    if (toVector(evaluateNode(first, at)).length > 0) return [];
    const named = readMatchers(first, at).filter(({ label, op }) => op === '=' && label !== '__name__');
    return [{ labels: Object.fromEntries(named.map(({ label, text }) => [label, text])), value: 1 }];
  }
  if (name === 'histogram_quantile' && second !== undefined)
    return computeQuantiles(Number(evaluateNode(first, at)), toVector(evaluateNode(second, at)));
  if (first.name !== 'MatrixSelector') throw new Error(`${name} needs a range`);
  const rangeMs = parseDuration(readText(getChild(first, 1), at));
  const range = { fromMs: at.atMs - rangeMs, toMs: at.atMs };
  return callRangeFunction(name, at.series.selectRange(readMatchers(getChild(first, 0), at), at.atMs, rangeMs), range);
}

function aggregate(node: SyntaxNode, at: Evaluation): MetricSample[] {
  const compute = AGGREGATIONS[readText(getChild(node, 0), at)];
  const modifier = node.getChild('AggregateModifier');
  if (compute === undefined || (modifier?.getChild('Without') ?? null) !== null)
    throw new Error(`this aggregation is not used in our rules: ${readText(node, at)}`);
  const names = readLabelNames(modifier?.getChild('GroupingLabels') ?? null, at);
  const groups = new Map<string, MetricSample>();
  for (const { labels: all, value } of toVector(evaluateNode(getChild(node.getChild('FunctionCallBody'), 0), at))) {
    const labels = pickLabels(all, names);
    const key = formatLabels(labels);
    const group = groups.get(key);
    groups.set(key, { labels, value: group === undefined ? value : compute(group.value, value) });
  }
  return [...groups.values()];
}

function combine(node: SyntaxNode, at: Evaluation): EvaluationResult {
  const op = readText(getChild(node, 1), at);
  const [left, right] = [getChild(node, 0), node.lastChild ?? node].map((side) => evaluateNode(side, at));
  if (left === undefined || right === undefined) throw new Error('an operator without operands');
  const matching = node.getChild('MatchingModifierClause');
  if (op === 'or' && matching === null) return combineAlternatives(toVector(left), toVector(right));
  const compare = COMPARISONS[op];
  const arithmetic = ARITHMETIC[op];
  if (compare === undefined && arithmetic === undefined) throw new Error(`the operator ${op} is not used in our rules`);
  const isBool = node.getChild('BoolModifier') !== null;
  /** A comparison keeps the series that it holds for, or with `bool` says 0 or 1 of each. */
  const apply = ({ labels, value }: MetricSample, one: number, other: number): MetricSample[] => {
    if (compare === undefined) return [{ labels: dropMetricName(labels), value: arithmetic?.(one, other) ?? NaN }];
    if (isBool) return [{ labels: dropMetricName(labels), value: Number(compare(one, other)) }];
    return compare(one, other) ? [{ labels, value }] : [];
  };
  if (typeof left === 'number' && typeof right === 'number')
    return apply({ labels: {}, value: left }, left, right)[0]?.value ?? 0;
  if (typeof right === 'number') return toVector(left).flatMap((sample) => apply(sample, sample.value, right));
  if (typeof left === 'number') return right.flatMap((sample) => apply(sample, left, sample.value));
  return pairSamples({ left, right }, matching, at).flatMap(([one, other]) => apply(one, one.value, other));
}

/** `or`: the series of the right side whose labels the left one does not have are added. */
function combineAlternatives(left: readonly MetricSample[], right: readonly MetricSample[]): MetricSample[] {
  const known = new Set(left.map(({ labels }) => formatLabels(dropMetricName(labels))));
  return [...left, ...right.filter(({ labels }) => !known.has(formatLabels(dropMetricName(labels))))];
}

/** Each series of the left side with the value of its match: the same labels, or with `on` those that it names. */
function pairSamples(
  { left, right }: { readonly left: readonly MetricSample[]; readonly right: readonly MetricSample[] },
  matching: SyntaxNode | null,
  at: Evaluation,
): [MetricSample, number][] {
  const isGroupLeft = (matching?.getChild('GroupLeft') ?? null) !== null;
  if (matching !== null && (matching.getChild('On') === null || !isGroupLeft))
    throw new Error(`this matching is not used in our rules: ${readText(matching, at)}`);
  const [on = [], included = []] = (matching?.getChildren('GroupingLabels') ?? []).map((list) =>
    readLabelNames(list, at),
  );
  const format = (labels: Labels): string =>
    formatLabels(matching === null ? dropMetricName(labels) : pickLabels(labels, on));
  const others = new Map<string, MetricSample>();
  for (const sample of right) {
    if (others.has(format(sample.labels))) throw new Error(`several series match {${format(sample.labels)}}`);
    others.set(format(sample.labels), sample);
  }
  return left.flatMap(({ labels, value }): [MetricSample, number][] => {
    const other = others.get(format(labels));
    if (other === undefined) return [];
    return [[{ labels: { ...labels, ...pickLabels(other.labels, included) }, value }, other.value]];
  });
}

function toVector(result: EvaluationResult): readonly MetricSample[] {
  if (typeof result === 'number') throw new Error('series are needed here, and this is a number');
  return result;
}

function pickLabels(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));
}

function readLabelNames(list: SyntaxNode | null, at: Evaluation): string[] {
  return (list?.getChildren('LabelName') ?? []).map((label) => readText(label, at));
}

function readText({ from, to }: SyntaxNode, { text }: Evaluation): string {
  return text.slice(from, to);
}

function listChildren(node: SyntaxNode | null): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function getChild(node: SyntaxNode | null, index: number): SyntaxNode {
  const child = listChildren(node)[index];
  if (child === undefined) throw new Error('the expression is incomplete');
  return child;
}
