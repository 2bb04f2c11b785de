import type { StageRestaurant, Stage } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';

/** A fault of the service, and the expected result; rejects when it does not hold. */
export interface FaultScenario {
  /** A sentence about the business. */
  readonly says: string;
  /** The processes in which a fault point is armed before the run, and the fault point. */
  readonly arms?: (
    stage: Stage,
    house: StageRestaurant,
  ) => Promise<{ readonly names: readonly string[]; readonly point: string }>;
  /** Runs at a restaurant of the stage; the caller compares the books. */
  readonly run: (stage: Stage, house: StageRestaurant) => Promise<void>;
}

/** Runs a scenario at a restaurant, then checks that acquirer, EPOS, our rows and the webhooks agree. */
export async function runScenario(scenario: FaultScenario, stage: Stage, house: StageRestaurant): Promise<void> {
  if (scenario.arms === undefined) {
    await stage.disarm();
    await openParties(stage, house);
  } else {
    const { names, point } = await scenario.arms(stage, house);
    await stage.arm(names, point);
  }
  try {
    await scenario.run(stage, house);
  } finally {
    await stage.clearFaults(house);
  }
  const faults = await stage.findDifferences(house);
  if (faults.length > 0) throw new Error(`the books disagree:\n  ${faults.join('\n  ')}`);
}

/** More than any scenario pays. A party that owes less is replaced by one that has just ordered. */
const OWED_MIN = 3_000;
const TABLES_WANTED = 2;
const PARTIES_MAX = 20;

/** Scenarios pay in parts, so bills run out: parties that owe little pay the rest and leave, and new ones arrive. */
async function openParties(stage: Stage, house: StageRestaurant): Promise<void> {
  for (let party = 0; party < PARTIES_MAX; party += 1) {
    const tables = await stage.freeTables(house);
    if (tables.filter(({ outstanding }) => outstanding >= OWED_MIN).length >= TABLES_WANTED) return;
    const table = await TestTable.begin(stage, house, { owes: 'least' });
    await table.ending(await table.takeRest());
    await table.leave();
  }
}
