import { FULL_SCENARIO } from './evening.js';
import { Stage } from '../e2e/stage.js';
import { BOOKING_SCENARIOS } from './booking-scenarios.js';
import { runCrowd } from './crowd-scenarios.js';
import { KillableDatabase } from './database-killed.js';
import { EPOS_EVENT_SCENARIOS } from './epos-event-scenarios.js';
import { EPOS_SCENARIOS } from './epos-scenarios.js';
import { FAULT_POINT_SCENARIOS, FAULT_POINT_TWICE_SCENARIOS, KILLED_GATEWAY_SCENARIOS } from './gateway-scenarios.js';
import { runHistory } from './history-scenarios.js';
import { MACHINE_SCENARIOS } from './machine-scenarios.js';
import { ORDER_SCENARIOS } from './order-scenarios.js';
import { type FaultScenario, runScenario } from './scenario.js';
import { WORKER_SCENARIOS } from './worker-scenarios.js';

const ROUNDS = 200;
const HISTORY_ROUNDS = 30;
const ORDERS = 60;
const KILLS = 5;
const DATABASE_KILLED =
  'the database is killed repeatedly under load: no acknowledged request is lost, none is executed twice';

const SCENARIOS: readonly FaultScenario[] = [
  FULL_SCENARIO,
  ...EPOS_SCENARIOS,
  ...MACHINE_SCENARIOS,
  ...FAULT_POINT_SCENARIOS,
  ...FAULT_POINT_TWICE_SCENARIOS,
  ...KILLED_GATEWAY_SCENARIOS,
  ...WORKER_SCENARIOS,
  ...EPOS_EVENT_SCENARIOS,
  ...ORDER_SCENARIOS,
  ...BOOKING_SCENARIOS,
  runCrowd(ROUNDS),
  runHistory(HISTORY_ROUNDS),
];

/** The restaurant whose EPOS dials in, then the one whose EPOS is dialled. */
const HOUSES = [0, 1] as const;

/** Ctrl-C and a kill end everything with us: the server of the database would outlive us otherwise. */
const ENDINGS = ['SIGINT', 'SIGTERM'] as const;
let stage: Stage | null = null;
let doomed: KillableDatabase | null = null;
for (const signal of ENDINGS) {
  process.once(signal, () => {
    console.log(`${signal}: stopping`);
    void Promise.all([stage?.close(), doomed?.remove()]).finally(() => process.exit(1));
  });
}

/**
 * Runs every scenario at both restaurants, or those whose sentence contains the given words. Resolves to the number of
 * failures.
 */
async function main(words: string): Promise<number> {
  const scenarios = SCENARIOS.filter(({ says }) => says.includes(words));
  let failures = 0;
  for (const at of HOUSES) {
    stage ??= await Stage.open();
    const { account, dialsIn } = stage.houses[at];
    console.log(`\n${account.tradingName}, whose EPOS ${dialsIn ? 'dials in' : 'is dialled'}`);
    for (const scenario of scenarios) {
      stage ??= await Stage.open();
      if (await isReported(scenario, stage, at)) continue;
      failures += 1;
      // A failed scenario must not affect the next one.
      console.log(`          logs are kept in ${await stage.stop()}`);
      stage = null;
    }
  }
  await stage?.close();
  stage = null;
  if (DATABASE_KILLED.includes(words)) failures += await killDatabase();
  console.log(failures === 0 ? '\nEvery scenario held.' : `\n${failures} scenarios failed.`);
  return failures;
}

/**
 * On its own service, because it stops all processes. Resolves to the number of requests that were lost or executed
 * twice.
 */
async function killDatabase(): Promise<number> {
  console.log(`\n${DATABASE_KILLED}`);
  const database = await KillableDatabase.open();
  doomed = database;
  try {
    await database.live({ orders: ORDERS, kills: KILLS });
    const faults = await database.faults();
    console.log(
      faults.length === 0 ? `  held    ${database.failedCount} answers were in vain` : `  FAILED  ${faults.join('\n')}`,
    );
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    console.log(`  FAILED  ${String(error)}`);
    return 1;
  } finally {
    await database.remove();
    doomed = null;
  }
}

async function isReported(scenario: FaultScenario, stage: Stage, at: 0 | 1): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    await runScenario(scenario, stage, stage.houses[at]);
    console.log(`  held    ${scenario.says} (${seconds()} s)`);
    return true;
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.log(`  FAILED  ${scenario.says} (${seconds()} s)\n${why}`);
    return false;
  }
}

process.exitCode = (await main(process.argv.slice(2).join(' '))) === 0 ? 0 : 1;
