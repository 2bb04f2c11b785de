import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NewActivity, UnreadableDetail } from '@pos/core/activities';
import type { Scope } from '@pos/core/identity';
import { insertActivities } from '@pos/store/testing';
import { PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

const CALLS = '/portal/api/epos/calls';
const TOTAL = {
  ...{ element: '119', member: 'totalAmount.value', clause: 'schema.value', problem: 'Invalid input', isSkipped: true },
};
const QUANTITY = { ...TOTAL, element: '118', member: 'items[0].quantity', isSkipped: false };

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
  await recordList(environment.own, [TOTAL, QUANTITY]);
  await recordList(environment.other, [{ ...TOTAL, element: 'of another restaurant' }]);
});
afterAll(() => environment.close());

/** A list of sessions in whose answer these members could not be read. */
async function recordList(scope: Scope, unreadable: readonly UnreadableDetail[]): Promise<void> {
  const call: NewActivity = {
    ...{ scope, kind: 'EposCall', name: 'ListSessions', subjectId: null, outcome: 'Succeeded', status: null },
    ...{ reason: null, keyId: null, traceId: '0af7651916cd43dd8448eb211c80319c' },
    ...{ startedAtMs: performance.now(), tookMs: 34, details: { transport: 'orders', unreadable } },
  };
  await environment.testDatabase.database.transact(scope, (tx) => {
    insertActivities(tx, [call]);
    return Promise.resolve();
  });
}

test.each(['viewer', 'support', 'developer', 'admin', 'operator'] as const)(
  'the EPOS page shows a %s which bills of the own till cannot be read, by member and clause',
  async (role) => {
    const answer = await environment.send('GET', CALLS, { cookie: await environment.signInAs(role) });
    expect(answer.status).toBe(200);
    const { isSkipped: isTotalSkipped, ...total } = TOTAL;
    const { isSkipped: isQuantitySkipped, ...quantity } = QUANTITY;
    expect(readBody<Record<string, unknown>[]>(answer.text)).toEqual([
      expect.objectContaining({
        ...{ name: 'ListSessions', transport: 'orders', outcome: 'Succeeded' },
        unreadableMembers: [
          { ...total, skipped: isTotalSkipped },
          { ...quantity, skipped: isQuantitySkipped },
        ],
      }),
    ]);
    expect(answer.text).not.toContain('another restaurant');
  },
);

test('without a session nobody reads them', async () => {
  const answer = await environment.send('GET', CALLS);
  expect([answer.status, answer.text.includes('totalAmount')]).toEqual([401, false]);
});
