import { countRoundTrips, type RecordedStatement, type StatementRecorder } from './statement-recorder.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** The cost of a step is the least of so many rounds: others contain a split page, or work of the clock. */
const ROUNDS = 12;
/** Records differ by the position of a row in its page. */
const BYTES_STEP = 100;

/** What an operation costs its database. */
export interface DatabaseCost {
  /** A combined statement is shown as its changes. */
  readonly statements: readonly string[];
  readonly roundTrips: number;
  /** Of transactions that wrote something. */
  readonly commits: number;
  /** The commits that waited until they were on disk. */
  readonly flushes: number;
  /** Of the server's log, rounded to a hundred. */
  readonly walBytes: number;
}

/** Measures what the steps of an operation cost its database. */
export class DatabaseCostMeter {
  /** `backgroundNames` matches the names of statements that a clock or a cache sends. */
  constructor(
    private readonly parts: {
      readonly recorder: StatementRecorder;
      readonly log: WriteAheadLog;
      readonly backgroundNames: RegExp;
    },
  ) {}

  /** Runs all steps in their order, several times, and returns the least cost of each. */
  async measureSteps<Step extends string>(
    steps: Readonly<Record<Step, () => Promise<unknown>>>,
  ): Promise<Record<Step, DatabaseCost>> {
    const names = Object.keys(steps) as Step[];
    const costs = new Map<Step, DatabaseCost[]>(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of names) costs.get(name)?.push(await this.#measureStep(steps[name]));
    }
    return Object.fromEntries([...costs].map(([name, all]) => [name, findLeast(all)])) as Record<Step, DatabaseCost>;
  }

  async #measureStep(step: () => Promise<unknown>): Promise<DatabaseCost> {
    const { recorder, log, backgroundNames } = this.parts;
    recorder.take();
    const { bytes, commits } = await log.countChanges(step);
    const sent = recorder.take().filter(({ name }) => !backgroundNames.test(name));
    return {
      statements: sent.map(describeStatement),
      roundTrips: countRoundTrips(sent),
      commits,
      flushes: commits - sent.filter(({ name }) => name === 'commit_without_flush').length,
      walBytes: Math.round(bytes / BYTES_STEP) * BYTES_STEP,
    };
  }
}

function findLeast(costs: readonly DatabaseCost[]): DatabaseCost | undefined {
  return [...costs].sort((one, other) => one.walBytes - other.walBytes || one.roundTrips - other.roundTrips)[0];
}

const UPDATED_COLUMN = /(?<=set |, )\w+ = /g;

/** The name of a statement; of a combined one its changes, and of an update the number of columns that it writes. */
function describeStatement({ name, combined }: RecordedStatement): string {
  if (combined.length === 0) return name;
  const parts = combined.map(({ text, part }) => {
    const columns = part?.verb === 'update' ? ` (${text.match(UPDATED_COLUMN)?.length ?? 0} columns)` : '';
    return `${part?.verb} ${part?.relation}${columns}`;
  });
  return parts.join(' + ');
}
