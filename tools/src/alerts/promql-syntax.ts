import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { LabelMatcher } from './time-series.js';

/** How the series of two sides find each other. */
export interface VectorMatching {
  readonly mode: 'on' | 'ignoring';
  readonly labels: readonly string[];
  readonly group: 'left' | 'right' | null;
  readonly included: readonly string[];
}

/** An expression of PromQL, as far as our rules use the language. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'selector'; readonly matchers: readonly LabelMatcher[]; readonly rangeMs: number | null }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly kind: 'aggregation';
      readonly op: string;
      readonly grouping: { readonly mode: 'by' | 'without'; readonly labels: readonly string[] };
      readonly arg: Expression;
    }
  | {
      readonly kind: 'binary';
      readonly op: string;
      readonly isBool: boolean;
      readonly matching: VectorMatching;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Parses with the parser of Prometheus. Throws for a wrong expression, and for a construct that our rules do not use. */
export function parsePromql(text: string): Expression {
  const tree = parser.parse(text);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`the expression is wrong at character ${from + 1}: ${text}`);
    },
  });
  const root = tree.topNode.firstChild;
  if (root === null) throw new Error('the expression is empty');
  return new ExpressionReader(text).read(root);
}

/** The names of the metrics that an expression reads. */
export function listMetricNames(expression: Expression): string[] {
  switch (expression.kind) {
    case 'number':
      return [];
    case 'selector':
      return expression.matchers.filter(({ label }) => label === '__name__').map(({ text }) => text);
    case 'call':
      return expression.args.flatMap(listMetricNames);
    case 'aggregation':
      return listMetricNames(expression.arg);
    case 'binary':
      return [...listMetricNames(expression.left), ...listMetricNames(expression.right)];
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MATCH_OPERATORS: Readonly<Record<string, LabelMatcher['op']>> = {
  EqlSingle: '=',
  Neq: '!=',
  EqlRegex: '=~',
  NeqRegex: '!~',
};

/** A duration such as `5m` or `1h30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  if (parts.map(([part]) => part).join('') !== text || parts.length === 0) throw new Error(`${text} is no duration`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

class ExpressionReader {
  constructor(private readonly text: string) {}

  read(node: SyntaxNode): Expression {
    switch (node.name) {
      case 'ParenExpr':
        return this.read(this.#child(node, 0));
      case 'NumberDurationLiteral':
        return { kind: 'number', value: readNumber(this.#slice(node)) };
      case 'VectorSelector':
        return { kind: 'selector', matchers: this.#readMatchers(node), rangeMs: null };
      case 'MatrixSelector':
        return this.#readRange(node);
      case 'FunctionCall':
        return { kind: 'call', name: this.#slice(this.#child(node, 0)), args: this.#readArgs(node) };
      case 'AggregateExpr':
        return this.#readAggregation(node);
      case 'BinaryExpr':
        return this.#readBinary(node);
      default:
        throw new Error(`${node.name} is not used in our rules: ${this.#slice(node)}`);
    }
  }

  #readRange(node: SyntaxNode): Expression {
    const selector = this.read(this.#child(node, 0));
    if (selector.kind !== 'selector') throw new Error(`only a selector has a range: ${this.#slice(node)}`);
    return { ...selector, rangeMs: parseDuration(this.#slice(this.#child(node, 1))) };
  }

  #readMatchers(node: SyntaxNode): LabelMatcher[] {
    const name = node.getChild('Identifier');
    const listed = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return [
      ...(name === null ? [] : [{ label: '__name__', op: '=' as const, text: this.#slice(name) }]),
      ...listed.map((matcher): LabelMatcher => {
        const op = MATCH_OPERATORS[matcher.getChild('MatchOp')?.firstChild?.name ?? ''];
        const [label, value] = [matcher.getChild('LabelName'), matcher.getChild('StringLiteral')];
        if (op === undefined || label === null || value === null)
          throw new Error(`this matcher is not used in our rules: ${this.#slice(matcher)}`);
        return { label: this.#slice(label), op, text: this.#slice(value).slice(1, -1) };
      }),
    ];
  }

  #readArgs(node: SyntaxNode): Expression[] {
    const body = node.getChild('FunctionCallBody');
    return body === null ? [] : listChildren(body).map((child) => this.read(child));
  }

  #readAggregation(node: SyntaxNode): Expression {
    const modifier = node.getChild('AggregateModifier');
    const [arg, ...others] = this.#readArgs(node);
    if (arg === undefined || others.length > 0) throw new Error(`one argument is needed: ${this.#slice(node)}`);
    const mode = modifier?.getChild('Without') === null || modifier === null ? 'by' : 'without';
    return {
      ...{ kind: 'aggregation', op: this.#slice(this.#child(node, 0)), arg },
      grouping: { mode, labels: this.#readLabels(modifier?.getChild('GroupingLabels') ?? null) },
    };
  }

  #readBinary(node: SyntaxNode): Expression {
    const children = listChildren(node);
    const [left, op, right] = [children[0], children[1], children.at(-1)];
    if (left === undefined || op === undefined || right === undefined) throw new Error('an operator without operands');
    const isBool = node.getChild('BoolModifier') !== null;
    const clause = node.getChild('MatchingModifierClause');
    const [labels, included] = (clause?.getChildren('GroupingLabels') ?? []).map((list) => this.#readLabels(list));
    const isLeft = (clause?.getChild('GroupLeft') ?? null) !== null;
    const isRight = (clause?.getChild('GroupRight') ?? null) !== null;
    return {
      ...{ kind: 'binary', op: this.#slice(op), isBool, left: this.read(left), right: this.read(right) },
      matching: {
        mode: (clause?.getChild('On') ?? null) === null ? 'ignoring' : 'on',
        labels: labels ?? [],
        group: isLeft ? 'left' : isRight ? 'right' : null,
        included: included ?? [],
      },
    };
  }

  #readLabels(node: SyntaxNode | null): string[] {
    return (node?.getChildren('LabelName') ?? []).map((label) => this.#slice(label));
  }

  #child(node: SyntaxNode, index: number): SyntaxNode {
    const child = listChildren(node)[index];
    if (child === undefined) throw new Error(`this expression is incomplete: ${this.#slice(node)}`);
    return child;
  }

  #slice({ from, to }: SyntaxNode): string {
    return this.text.slice(from, to);
  }
}

function listChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function readNumber(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? parseDuration(text) / 1_000 : number;
}
