import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';
import { loadMetrics } from '../docs/metrics-page.js';
import { PAYMENT_SCENARIOS } from './payment-scenarios.js';
import { PROCESS_SCENARIOS } from './process-scenarios.js';
import { listMetricNames, parsePromql } from '../substitutes/promql.js';
import { QUEUE_SCENARIOS } from './queue-scenarios.js';
import { computeLevels, hasPromtool, type Levels, testLevels } from './recorded-levels.js';
import { readRules, RULE_FILES, RULES_FOLDER } from './rules.js';
import { RuleEvaluator, type Rules } from '../substitutes/rule-evaluator.js';
import { TimeSeries } from '../substitutes/time-series.js';

const RULES = readRules();
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

function readDashboard(): z.output<typeof Dashboard> {
  return Dashboard.parse(JSON.parse(readFileSync(path.join(RULES_FOLDER, 'grafana-dashboard.json'), 'utf8')));
}

/** The names under which the metrics of all apps are scraped, and those of recording rules. */
async function listScrapedNames(): Promise<Set<string>> {
  const groups = await loadMetrics();
  const names = groups.flatMap(({ metrics }) =>
    metrics.flatMap(({ definition: { name }, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  return new Set(['up', ...names, ...RULES.recordings.map(({ record }) => record)]);
}

test('every metric of the rules and the dashboard exists', async () => {
  const known = await listScrapedNames();
  const rules = [...RULES.alerts, ...RULES.recordings].flatMap(({ expression }) => listMetricNames(expression));
  const panels = readDashboard().panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => listMetricNames(parsePromql(expr))),
  );
  expect(panels.length).toBeGreaterThan(30);
  expect([...rules, ...panels].filter((name) => !known.has(name))).toEqual([]);
});

test('every alert has a section in its page, and the page has no section of another', () => {
  const page = readFileSync(path.join(REPOSITORY, 'docs/operate/alerts.md'), 'utf8');
  const sections = [...page.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
  expect(RULES.alerts.map(({ alert }) => alert).sort()).toEqual([...sections].sort());
  for (const { alert, runbook } of RULES.alerts) expect(runbook).toBe(`docs/operate/alerts.md#${alert.toLowerCase()}`);
});

test('every alert is provoked in a running service by `pnpm alerts`', () => {
  const provoked = [...PAYMENT_SCENARIOS, ...QUEUE_SCENARIOS, ...PROCESS_SCENARIOS].flatMap(({ alerts }) => alerts);
  expect([...provoked].sort()).toEqual(RULES.alerts.map(({ alert }) => alert).sort());
});

test('the queries of the page of service levels parse and use recorded or scraped series', async () => {
  const known = await listScrapedNames();
  const page = readFileSync(path.join(REPOSITORY, 'docs/operate/service-levels.md'), 'utf8');
  const queries = [...page.matchAll(/^```promql\n(.+)\n```$/gm)].map(([, query = '']) => query);
  expect(queries).toHaveLength(4);
  for (const query of queries) for (const name of listMetricNames(parsePromql(query))) expect(known).toContain(name);
  for (const { record } of RULES.recordings.filter(({ record: name }) => !name.includes(':rate')))
    expect(page).toContain(`\`${record}\``);
});

test('promtool accepts the rules, where it is installed', () => {
  const files = RULE_FILES.map((file) => path.join(RULES_FOLDER, file));
  const checked = spawnSync('promtool', ['check', 'rules', ...files], { encoding: 'utf8' });
  if (checked.error !== undefined) {
    console.log('NOT RUN: promtool is not installed, so only the parser of Prometheus has read the rules');
    return;
  }
  expect(`${checked.stdout}${checked.stderr}`).toContain('SUCCESS');
  expect(checked.status).toBe(0);
});

const MINUTE = 60_000;

test('an alert is pending for its time, fires, and is clear with the first evaluation without a value', () => {
  const alert = { severity: 'page', summary: 'deep', runbook: 'x' } as const;
  const rules: Rules = {
    alerts: [{ ...alert, alert: 'Deep', expression: parsePromql('max by (lane) (depth) > 5'), forMs: 2 * MINUTE }],
    recordings: [],
  };
  const series = new TimeSeries();
  const evaluator = new RuleEvaluator(rules, series);
  const states = [6, 7, 8, 1, 9].map((depth, minute) => {
    series.addScrape([{ labels: { __name__: 'depth', lane: 'a' }, value: depth }], minute * MINUTE, {
      instance: 'one',
    });
    return evaluator.evaluateAt(minute * MINUTE).map(({ alert: name, state }) => `${name} ${state}`);
  });
  expect(states).toEqual([['Deep pending'], ['Deep pending'], ['Deep firing'], [], ['Deep pending']]);
});

/** By promtool where it is installed, and by our evaluator, which `pnpm alerts` uses. */
function expectLevels(perScrape: Readonly<Record<string, number>>, wanted: Levels): void {
  if (hasPromtool()) expect(testLevels(perScrape, wanted)).toBe('');
  expect(computeLevels(perScrape, Object.keys(wanted))).toEqual(wanted);
}

test('availability counts failures of ours, and refusals as answers', () => {
  const requests = {
    'pos_http_requests_total{operation="createPaymentIntent",code="200"}': 90,
    'pos_http_requests_total{operation="capturePaymentIntent",code="409"}': 9,
    'pos_http_requests_total{operation="capturePaymentIntent",code="503"}': 1,
    'pos_http_requests_total{operation="searchPaymentIntents",code="503"}': 500,
  };
  expectLevels(requests, { 'pos:payment_availability:ratio5m': 0.99 });
});

test('without a failure the availability is 1', () => {
  const requests = { 'pos_http_requests_total{operation="createPaymentIntent",code="200"}': 90 };
  expectLevels(requests, { 'pos:payment_availability:ratio5m': 1 });
});

test('delays are the 99th percentile of all processes', () => {
  const buckets = {
    'pos_delivery_delay_seconds_bucket{receiver="webhook",le="1"}': 98,
    'pos_delivery_delay_seconds_bucket{receiver="webhook",le="2"}': 100,
    'pos_delivery_delay_seconds_bucket{receiver="webhook",le="+Inf"}': 100,
    'pos_payment_record_delay_seconds_bucket{le="5"}': 90,
    'pos_payment_record_delay_seconds_bucket{le="10"}': 100,
    'pos_payment_record_delay_seconds_bucket{le="+Inf"}': 100,
  };
  expectLevels(buckets, {
    'pos:delivery_delay_seconds:p99_5m': 1.5,
    'pos:payment_record_delay_seconds:p99_5m': 9.5,
  });
});

test.each([
  ['none is open', {}, 1],
  ['the oldest is young', { 'pos_acquirer_open_outcome_oldest_age_seconds{kind="Capture"}': 59 }, 1],
  ['one of two is old', { 'pos_acquirer_open_outcome_oldest_age_seconds{kind="Refund"}': 61 }, 0],
])('outcomes are settled in time while %s', (_, ages, wanted) => {
  const gauges = {
    pos_service_state_timestamp_seconds: 1_764_000_000,
    'pos_acquirer_open_outcome_oldest_age_seconds{kind="Reverse"}': 1,
    ...ages,
  };
  expectLevels(gauges, { 'pos:outcomes_settled_in_time:bool': wanted });
});

test('outcomes have no level while nobody can count them', () => {
  expectLevels({}, { 'pos:outcomes_settled_in_time:bool': null });
});
