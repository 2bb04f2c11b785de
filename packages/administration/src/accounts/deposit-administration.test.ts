import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PaymentIntentId } from '@pos/core/identity';
import { gbp } from '@pos/core/testing';
import { HOUR_MS } from '@pos/core/time';
import {
  bindBooking,
  claimBooking,
  endDepositClaims,
  findDepositClaim,
  putBooking,
  releaseBooking,
} from '@pos/store/tables';
import {
  claimDeposit,
  createPaidIntent,
  createTestAccount,
  createTestEnvironment,
  getOutcome,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '@pos/payments/testing';
import { type EposView, getHeldDeposit, releaseHeldDeposit } from './deposit-administration.js';

const CHANGE = { actor: 'anna', reason: 'ticket 21' };
const KEY = { kind: 'Party', serviceId: 'party-1' } as const;

let testEnvironment: TestEnvironment;
let account: TestAccount;
let payment: PaymentIntentId;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterAll(() => testEnvironment.close());

/** What has happened of the party when the operator looks: its creation, and the claim of its payment. */
type Scene = 'running' | 'unanswered' | 'refused' | 'created' | 'left' | 'forgotten';

/** A new account with a payment that is the deposit of a party. */
async function play(scene: Scene): Promise<void> {
  account = await createTestAccount(testEnvironment, {});
  payment = (await createPaidIntent(testEnvironment, account, { captureMode: 'Auto' })).intentId;
  await transactAs(testEnvironment, account, async (tx) => {
    const keepUntil = new Date(tx.now.getTime() + HOUR_MS);
    const deposit = { totalAmount: gbp(1_500), paymentIntentIds: [payment] };
    await putBooking(tx, KEY, keepUntil);
    const { lease } = await claimBooking(tx, KEY, { leaseMs: 60_000, keepUntil });
    await claimDeposit(tx, KEY.serviceId, { startTime: tx.now, deposit });
    if (scene === 'created') await bindBooking(tx, KEY, { eposId: 'e-1', keepUntil, requestedAt: null });
    if (scene !== 'running') await releaseBooking(tx, KEY, { lease, mayExist: scene !== 'refused' });
    if (scene === 'left') await endDepositClaims(tx, KEY.serviceId);
  });
  // The EPOS has given the id of the party to another one, which takes the row of the first.
  if (scene === 'forgotten')
    await transactAs(testEnvironment, account, (tx) =>
      tx.runWithManager('delete_bookings', (manager) =>
        manager.query('delete from epos_bookings where account_id = $1', [account.scope.accountId]),
      ),
    );
}

function release(eposShows?: EposView, paymentIntentId: string = payment): Promise<string> {
  return getOutcome(
    transactAs(testEnvironment, account, (tx) => releaseHeldDeposit(tx, CHANGE, { paymentIntentId, eposShows })),
  );
}

const isDeposit = async (): Promise<boolean> =>
  (await testEnvironment.database.read(account.scope, (reader) => findDepositClaim(reader, payment))) !== null;

test.each<[Scene, string]>([
  ['unanswered', 'Unanswered'],
  ['created', 'AtEpos'],
  ['forgotten', 'Deleted'],
])('a deposit whose party is %s is released only with what the EPOS shows', async (scene, state) => {
  await play(scene);
  expect(await testEnvironment.database.read(account.scope, (reader) => getHeldDeposit(reader, payment))).toMatchObject(
    {
      ...{ state, amount: gbp(1_500), partyId: scene === 'created' ? 'e-1' : null },
    },
  );
  expect([await release(), await isDeposit()]).toEqual(['validation_failed', true]);
  expect([await release('NoParty'), await isDeposit()]).toEqual(['done', false]);
  // It is free for another party.
  const deposit = { totalAmount: gbp(100), paymentIntentIds: [payment] };
  const other = transactAs(testEnvironment, account, (tx) =>
    claimDeposit(tx, 'party-2', { startTime: tx.now, deposit }),
  );
  expect(await getOutcome(other)).toBe('done');
});

test('a deposit of a party that was certainly not created needs no statement', async () => {
  await play('refused');
  expect([await release(), await isDeposit()]).toEqual(['done', false]);
});

test('nothing releases a deposit while a request about its party runs', async () => {
  await play('running');
  expect([await release('NoParty'), await isDeposit()]).toEqual(['idempotency_in_progress', true]);
});

test('nothing releases a deposit with which its party has left', async () => {
  await play('left');
  expect([await release('NoParty'), await isDeposit()]).toEqual(['validation_failed', true]);
});

test('what is no deposit is refused', async () => {
  await play('unanswered');
  expect(await release('PartyWithoutDeposit')).toBe('done');
  expect(await release('PartyWithoutDeposit')).toBe('validation_failed');
  expect(await release('PartyWithoutDeposit', 'party-1')).toBe('validation_failed');
});

test('the audit log keeps what the operator has seen, and what was known', async () => {
  await play('created');
  await release('PartyWithoutDeposit');
  const entries: unknown[] = await testEnvironment.database.dataSource.query(
    `select action, actor, subject, state_before, state_after from audit_entries where account_id = $1`,
    [account.scope.accountId],
  );
  expect(entries[0]).toMatchObject({
    ...{ action: 'ReleaseDeposit', actor: 'anna', subject: payment, state_after: { eposShows: 'PartyWithoutDeposit' } },
    state_before: { value: 1_500, currencyCode: 'GBP', partyId: 'e-1', state: 'AtEpos' },
  });
});
