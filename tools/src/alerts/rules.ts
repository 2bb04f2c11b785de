import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';
import { evaluate, parseDuration, parsePromql, type PromqlExpression } from '../substitutes/promql.js';
import type { Rules } from '../substitutes/rule-evaluator.js';
import { TimeSeries } from '../substitutes/time-series.js';

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
      return { alert, expression: readExpression(expr), forMs, severity: labels.severity, summary, runbook };
    }),
    recordings: rules.flatMap((rule) =>
      'record' in rule ? { record: rule.record, expression: readExpression(rule.expr) } : [],
    ),
  };
}

/** Evaluates it over no series, which throws for what our evaluator does not know. */
function readExpression(text: string): PromqlExpression {
  const expression = parsePromql(text);
  evaluate(expression, new TimeSeries(), 0);
  return expression;
}
