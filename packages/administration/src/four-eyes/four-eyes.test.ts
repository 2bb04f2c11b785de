import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FOUR_EYES_KEY_PREFIX, type FourEyesRequest } from '@pos/core/administration';
import type { PortalUserId } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import { IdempotentOperation } from '@pos/store/idempotency';
import { verifyAuditChain } from '@pos/store/repositories';
import { createPortalUser, grantPortalRole, changePortalUserStatus } from '../portal/portal-user-administration.js';
import {
  createPaidIntent,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  listBookings,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';
import {
  decideFourEyesRequest,
  finishFourEyesRequest,
  listRequestsForSecondPerson,
  requestSecondPerson,
  requireApprovedRequest,
} from './four-eyes-requests.js';
import { requireSecondPerson } from '@pos/payments/four-eyes';

const OPERATOR = { actor: 'operator', reason: 'a test' };
const VERSION = '2026-02-27';
let testEnvironment: TestEnvironment;
let owner: Database;
let shop: TestAccount;
let [ann, bob]: string[] = [];
let [annId, bobId]: PortalUserId[] = [];
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  owner = await testEnvironment.testDatabase.open({ url: testEnvironment.testDatabase.ownerUrl });
});
afterAll(() => testEnvironment.close());
beforeEach(async () => {
  shop = await createTestAccount(testEnvironment, { fourEyes: { giveBacksAbove: { GBP: '500' }, hours: 24 } });
  [ann, annId] = await createUser();
  [bob, bobId] = await createUser();
});

let users = 0;
async function createUser(role: 'support' | 'viewer' = 'support'): Promise<[string, PortalUserId]> {
  const email = `user${(users += 1)}@corner.example`;
  const { database } = testEnvironment;
  const user = { email, name: `user ${users}`, password: 'correct horse battery 7', isOperator: false };
  const { id } = await createPortalUser(database, OPERATOR, user);
  await grantPortalRole(database, OPERATOR, { email, membership: { ...shop.scope, role } });
  return [email, id];
}

interface Sent {
  readonly intentId: string;
  readonly amount: number;
  readonly key?: string;
  readonly actor?: PortalUserId | null;
  readonly version?: string;
}

/** A refund as the API does it for a user of the portal, or for a key. */
function refund({ intentId, amount, key = randomUUID(), actor = annId!, version = VERSION }: Sent): Promise<string> {
  const idempotency = {
    method: 'POST',
    path: `/payment-intents/${intentId}/refund`,
    key,
    fingerprintInput: `{"amount":${amount}}`,
  };
  const call = { caller: { version, ...(actor !== null && { actor }) }, idempotency };
  const target = { kind: 'payment', paymentIntentId: intentId, amount } as const;
  const operation = new IdempotentOperation(
    testEnvironment.database,
    { scope: shop.scope, idempotency, checkFirst: async (tx) => void (await requireSecondPerson(tx, call, target)) },
    { encodeResult: () => ({}), encodeRefusal: () => null },
  );
  const request = { amount, reason: null, notes: null, previousTransactionId: null };
  return getOutcome(testEnvironment.refunds.refund(operation, intentId, request));
}

/** The request that the portal stores after the API has refused a refund. */
function request({ intentId, amount }: Sent, session = 'ann 1', idempotencyKey: string | null = null) {
  const action = {
    ...{ operationId: 'refundPaymentIntent', method: 'POST', path: `/payment-intents/${intentId}/refund` },
    ...{ version: VERSION, body: `{"amount":${amount}}` },
  };
  return transactAs(testEnvironment, shop, (tx) =>
    requestSecondPerson(
      tx,
      { userId: annId!, sessionHash: session },
      {
        ...{ action, fingerprintInput: action.body, idempotencyKey },
        target: { kind: 'payment', paymentIntentId: intentId, amount },
      },
    ),
  );
}

const decide = (id: string, { by = bobId!, session = 'bob 1', isApproved = true, reason = 'seen the receipt' } = {}) =>
  getOutcome(
    decideFourEyesRequest(testEnvironment.database, shop.scope, {
      person: { userId: by, sessionHash: session },
      decision: { id, isApproved, reason },
    }),
  );

const pay = async (): Promise<{ intentId: string; reference: string }> => createPaidIntent(testEnvironment, shop);
const toKey = ({ id }: Pick<FourEyesRequest, 'id'>): string => `${FOUR_EYES_KEY_PREFIX}${id}`;
const query = (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  owner.dataSource.query(sql, [shop.scope.accountId, ...values]);
const readState = async (id: string) => {
  const [row] = await query('select state from four_eyes_requests where account_id = $1 and id = $2', [id]);
  return row?.['state'];
};

describe('without a second person the money stays', () => {
  test('above the limit, in parts above it, and at the same moment', async () => {
    const { intentId, reference } = await pay();
    expect(await refund({ intentId, amount: 501 })).toBe('second_person_needed');
    const both = await Promise.all([refund({ intentId, amount: 300 }), refund({ intentId, amount: 300 })]);
    expect(both.sort()).toEqual(['done', 'second_person_needed']);
    expect(await refund({ intentId, amount: 201 })).toBe('second_person_needed');
    expect(await refund({ intentId, amount: 200 })).toBe('done');
    expect(listBookings(testEnvironment, reference)).toEqual(['Refund 300 Approved', 'Refund 200 Approved']);
  });

  test('keys of programs and accounts without limits are not concerned', async () => {
    const { intentId } = await pay();
    expect(await refund({ intentId, amount: 900, actor: null })).toBe('done');
    shop = await createTestAccount(testEnvironment);
    const other = await pay();
    expect(await refund({ intentId: other.intentId, amount: 900 })).toBe('done');
  });

  test.each<[string, (stored: FourEyesRequest, intentId: string) => Promise<Sent>]>([
    ['a request that waits', async (stored, intentId) => ({ intentId, amount: 900, key: toKey(stored) })],
    ['an unknown request', async (_, intentId) => ({ intentId, amount: 900, key: `${FOUR_EYES_KEY_PREFIX}x` })],
    ['another amount', async (stored, intentId) => ({ intentId, amount: 901, key: await approve(stored) })],
    ['a smaller amount', async (stored, intentId) => ({ intentId, amount: 899, key: await approve(stored) })],
    [
      'another payment',
      async (stored) => ({ intentId: (await pay()).intentId, amount: 900, key: await approve(stored) }),
    ],
    [
      'another release',
      async (stored, intentId) => ({ intentId, amount: 900, version: '2025-01-01', key: await approve(stored) }),
    ],
    [
      'a refused request',
      async (stored, intentId) => {
        expect(await decide(stored.id, { isApproved: false })).toBe('done');
        return { intentId, amount: 900, key: toKey(stored) };
      },
    ],
    [
      'an approval that has expired',
      async (stored, intentId) => {
        const key = await approve(stored);
        await query(`update four_eyes_requests set expires_at = now() where account_id = $1`);
        return { intentId, amount: 900, key };
      },
    ],
    [
      'a request that has failed',
      async (stored, intentId) => {
        const key = await approve(stored);
        await query(`update four_eyes_requests set state = 'Failed' where account_id = $1`);
        return { intentId, amount: 900, key };
      },
    ],
    [
      'a request of another account',
      async (stored, intentId) => {
        const key = await approve(stored);
        await query(`update four_eyes_requests set account_id = 'acc_other' where account_id = $1`);
        return { intentId, amount: 900, key };
      },
    ],
  ])('with the key of %s', async (_, prepare) => {
    const { intentId, reference } = await pay();
    const stored = await request({ intentId, amount: 900 });
    expect(await refund(await prepare(stored, intentId))).toBe('second_person_needed');
    expect(listBookings(testEnvironment, reference)).toEqual([]);
  });
});

async function approve(stored: FourEyesRequest): Promise<string> {
  expect(await decide(stored.id)).toBe('done');
  return toKey(stored);
}

type Attempt = [string, (id: string) => Promise<string>, string];

describe('a decision is refused', () => {
  test.each<Attempt>([
    ['by the requester', (id) => decide(id, { by: annId!, session: 'ann 1' }), 'second_person_refused'],
    ['by the requester again', (id) => decide(id, { by: annId!, session: 'ann 2' }), 'second_person_refused'],
    ['by another user in its session', (id) => decide(id, { session: 'ann 1' }), 'second_person_refused'],
    ['by the requester who refuses it', (id) => decide(id, { by: annId!, isApproved: false }), 'second_person_refused'],
    ...['CreatePortalUser', 'GrantPortalRole', 'ResetPortalPassword', 'EnablePortalUser'].map((action): Attempt => [
      `after ${action}`,
      (id) => decideAsMade(id, action),
      'second_person_refused',
    ]),
    [
      'after GrantPortalRole and many other entries',
      async (id) => {
        for (let entry = 0; entry < 201; entry += 1) await recordMaking([annId!, 'EndPortalSessions', bobId!]);
        return decideAsMade(id, 'GrantPortalRole', '1 minute');
      },
      'second_person_refused',
    ],
    [
      'by a user whom a user of the requester has made',
      async (id) => {
        const [, carlId] = await createUser();
        await recordMaking([annId!, 'ResetPortalPassword', carlId], '1 hour');
        await recordMaking([carlId, 'CreatePortalUser', bobId!]);
        return decide(id);
      },
      'second_person_refused',
    ],
    ['about an unknown request', () => decide('x'), 'four_eyes_request_unknown'],
    ['without a reason', (id) => decide(id, { reason: ' ' }), 'validation_failed'],
    [
      'about a request that has waited too long',
      async (id) => {
        await query('update four_eyes_requests set expires_at = now() where account_id = $1');
        return decide(id);
      },
      'four_eyes_request_decided',
    ],
    [
      'about a decided request',
      async (id) => {
        expect(await decide(id, { isApproved: false })).toBe('done');
        return decide(id);
      },
      'four_eyes_request_decided',
    ],
    [
      'if the requester was disabled',
      async (id) => {
        await changePortalUserStatus(testEnvironment.database, OPERATOR, { email: ann!, status: 'Disabled' });
        return decide(id);
      },
      'second_person_refused',
    ],
    [
      'if the requester may only read now',
      async (id) => {
        const membership = { ...shop.scope, role: 'viewer' } as const;
        await grantPortalRole(testEnvironment.database, OPERATOR, { email: ann!, membership });
        return decide(id);
      },
      'second_person_refused',
    ],
  ])('%s', async (_, attempt, code) => {
    const { intentId } = await pay();
    const { id } = await request({ intentId, amount: 900 });
    expect(await attempt(id)).toBe(code);
    expect(await readState(id)).not.toBe('Approved');
  });

  test('not because the requester has made the user long before', async () => {
    const { intentId } = await pay();
    const { id } = await request({ intentId, amount: 900 });
    expect(await decideAsMade(id, 'GrantPortalRole', '49 hours')).toBe('done');
  });
});

/** Bob decides, after Ann has changed his user as an operator may. */
async function decideAsMade(id: string, action: string, before = '0 hours'): Promise<string> {
  await recordMaking([annId!, action, bobId!], before);
  return decide(id);
}

async function recordMaking(making: readonly [actor: string, action: string, user: string], before = '0 hours') {
  await owner.dataSource.query(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
     values ('acc_system0000000000000000', 'production', $1, $2, $3, $4, 'r', now() - $5::interval)`,
    [randomUUID(), ...making, before],
  );
}

describe('of decisions at the same moment the first counts', () => {
  test.each([
    ['two approvals', [true, true]],
    ['an approval and a refusal', [true, false]],
    ['two refusals', [false, false]],
  ])('%s', async (_, decisions) => {
    const { intentId } = await pay();
    const [, carl] = await createUser();
    const { id } = await request({ intentId, amount: 900 });
    const outcomes = await Promise.all(
      decisions.map((isApproved, at) => decide(id, { by: [bobId!, carl][at]!, session: `session ${at}`, isApproved })),
    );
    expect(outcomes.toSorted()).toEqual(['done', 'four_eyes_request_decided']);
    const isApproved = decisions[outcomes.indexOf('done')];
    expect(await readState(id)).toBe(isApproved === true ? 'Approved' : 'Refused');
    const entries = await query(
      `select action from audit_entries where account_id = $1 and subject = $2 and action <> 'RequestFourEyes'`,
      [id],
    );
    expect(entries).toHaveLength(1);
  });
});

test('an approved refund is done once, however often and at once it is sent, and every step is in the audit log', async () => {
  const { intentId, reference } = await pay();
  const stored = await request({ intentId, amount: 900 });
  const key = await approve(stored);
  const send = () => refund({ intentId, amount: 900, key, actor: bobId! });
  const outcomes = await Promise.all([send(), send(), send()]);
  expect(outcomes.filter((each) => each === 'done').length).toBeGreaterThan(0);
  expect(outcomes.every((each) => each === 'done' || each === 'idempotency_in_progress')).toBe(true);
  const finish = (status: number, reason: string | null) =>
    transactAs(testEnvironment, shop, (tx) =>
      finishFourEyesRequest(tx, { userId: bobId! }, { id: stored.id, outcome: { status, reason } }),
    );
  // An answer that is no end, a refusal of a second sender, and the answer of the first.
  expect((await finish(409, 'idempotency_in_progress')).state).toBe('Approved');
  expect((await finish(409, 'not_refundable')).state).toBe('Failed');
  expect((await finish(200, null)).state).toBe('Done');
  expect((await finish(409, 'not_refundable')).state).toBe('Done');
  expect(await send()).toBe('done');
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 900 Approved']);
  await expect(transactAs(testEnvironment, shop, (tx) => requireApprovedRequest(tx, stored.id))).rejects.toBeInstanceOf(
    Refusal,
  );
  const steps = await query(
    `select action, actor from audit_entries where account_id = $1 and subject = $2 order by number`,
    [stored.id],
  );
  expect(steps).toEqual([
    { action: 'RequestFourEyes', actor: annId },
    { action: 'ApproveFourEyes', actor: bobId },
    { action: 'FinishFourEyes', actor: bobId },
    { action: 'FinishFourEyes', actor: bobId },
  ]);
  const chain = await testEnvironment.database.readSnapshot(shop.scope, (snapshot) => verifyAuditChain(snapshot));
  expect(chain.problems).toEqual([]);
});

test('a crash after the approval, and one after the acquirer has booked, double nothing', async () => {
  const { intentId, reference } = await pay();
  const stored = await request({ intentId, amount: 900 });
  const key = await approve(stored);
  // The process stops before it sends: the request is approved, and any permitted user sends it.
  expect(await readState(stored.id)).toBe('Approved');
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Refund' }, effect: 'drop-answer', times: 1 }]);
  const first = await refund({ intentId, amount: 900, key, actor: bobId! });
  testEnvironment.acquirerServer.rules.replaceRules([]);
  expect(['done', 'acquirer_unanswered']).toContain(first);
  await pause(50);
  expect(await refund({ intentId, amount: 900, key, actor: bobId! })).toBe('done');
  expect(listBookings(testEnvironment, reference)).toEqual(['Refund 900 Approved']);
});

test('an approved refund that has become impossible is refused, and moves nothing', async () => {
  const { intentId } = await pay();
  const stored = await request({ intentId, amount: 900 });
  const key = await approve(stored);
  while ((await refund({ intentId, amount: 900, actor: null })) === 'done');
  expect(await refund({ intentId, amount: 900, key, actor: bobId! })).toMatch(/refund_exceeds_captured|not_refundable/);
});

test('an equal request while the end of an approved one is not known is that one', async () => {
  const { intentId } = await pay();
  const first = await request({ intentId, amount: 900 });
  await approve(first);
  // The answer was lost, and the requester presses again on a new page.
  expect(await request({ intentId, amount: 900 }, 'ann 2', 'another key')).toMatchObject({
    ...{ id: first.id, state: 'Approved' },
  });
  await query(`update four_eyes_requests set state = 'Done' where account_id = $1`);
  expect((await request({ intentId, amount: 900 }, 'ann 2', 'a third key')).id).not.toBe(first.id);
});

test('a repeated request is one, and its key is not taken by another', async () => {
  const { intentId } = await pay();
  const first = await request({ intentId, amount: 900 }, 'ann 1', 'k');
  expect((await request({ intentId, amount: 900 }, 'ann 1', 'k')).id).toBe(first.id);
  expect((await request({ intentId, amount: 900 }, 'ann 2', 'another key')).id).toBe(first.id);
  await expect(request({ intentId, amount: 901 }, 'ann 1', 'k')).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  const { requests } = await testEnvironment.database.read(shop.scope, (reader) =>
    listRequestsForSecondPerson(reader, { limit: 2 }),
  );
  const summary = { paymentIntentId: intentId, amount: 900, currency: 'GBP' };
  expect(requests).toMatchObject([{ summary, state: 'Waiting' }]);
  expect(bob).not.toBe(ann);
});
