import { expect } from '@jest/globals';
import { CLAUSE_FLOWS } from '../clause-coverage/clause-flows.js';
import {
  listBrokenClauses,
  type Restaurant,
  type TesterTestEnvironment,
  type TestTransport,
} from './tester-environment.js';
import type { GroupTransport } from '../clause-coverage/transports.js';
import type { ZooMember } from '../zoo/zoo-member.js';

/** A broken EPOS, or an EPOS that is broken only in its connection to the service. */
export interface Breakage extends Omit<ZooMember, 'broken'> {
  readonly broken: (restaurant: Restaurant, testEnvironment: TesterTestEnvironment) => void | Promise<void>;
  readonly transport?: TestTransport;
}

/** The transport of an EPOS that is broken only over one of them. */
const TEST_TRANSPORTS = {
  'grpc-dialled': 'dialled',
  'grpc-stream': 'stream',
  'tables-ws': 'tables-socket',
  rest: 'data',
  ws: 'data',
} as const satisfies Record<GroupTransport, TestTransport>;

/** A member of the zoo as the EPOS of a restaurant. */
export function getBreakage(member: ZooMember): Breakage {
  return {
    ...member,
    ...(member.over !== undefined &&
      !member.over.includes('grpc-dialled') && { transport: TEST_TRANSPORTS[member.over[0] ?? 'rest'] }),
    broken: ({ epos }) => {
      member.broken(epos);
    },
  };
}

/** Breaks the EPOS of a separate restaurant, and expects that the flow detects it at the given step. */
export async function expectCaught(
  testEnvironment: TesterTestEnvironment,
  { broken, flow, params, step, clause, transport = 'dialled' }: Breakage,
): Promise<void> {
  const restaurant = await testEnvironment.createRestaurant(transport);
  await broken(restaurant, testEnvironment);
  const run = await testEnvironment.play(restaurant, flow, {
    ...(transport === 'data' && { transport: 'rest' }),
    ...params,
  });
  const failed = run.steps.find(({ status }) => status !== 'SUCCESS');
  expect({ step: failed?.name, status: failed?.status, clause: listBrokenClauses(run)[0] }).toEqual({
    step,
    clause,
    status: 'FAILURE',
  });
  expect(run).toMatchObject({ status: 'FAILURE' });
  // After a failed step only the cleanup is played.
  expect(run.steps.at(-1)?.name).toBe('cleanup');
  expect(run.steps.indexOf(failed!)).toBe(run.steps.length - 2);
  expect(CLAUSE_FLOWS[clause].flows).toContain(flow);
  // Its machines would stay connected beside the scenarios that follow.
  testEnvironment.bench.dismiss(restaurant.enrolled);
}
