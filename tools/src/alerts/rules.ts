import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';
import { evaluate } from './promql-evaluation.js';
import { type Expression, parseDuration, parsePromql } from './promql-syntax.js';
import { formatLabels, type Labels, type TimeSeries } from './time-series.js';

const Rule = z.union([
  z.strictObject({
    alert: z.string(),
    expr: z.string(),
    for: z.string().default('0s'),
    labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
    annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
  }),
  z.strictObject({ record: z.string(), expr: z.string() }),
]);
const RuleFile = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), interval: z.string().optional(), rules: z.array(Rule) })),
});

/** A rule that fires while its expression has had a value for some time. */
export interface AlertRule {
  readonly alert: string;
  readonly expression: Expression;
  readonly forMs: number;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  readonly runbook: string;
}

/** A rule whose value is a new series. */
export interface RecordingRule {
  readonly record: string;
  readonly expression: Expression;
}

/** The rules of deploy/observability, in their order. */
export interface Rules {
  readonly alerts: readonly AlertRule[];
  readonly recordings: readonly RecordingRule[];
}

export const RULES_FOLDER = path.join(REPOSITORY, 'deploy/observability');
export const RULE_FILES = ['service-levels.rules.yaml', 'alerts.rules.yaml'] as const;

/** Reads and parses every rule. Throws for a wrong file, a wrong expression, and one that our evaluator does not know. */
export function readRules(): Rules {
  const rules = RULE_FILES.flatMap((file) => {
    const text = readFileSync(path.join(RULES_FOLDER, file), 'utf8');
    return RuleFile.parse(parse(text)).groups.flatMap((group) => group.rules);
  });
  return {
    alerts: rules.flatMap((rule) => {
      if (!('alert' in rule)) return [];
      const { alert, expr, labels, annotations } = rule;
      const { summary, runbook_url: runbook } = annotations;
      const forMs = rule.for === '0s' ? 0 : parseDuration(rule.for);
      return { alert, expression: parsePromql(expr), forMs, severity: labels.severity, summary, runbook };
    }),
    recordings: rules.flatMap((rule) =>
      'record' in rule ? { record: rule.record, expression: parsePromql(rule.expr) } : [],
    ),
  };
}

/** An alert for the labels of one series. */
export interface ActiveAlert {
  readonly alert: string;
  readonly labels: Labels;
  readonly state: 'pending' | 'firing';
}

/** Evaluates the rules step by step over scraped series, as a Prometheus server does. The clock is the caller's. */
export class RuleEvaluator {
  /** Since when the expression of an alert has had a value, by alert and labels. */
  #activeSince = new Map<string, number>();

  constructor(
    private readonly rules: Rules,
    private readonly series: TimeSeries,
  ) {}

  /** Records the series of the recording rules, then returns the alerts that are pending or firing now. */
  evaluateAt(atMs: number): ActiveAlert[] {
    for (const { record, expression } of this.rules.recordings) {
      const result = evaluate(expression, this.series, atMs);
      const samples = typeof result === 'number' ? [{ labels: {}, value: result }] : result;
      const named = samples.map(({ labels, value }) => ({ labels: { ...labels, __name__: record }, value }));
      this.series.addScrape(named, atMs, { __name__: record });
    }
    const activeSince = new Map<string, number>();
    const active = this.rules.alerts.flatMap(({ alert, expression, forMs }) => {
      const result = evaluate(expression, this.series, atMs);
      if (typeof result === 'number') throw new Error(`${alert} has a number, which is always true`);
      return result.map(({ labels }): ActiveAlert => {
        const key = `${alert} ${formatLabels(labels)}`;
        const since = this.#activeSince.get(key) ?? atMs;
        activeSince.set(key, since);
        return { alert, labels, state: atMs - since >= forMs ? 'firing' : 'pending' };
      });
    });
    this.#activeSince = activeSince;
    return active;
  }

  /** The names of the alerts that fire now. */
  listFiring(atMs: number): string[] {
    const firing = this.evaluateAt(atMs).filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ alert }) => alert))].sort();
  }
}
