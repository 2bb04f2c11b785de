import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CaughtMember, isGoodEnough, type ZooResult } from '@pos/conformance/zoo';
import { getFlow } from '../flows/flows.js';
import { TesterTestEnvironment } from '../testing/tester-environment.js';
import { CAUGHT_SHARE, ZOO_RESTAURANTS } from './zoo-restaurants.js';
import type { ZooMember, ZooRestaurant } from './zoo-member.js';
import { runZoo } from './zoo-run.js';

// A run of the zoo over a few members. The tests beside this file have every member, and `pnpm zoo` plays all flows at each.

let testEnvironment: TesterTestEnvironment;

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
}, 60_000);

afterAll(() => testEnvironment.close());

/** The member with that clause, alone over one transport. */
function alone(transport: ZooRestaurant['transports'][number], clause: string): ZooRestaurant {
  const restaurant = ZOO_RESTAURANTS.find(({ transports }) => transports.includes(transport))!;
  return {
    ...restaurant,
    transports: [transport],
    members: restaurant.members.filter((each) => each.clause === clause),
  };
}

const listCaught = (results: readonly ZooResult[]): (CaughtMember | null)[] => results.map(({ caught }) => caught);
const ZOO_FLOWS = [getFlow('ListTables'), getFlow('lock-conflict'), getFlow('tables-record-duplicate')];

describe('a run of the zoo', () => {
  test('members are caught by their own check, and the correct EPOS raises no alarm', async () => {
    const restaurants = [alone('grpc-dialled', 'record.once'), alone('ws', 'order-lock.releases')];
    const record = await runZoo(testEnvironment.bench, { restaurants, flows: ZOO_FLOWS, concurrency: 2 });
    expect(record.alarms).toEqual([]);
    expect(listCaught(record.results)).toEqual([
      { flow: 'tables-record-duplicate', step: 'RecordPayment again', clause: 'record.once' },
      { flow: 'lock-conflict', step: 'lock again', clause: 'order-lock.releases' },
    ]);
    expect(isGoodEnough(record, CAUGHT_SHARE)).toBe(true);
  }, 60_000);

  test('an EPOS without a deviation is not caught', async () => {
    const [member] = alone('rest', 'order-lock.releases').members;
    const correct: ZooMember = { ...member!, broken: () => undefined };
    const restaurant: ZooRestaurant = { contract: 'EPOS Data API', transports: ['rest'], members: [correct] };
    const record = await runZoo(testEnvironment.bench, { restaurants: [restaurant], flows: ZOO_FLOWS, concurrency: 1 });
    expect(record).toMatchObject({ alarms: [], results: [{ caught: null, reported: [] }] });
  }, 60_000);

  test('a failure of another clause is reported, and does not count as caught', async () => {
    const [member] = alone('rest', 'order-lock.releases').members;
    const elsewhere: ZooMember = { ...member!, clause: 'area.named' };
    const restaurant: ZooRestaurant = { contract: 'EPOS Data API', transports: ['rest'], members: [elsewhere] };
    const record = await runZoo(testEnvironment.bench, { restaurants: [restaurant], flows: ZOO_FLOWS, concurrency: 1 });
    expect(listCaught(record.results)).toEqual([null]);
    expect(record.results[0]?.reported).toContain('order-lock.releases');
  }, 60_000);

  test('a flow that fails at the correct EPOS is an alarm, and catches no member', async () => {
    const flow = getFlow('lock-conflict');
    const strict = {
      ...flow,
      steps: (params: Parameters<typeof flow.steps>[0]): ReturnType<typeof flow.steps> => [
        ...flow.steps(params),
        {
          name: 'strict',
          act: ({ step }) => {
            const finding = { member: 'paidAmount', expected: 'a value that no EPOS sends', found: undefined };
            step.check(false, { clause: 'order-lock.releases', ...finding });
            return Promise.resolve();
          },
        },
      ],
    };
    const restaurants = [alone('rest', 'order-lock.releases')];
    const record = await runZoo(testEnvironment.bench, {
      restaurants,
      flows: [getFlow('ListAreas'), strict],
      concurrency: 1,
    });
    expect(record.alarms).toMatchObject([{ transport: 'rest', flow: 'lock-conflict' }]);
    expect(listCaught(record.results)).toEqual([null]);
    expect(isGoodEnough(record, CAUGHT_SHARE)).toBe(false);
  }, 60_000);
});
