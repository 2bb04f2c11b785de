import { describe, expect, test } from '@jest/globals';
import { isGoodEnough } from '@pos/conformance/zoo';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ClauseId } from '../clauses/clauses.js';
import { FLOWS } from '../flows/flows.js';
import { UNDECLARED_FLOWS } from '../flows/undeclared.js';
import type { Flow } from '../scene/flow.js';
import type { ZooMember } from './zoo-member.js';
import { renderZooPage } from './zoo-page.js';
import { CAUGHT_SHARE, findLimitedAlarms, runZoo, ZOO_MEMBERS } from './zoo-run.js';

// One member of each kind. The long test beside this file has all members, and `pnpm zoo` plays all flows at each.

const golden = new URL('../../../../docs/reference/acquirer-zoo.md', import.meta.url);

const OF_EACH_KIND: readonly ClauseId[] = [
  ...(['answer.amount', 'secret.card-number', 'secret.credential', 'repeat.same', 'repeat.differs'] as const),
  ...(['inquire.in-progress', 'capture.within-hold', 'refund.within-taken', 'reverse.prevents'] as const),
  ...(['challenge.fails', 'challenge.none', 'list.only-booked', 'repeat.once', 'input.refused'] as const),
  ...(['challenge.lost', 'capabilities.undeclared', 'capabilities.declared'] as const),
];
const CHOSEN = OF_EACH_KIND.flatMap((clause) => ZOO_MEMBERS.find((member) => member.clause === clause) ?? []);

const run = (members: readonly ZooMember[], flows: readonly Flow[] = listFlows(members)) =>
  runZoo({ members, flows, concurrency: 4, now: () => new Date(), stop: new AbortController().signal });

function listFlows(members: readonly ZooMember[]): readonly Flow[] {
  return FLOWS.filter(({ name }) => members.some(({ flow }) => flow === name));
}

test('the page about the zoo is generated from its members; UPDATE_GOLDEN=1 rewrites it', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, renderZooPage());
  expect(readFileSync(golden, 'utf8')).toBe(renderZooPage());
});

test('the zoo has at least 40 members, each with a unique defect and a flow that exists', () => {
  expect(ZOO_MEMBERS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(ZOO_MEMBERS.map(({ defect }) => defect)).size).toBe(ZOO_MEMBERS.length);
  const flows = FLOWS.map(({ name }) => name);
  expect(ZOO_MEMBERS.filter(({ flow }) => !flows.includes(flow))).toEqual([]);
});

describe('a broken acquirer', () => {
  test('of each kind is caught by its own clause, and the correct one raises no alarm', async () => {
    expect(CHOSEN.map(({ clause }) => clause)).toEqual(OF_EACH_KIND);
    const record = await run(CHOSEN);
    expect(record.alarms).toEqual([]);
    expect(record.results.map(({ caught }) => [caught?.flow, caught?.clause])).toEqual(
      CHOSEN.map(({ flow, clause }) => [flow, clause]),
    );
    expect(isGoodEnough(record, CAUGHT_SHARE)).toBe(true);
  }, 60_000);

  test('without a defect is not caught', async () => {
    const correct: ZooMember = { defect: 'that has none', flow: 'capture-over', clause: 'capture.within-hold' };
    expect(await run([correct])).toMatchObject({ alarms: [], results: [{ caught: null, reported: [] }] });
  }, 60_000);

  test('that fails by another clause is not caught', async () => {
    const [member] = ZOO_MEMBERS.filter(({ clause }) => clause === 'capture.within-hold');
    const record = await run([{ ...member!, clause: 'list.range', also: [] }]);
    expect(record.results).toMatchObject([{ caught: null, reported: ['capture.within-hold'] }]);
    expect(isGoodEnough(record, CAUGHT_SHARE)).toBe(false);
  }, 60_000);
});

test('a correct acquirer that lacks a capability, or all, refuses what it does not declare', async () => {
  const run = { flows: UNDECLARED_FLOWS, concurrency: 4, now: () => new Date(), stop: new AbortController().signal };
  expect(await findLimitedAlarms(run)).toEqual([]);
}, 60_000);

test('a flow that fails at the correct acquirer is an alarm, and catches nothing', async () => {
  const strict: Flow = {
    name: 'capture-over',
    ...{ tests: 'what no acquirer passes', needs: [] },
    play: async ({ step }) => {
      await step('strict', (stage) => {
        stage.step.check(false, { clause: 'capture.within-hold', member: 'nothing', expected: 'all', found: 'some' });
        return Promise.resolve();
      });
    },
  };
  const members = ZOO_MEMBERS.filter(({ flow }) => flow === 'capture-over');
  const record = await run(members, [strict]);
  expect(record.alarms).toMatchObject([{ flow: 'capture-over' }]);
  expect(record.results.map(({ caught }) => caught)).toEqual([null]);
}, 60_000);
