import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RuleEvaluator } from '../substitutes/rule-evaluator.js';
import { parseSample } from '../substitutes/scrape-text.js';
import { TimeSeries } from '../substitutes/time-series.js';
import { readRules, RULE_FILES, RULES_FOLDER } from './rules.js';

/** What each scrape adds to a series: a counter grows by it, and a gauge, whose name ends in `_seconds`, has it. */
type Scrapes = Readonly<Record<string, number>>;
/** The values of recording rules by their names, to six decimals; null where a rule records nothing. */
export type Levels = Readonly<Record<string, number | null>>;

const SCRAPES = 10;
const INTERVAL_MS = 30_000;

/** Whether promtool is installed, which then computes the levels. */
export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Checks the levels after five minutes of scrapes. Returns the report of promtool; empty when they are as wanted. */
export function testLevels(perScrape: Scrapes, wanted: Levels): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rules-'));
  const samples = (value: number | null) => (value === null ? [] : [{ labels: '{}', value }]);
  const test = {
    rule_files: RULE_FILES.map((file) => path.join(RULES_FOLDER, file)),
    evaluation_interval: '30s',
    tests: [
      {
        interval: '30s',
        input_series: Object.entries(perScrape).map(([series, step]) => ({
          series,
          values: isGauge(series) ? `${step}+0x${SCRAPES}` : `0+${step}x${SCRAPES}`,
        })),
        promql_expr_test: Object.entries(wanted).map(([record, value]) => ({
          ...{ expr: `round(${record}, 0.000001)`, eval_time: '5m', exp_samples: samples(value) },
        })),
      },
    ],
  };
  try {
    const file = path.join(folder, 'test.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(test));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same levels by our evaluator. */
export function computeLevels(perScrape: Scrapes, names: readonly string[]): Levels {
  const series = new TimeSeries();
  const evaluator = new RuleEvaluator({ alerts: [], recordings: readRules().recordings }, series);
  for (let scrape = 0; scrape <= SCRAPES; scrape += 1) {
    const samples = Object.entries(perScrape).map(([name, step]) =>
      parseSample(`${name} ${isGauge(name) ? step : scrape * step}`),
    );
    series.addScrape(samples, scrape * INTERVAL_MS, { instance: 'one' });
    evaluator.evaluateAt(scrape * INTERVAL_MS);
  }
  return Object.fromEntries(
    names.map((record) => {
      const [sample] = series.selectInstant([{ label: '__name__', op: '=', text: record }], SCRAPES * INTERVAL_MS);
      return [record, sample === undefined ? null : Math.round(sample.value * 1e6) / 1e6];
    }),
  );
}

function isGauge(series: string): boolean {
  return /_seconds(\{|$)/.test(series);
}
