import { afterAll, beforeAll, test } from '@jest/globals';
import { crowd } from '../faults/crowd-stories.js';
import { EPOS_STORIES } from '../faults/epos-stories.js';
import { FAULT_POINT_STORIES, KILLED_GATEWAY_STORIES } from '../faults/gateway-stories.js';
import { MACHINE_STORIES } from '../faults/machine-stories.js';
import { type Story, tell } from '../faults/story.js';
import { WORKER_STORIES } from '../faults/worker-stories.js';
import { ONE_EVENING } from './evening.js';
import { Stage } from './stage.js';

const MINUTES = 60_000;
const ROUNDS = 12;

/** Told side by side, each list at a restaurant of its own: at the first the EPOS dials in, at the second it is dialled. */
const SIDE_BY_SIDE: readonly [readonly Story[], readonly Story[]] = [
  [ONE_EVENING, ...MACHINE_STORIES],
  [ONE_EVENING, ...EPOS_STORIES, crowd(ROUNDS)],
];

/** These kill processes that everybody uses, so they are told one by one. */
const ONE_BY_ONE: readonly Story[] = [...FAULT_POINT_STORIES, ...KILLED_GATEWAY_STORIES.slice(0, 2), ...WORKER_STORIES];

let stage: Stage;
const told = new Map<string, Promise<unknown>>();

beforeAll(async () => {
  stage = await Stage.open();
  SIDE_BY_SIDE.forEach((stories, at) => {
    let before: Promise<unknown> = Promise.resolve();
    for (const story of stories) {
      // Kept as a value until its own test asks for it: a story that fails must not be taken for an unheard rejection.
      before = before.then(() => tell(story, stage, stage.houses[at === 0 ? 0 : 1])).catch((error: unknown) => error);
      told.set(nameOf(story, at), before);
    }
  });
}, 2 * MINUTES);

afterAll(async () => {
  await Promise.all(told.values());
  await stage.close();
}, 2 * MINUTES);

test.each(SIDE_BY_SIDE.flatMap((stories, at) => stories.map((story) => nameOf(story, at))))(
  '%s',
  async (name) => {
    const failure = await told.get(name);
    if (failure !== undefined) throw failure as Error;
  },
  3 * MINUTES,
);

test.each(ONE_BY_ONE.map((story, index) => ({ says: story.says, story, index })))(
  '$says',
  async ({ story, index }) => {
    await tell(story, stage, stage.houses[index % 2 === 0 ? 0 : 1]);
  },
  3 * MINUTES,
);

function nameOf({ says }: Story, at: number): string {
  return `${says} (${at === 0 ? 'an EPOS that dials in' : 'an EPOS that is dialled'})`;
}
