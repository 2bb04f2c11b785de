import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { PAYMENT_SCENARIOS } from './payment-scenarios.js';
import { awaitQuiet, type AlertScenario, runAlertScenario } from './alert-scenario.js';
import { AlertStage } from './alert-stage.js';
import { PROCESS_SCENARIOS } from './process-scenarios.js';
import { QUEUE_SCENARIOS } from './queue-scenarios.js';
import { readRules } from './rules.js';

const SCENARIOS: readonly AlertScenario[] = [...PAYMENT_SCENARIOS, ...QUEUE_SCENARIOS, ...PROCESS_SCENARIOS];

/**
 * Starts the service, provokes the condition of each alert, or of those whose name contains one of the words, and waits
 * until it fires and clears. Resolves to the number of failures.
 */
async function main(words: readonly string[]): Promise<number> {
  const stranger = words.find((word) => !SCENARIOS.some(({ alerts }) => alerts.some((alert) => alert.includes(word))));
  if (stranger !== undefined) {
    const names = SCENARIOS.flatMap(({ alerts }) => alerts).sort();
    console.error(`Usage: pnpm alerts [WORD...], each a part of a name of an alert; ${stranger} is in none of:`);
    console.error(names.map((name) => `  ${name}`).join('\n'));
    return 1;
  }
  const wanted = SCENARIOS.filter(
    ({ alerts }) => words.length === 0 || alerts.some((alert) => words.some((word) => alert.includes(word))),
  );
  const provoked = new Set(SCENARIOS.flatMap(({ alerts }) => alerts));
  const missing = readRules().alerts.filter(({ alert }) => !provoked.has(alert));
  for (const { alert } of missing) console.log(`NOT PROVOKED  ${alert}`);
  const at = await AlertStage.open(Date.now());
  let failures = missing.length;
  try {
    await runRunbookStatements(at);
    await awaitQuiet(at);
    console.log('the service is quiet: no alert fires');
    for (const scenario of wanted) failures += await reportScenario(at, scenario);
  } finally {
    await at.close();
  }
  const count = wanted.flatMap(({ alerts }) => alerts).length;
  console.log(failures === 0 ? `\nEvery alert fired and cleared: ${count}.` : `\n${failures} failures.`);
  return failures;
}

/** Runs every statement of the runbook as a login of the service, which is what an operator has. */
async function runRunbookStatements({ stage }: AlertStage): Promise<void> {
  const page = readFileSync(path.join(REPOSITORY, 'docs/operate/alerts.md'), 'utf8');
  const statements = [...page.matchAll(/^```sql\n([^`]+)```$/gm)].map(([, text = '']) => text);
  for (const text of statements) await stage.database.dataSource.query(text);
  console.log(`${statements.length} statements of the runbook run`);
}

async function reportScenario(at: AlertStage, scenario: AlertScenario): Promise<number> {
  if (scenario.isPossible?.() === false) {
    console.log(`NOT RUN            ${scenario.alerts.join(', ')}: this machine does not permit it`);
    return 0;
  }
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
  const names = scenario.alerts.join(', ');
  try {
    const { firedAfter, clearedAfter } = await runAlertScenario(at, scenario);
    console.log(
      `fired and cleared  ${names}: ${scenario.says} (${firedAfter} and ${clearedAfter} scrapes, ${seconds()} s)`,
    );
    return 0;
  } catch (error) {
    console.log(`FAILED             ${names}: ${scenario.says} (${seconds()} s)\n  ${String(error)}`);
    return 1;
  }
}

process.exitCode = (await main(process.argv.slice(2))) === 0 ? 0 : 1;
