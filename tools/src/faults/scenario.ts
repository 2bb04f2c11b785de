import type { StageRestaurant, Stage } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';

/** Something that happens to the service, and what has to be true after it; rejects when it is not. */
export interface FaultScenario {
  /** A sentence about the business. */
  readonly says: string;
  /** The processes that a fault point is armed in before it is told, and which. */
  readonly arms?: (
    stage: Stage,
    house: StageRestaurant,
  ) => Promise<{ readonly names: readonly string[]; readonly point: string }>;
  /** What took place on a restaurant's stage; the books are compared by whoever has it told. */
  readonly run: (stage: Stage, house: StageRestaurant) => Promise<void>;
}

/** Tells a scenario at a house, and then sees that acquirer, EPOS, our rows and the webhooks all say the same. */
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
    await stage.calm(house);
  }
  const faults = await stage.reckon(house);
  if (faults.length > 0) throw new Error(`the books disagree:\n  ${faults.join('\n  ')}`);
}

/** More than any scenario pays; a party that owes less makes room for one that has just ordered. */
const OWED_MIN = 3_000;
const TABLES_WANTED = 2;
const PARTIES_MAX = 20;

/** Scenarios pay in parts, so bills run dry: parties that owe little pay the rest and go, and new ones come. */
async function openParties(stage: Stage, house: StageRestaurant): Promise<void> {
  for (let party = 0; party < PARTIES_MAX; party += 1) {
    const tables = await stage.freeTables(house);
    if (tables.filter(({ outstanding }) => outstanding >= OWED_MIN).length >= TABLES_WANTED) return;
    const table = await TestTable.begin(stage, house, { owes: 'least' });
    await table.ending(await table.takeRest());
    await table.leave();
  }
}
