import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FOUR_EYES_KEY_PREFIX, type FourEyesRequest } from '@pos/core/administration';
import type { MemberRole, PortalUserId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { gbp } from '@pos/core/testing';
import type { Database } from '@pos/store/database';
import {
  changePortalUserStatus,
  createPortalUser,
  grantPortalRole,
  revokePortalRole,
} from '../portal/portal-user-administration.js';
import {
  createTestAccount,
  createTestEnvironment,
  FULL_PERMISSIONS,
  getOutcome,
  type TestAccount,
  TestCardMachine,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';
import { decideFourEyesRequest, requestSecondPerson } from './four-eyes-requests.js';
import { type GiveBackTarget, refuseKeyAroundLimits, requireSecondPerson } from '@pos/payments/four-eyes';

const OPERATOR = { actor: 'operator', reason: 'a test' };
const VERSION = '2026-02-27';
const PATH = '/terminal-sessions';

let testEnvironment: TestEnvironment;
let owner: Database;
let shop: TestAccount;
let [ann, bob]: { readonly email: string; readonly id: PortalUserId }[] = [];
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  owner = await testEnvironment.testDatabase.open({ url: testEnvironment.testDatabase.ownerUrl });
});
afterAll(() => testEnvironment.close());
beforeEach(async () => {
  shop = await createTestAccount(testEnvironment, { fourEyes: { giveBacksAbove: { GBP: '500' }, hours: 24 } });
  [ann, bob] = [await createUser(), await createUser()];
});

let users = 0;
async function createUser(role: MemberRole = 'support') {
  const email = `giver${(users += 1)}@corner.example`;
  const user = { email, name: `giver ${users}`, password: 'correct horse battery 7', isOperator: false };
  const { id } = await createPortalUser(testEnvironment.database, OPERATOR, user);
  await grantPortalRole(testEnvironment.database, OPERATOR, { email, membership: { ...shop.scope, role } });
  return { email, id };
}

const query = (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  owner.dataSource.query(sql, [shop.scope.accountId, ...values]);

interface Sent {
  readonly amount: number;
  readonly currency?: string;
  readonly by?: PortalUserId | undefined;
  readonly key?: string;
  readonly terminal?: number;
  /** Runs between the check and the session. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A refund without a payment on a machine, as the API begins it. */
function giveBack({
  amount,
  currency = 'GBP',
  by = ann!.id,
  key = randomUUID(),
  terminal = 0,
  meanwhile,
}: Sent): Promise<string> {
  const idempotency = { method: 'POST', path: PATH, key, fingerprintInput: `{"amount":${amount}}` };
  const target = { kind: 'unlinked', amount: money(amount, currency) } as const;
  const request = { sessionType: 'UnlinkedRefund', amount: target.amount, cardHolderNotPresent: false } as const;
  return getOutcome(
    transactAs(testEnvironment, shop, async (tx) => {
      const caller = { actor: by, version: VERSION };
      const givenBackBy = await requireSecondPerson(tx, { caller, idempotency }, target);
      await meanwhile?.();
      const { id: terminalId } = shop.terminals[terminal]!;
      await testEnvironment.sessions.create(tx, FULL_PERMISSIONS, { ...request, terminalId, givenBackBy });
    }),
  );
}

/** Ends what runs on the machines, with this status. */
const end = (status: string) =>
  query(`update terminal_sessions set status = $2 where account_id = $1 and status = 'InitiateRequested'`, [status]);

function request(amount: number, session = 'ann 1'): Promise<FourEyesRequest> {
  const fingerprintInput = `{"amount":${amount}}`;
  const action = { operationId: 'createTerminalSession', method: 'POST', path: PATH, version: VERSION };
  const target: GiveBackTarget = { kind: 'unlinked', amount: gbp(amount) };
  return transactAs(testEnvironment, shop, (tx) =>
    requestSecondPerson(
      tx,
      { userId: ann!.id, sessionHash: session },
      { action: { ...action, body: fingerprintInput }, fingerprintInput, target, idempotencyKey: null },
    ),
  );
}

const decide = ({ id }: FourEyesRequest) =>
  decideFourEyesRequest(testEnvironment.database, shop.scope, {
    person: { userId: bob!.id, sessionHash: 'bob 1' },
    decision: { id, isApproved: true, reason: 'seen the receipt' },
  });

describe('what a user gives back without a payment counts together', () => {
  test('in parts, of each currency by itself, and of each user by itself', async () => {
    expect(await giveBack({ amount: 300 })).toBe('done');
    await end('Captured');
    expect(await giveBack({ amount: 201 })).toBe('second_person_needed');
    expect(await giveBack({ amount: 200 })).toBe('done');
    await end('Expired');
    expect(await giveBack({ amount: 1 })).toBe('second_person_needed');
    expect(await giveBack({ amount: 500, by: bob!.id })).toBe('done');
  });

  test('at the same moment on two machines', async () => {
    let report = (): void => undefined;
    const checked = new Promise<void>((resolve) => (report = resolve));
    const meanwhile = () => {
      report();
      return pause(500);
    };
    const first = giveBack({ amount: 300, meanwhile });
    await checked;
    const second = giveBack({ amount: 300, terminal: 1 });
    expect(await Promise.all([first, second])).toEqual(['done', 'second_person_needed']);
  });

  test('also from before the account had a limit', async () => {
    await query(`update accounts set settings = '{}' where account_id = $1`);
    expect(await giveBack({ amount: 900 })).toBe('done');
    await end('Captured');
    const settings = '{"fourEyes": {"giveBacksAbove": {"GBP": "500"}}}';
    await query('update accounts set settings = $2::jsonb where account_id = $1', [settings]);
    expect(await giveBack({ amount: 1 })).toBe('second_person_needed');
  });

  test.each(['Canceled', 'Declined'])(
    'but not what ended %s without money, unless it was booked late',
    async (status) => {
      expect(await giveBack({ amount: 500 })).toBe('done');
      await end(status);
      expect(await giveBack({ amount: 500 })).toBe('done');
      await end(status);
      await query(`update terminal_sessions set chain_head = '\\x00' where account_id = $1`);
      expect(await giveBack({ amount: 1 })).toBe('second_person_needed');
    },
  );

  test('for a day', async () => {
    expect(await giveBack({ amount: 500 })).toBe('done');
    await end('Captured');
    const move = (age: string) =>
      query('update terminal_sessions set created_at = created_at - $2::interval where account_id = $1', [age]);
    await move('23 hours 59 minutes');
    expect(await giveBack({ amount: 1 })).toBe('second_person_needed');
    await move('2 minutes');
    expect(await giveBack({ amount: 500 })).toBe('done');
  });

  test('without what programs give back, and what a second person has approved', async () => {
    const session = { sessionType: 'UnlinkedRefund', amount: gbp(900), cardHolderNotPresent: false } as const;
    const machine = await TestCardMachine.createSession(testEnvironment, shop, session);
    expect(machine.session.total).toEqual(gbp(900));
    await end('Captured');
    const key = `${FOUR_EYES_KEY_PREFIX}${(await decide(await request(900))).id}`;
    expect(await giveBack({ amount: 900, key, by: bob!.id })).toBe('done');
    await end('Captured');
    expect(await giveBack({ amount: 500, by: bob!.id })).toBe('done');
  });
});

test('equal requests at the same moment are one, and many newer ones do not hide it', async () => {
  const [first, ...others] = await Promise.all([request(900), request(900, 'ann 2'), request(900, 'ann 3')]);
  expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
  await query(
    `insert into four_eyes_requests (account_id, environment, id, version, action, action_hash, summary, repeat_key, state,
       requested_by, requester, reason, requested_at, expires_at)
     select account_id, environment, id || n, 1, action, '\\x00', summary, repeat_key || n, 'Waiting', requested_by,
       requester, reason, requested_at + interval '1 second', expires_at
     from four_eyes_requests, generate_series(1, 201) n where account_id = $1`,
  );
  expect((await request(900, 'ann 4')).id).toBe(first.id);
  // A request that has waited too long, or has ended, is not repeated: the user asks again.
  await query(`update four_eyes_requests set expires_at = now() where account_id = $1`);
  expect((await request(900)).id).not.toBe(first.id);
});

describe('an approval does nothing any more', () => {
  const disable = ({ email }: { readonly email: string }) =>
    changePortalUserStatus(testEnvironment.database, OPERATOR, { email, status: 'Disabled' });
  const makeViewer = ({ email }: { readonly email: string }) =>
    grantPortalRole(testEnvironment.database, OPERATOR, { email, membership: { ...shop.scope, role: 'viewer' } });
  const revoke = ({ email }: { readonly email: string }) =>
    revokePortalRole(testEnvironment.database, OPERATOR, { email, scope: shop.scope });

  test.each<[string, () => Promise<unknown>]>([
    ['the requester is disabled', () => disable(ann!)],
    ['the approver is disabled', () => disable(bob!)],
    ['the requester may only read', () => makeViewer(ann!)],
    ['the approver may only read', () => makeViewer(bob!)],
    ['the requester has no role in the account', () => revoke(ann!)],
    ['the approver has no role in the account', () => revoke(bob!)],
  ])('once %s', async (_, change) => {
    const key = `${FOUR_EYES_KEY_PREFIX}${(await decide(await request(900))).id}`;
    const { id: carl } = await createUser();
    await change();
    expect(await giveBack({ amount: 900, key, by: carl })).toBe('second_person_needed');
  });

  test('but it does while both may', async () => {
    const key = `${FOUR_EYES_KEY_PREFIX}${(await decide(await request(900))).id}`;
    const { id: carl } = await createUser();
    expect(await giveBack({ amount: 900, key, by: carl })).toBe('done');
  });
});

describe('a production key that gives money back', () => {
  const create = (
    environment: 'production' | 'sandbox',
    by: PortalUserId | undefined,
    permissions: ['payments.refund' | 'payments.read'],
  ) =>
    getOutcome(
      testEnvironment.database.transact({ ...shop.scope, environment }, (tx) =>
        refuseKeyAroundLimits(tx, by === undefined ? {} : { actor: by }, permissions),
      ),
    );

  test('is not created by a user of an account with a limit', async () => {
    expect(await create('production', ann!.id, ['payments.refund'])).toBe('permission_missing');
    expect(await create('production', ann!.id, ['payments.read'])).toBe('done');
    expect(await create('sandbox', ann!.id, ['payments.refund'])).toBe('done');
    expect(await create('production', undefined, ['payments.refund'])).toBe('done');
    shop = await createTestAccount(testEnvironment);
    expect(await create('production', ann!.id, ['payments.refund'])).toBe('done');
  });
});
