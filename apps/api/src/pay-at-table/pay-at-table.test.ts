import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/pay-at-table';
import { gbp } from '@pos/core/testing';
import { ROLES } from '@pos/core/permissions';
import { MERCHANT_ID } from '../acquirer/testing.js';
import { ApiWorld, jsonOf } from '../testing.js';
import { heldLease, pendingPayment, silentRefund } from './testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const SETTLE = { action: 'SettleAsListed', note: 'the list of the acquirer' };

const resolve = (paymentId: string, action: 'MarkRecorded' | 'GiveBack' | 'RetryNow', note = 'seen at the till') =>
  world.client()(rest.resolvePendingPayment, { params: { paymentId }, body: { action, note } });

const listed = async (): Promise<readonly string[]> =>
  (await world.client()(rest.listPendingPayments, {})).map(({ paymentId }) => paymentId);

const leases = async (): Promise<readonly string[]> =>
  (await world.client()(rest.listTableLeases, {})).map(({ leaseId }) => leaseId);

async function callsAbout(subject: string | null): Promise<rest.TableOperatorCall[]> {
  const { data } = await world.client()(rest.listTableOperatorCalls, { query: { limit: 100 } });
  return data.filter((each) => each.subject === subject);
}

/** The deadlines that something waits for, and whether their time has come. */
async function dueOf(subject: string): Promise<readonly string[]> {
  const rows = await world.look<{ kind: string; is_due: boolean }>(
    'select kind, due_at <= clock_timestamp() as is_due from timers where subject = $1 order by kind',
    [subject],
  );
  return rows.map(({ kind, is_due: isDue }) => `${kind} ${isDue ? 'now' : 'later'}`);
}

test.each([
  // what is decided        then            on the list    its deadlines
  ['MarkRecorded', 'Recorded', false],
  ['GiveBack', 'GivingBack', true],
  ['RetryNow', 'RecordUnknown', true],
] as const)('an unanswered payment is decided by %s: it is %s', async (action, state, isListed) => {
  const { id } = await pendingPayment(world);
  const answer = await resolve(id, action);
  expect(answer).toMatchObject({ paymentId: id, state, baseAmount: 2_000, attempts: 1 });
  expect((await listed()).includes(id)).toBe(isListed);
  expect(await callsAbout(id)).toMatchObject([
    {
      ...{ action, note: 'seen at the till', outcome: 'Done', confirmed: false },
      ...{ stateBefore: 'RecordUnknown', stateAfter: state, keyId: expect.stringMatching(/^key_/) },
    },
  ]);
});

test.each(['GiveBack', 'RetryNow'] as const)('what %s asks for is due for a gateway at once', async (action) => {
  const { id } = await pendingPayment(world);
  await resolve(id, action);
  expect(await dueOf(id)).toEqual(['table-payment now']);
});

test('money that is recorded by hand is open on its lease no more', async () => {
  const { id, leaseId } = await pendingPayment(world);
  await resolve(id, 'MarkRecorded');
  const lease = (await world.client()(rest.listTableLeases, {})).find((each) => each.leaseId === leaseId);
  expect(lease).toMatchObject({ state: 'Held', openPayments: 0, waiterId: 42, owner: '90000001' });
});

test('of a refund on a silent card machine the acquirer is asked again at once', async () => {
  const id = await silentRefund(world);
  await world.look(
    `update timers set due_at = clock_timestamp() + interval '1 hour' where kind = 'acquirer-call' returning subject`,
  );
  expect(await resolve(id, 'RetryNow')).toMatchObject({ paymentId: id, state: 'Expired', baseAmount: 500 });
  const [call] = await world.look<{ reference: string }>(
    'select reference from acquirer_calls where terminal_session_id = $1',
    [id],
  );
  expect(await dueOf(call?.reference ?? '')).toEqual(['acquirer-call now']);
  expect(await listed()).toContain(id);
  expect(await callsAbout(id)).toMatchObject([{ action: 'RetryNow', outcome: 'Done' }]);
});

test('a refund on a silent card machine is settled as the acquirer lists it', async () => {
  const id = await silentRefund(world);
  const refused = await world.send('POST', `/pay-at-table/pending/${id}/resolve`, { body: SETTLE });
  expect(await world.refusalOf(refused)).toBe('pending_payment_not_decidable');
  expect(await listed()).toContain(id);
  const [call] = await world.look<{ reference: string; original_reference: string }>(
    'select reference, original_reference from acquirer_calls where terminal_session_id = $1',
    [id],
  );
  await world.acquirer.door.refundAtMachine({
    ...{ reference: call!.reference, originalReference: null, merchantId: MERCHANT_ID, terminalId: '90000001' },
    ...{ amount: gbp(500), verdict: null },
    card: { number: '4456530000091014', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A GUEST' },
  });
  const settled = await world.send('POST', `/pay-at-table/pending/${id}/resolve`, { body: SETTLE });
  expect([settled.status, jsonOf(settled)]).toMatchObject([200, { paymentId: id, state: 'Settled', alarm: false }]);
  expect(await listed()).not.toContain(id);
  const [intent] = await world.look<{ refunded: number; pending_refund: number }>(
    `select refunded, pending_refund from payment_intents
     where id = (select intent_id from acquirer_calls where reference = $1)`,
    [call!.reference],
  );
  expect(intent).toEqual({ refunded: 500, pending_refund: 0 });
  expect((await callsAbout(id)).map(({ outcome, refusal }) => refusal ?? outcome)).toEqual([
    ...['Done', 'pending_payment_not_decidable', 'Done'],
  ]);
});

test('what an EPOS has missed is told to it once more, and that stands in the audit log', async () => {
  const capabilities = [{ name: 'HandleEvent:payment_intent.created', version: 'v1' }];
  await world.send('PUT', '/epos/integrations/ws', { body: { capabilities } });
  await world.intentIn('Created');
  await world.look(`update deliveries set state = 'DeadLettered' where subscription_id is null returning id`, []);
  const replay = (body: object) => world.client()(rest.replayEposEvents, { body: { note: 'out of order', ...body } });
  const before = new Date(Date.now() - 3_600_000).toISOString();
  expect(await replay({ to: before })).toEqual({ queued: 0 });
  expect(await replay({ from: before })).toEqual({ queued: 1 });
  expect(await replay({})).toEqual({ queued: 0 });
  const { data } = await world.client()(rest.listTableOperatorCalls, { query: { limit: 3 } });
  const action = 'ReplayEposEvents';
  expect(data).toMatchObject(
    ['0 queued', '1 queued', '0 queued'].map((stateAfter) => ({ action, note: 'out of order', stateAfter })),
  );
  expect(data[1]?.subject.startsWith(`${before}/`)).toBe(true);
  await world.send('DELETE', '/epos/integrations/ws', {});
});

test('a lease that is taken away is gone from the list, and a gateway unlocks at once', async () => {
  const { leaseId } = await heldLease(world);
  expect(await leases()).toContain(leaseId);
  const params = { leaseId };
  const answer = await world.client()(rest.releaseTableLease, { params, body: { reason: 'dropped' } });
  expect(answer).toMatchObject({ leaseId, state: 'Forced' });
  expect(await leases()).not.toContain(leaseId);
  expect(await dueOf(leaseId)).toEqual(['session-lease now']);
  expect(await callsAbout(leaseId)).toMatchObject([
    { action: 'ReleaseLease', note: 'dropped', stateBefore: 'Held', stateAfter: 'Forced' },
  ]);
});

test('a lease with open money is taken away once that is confirmed, and its payment goes on', async () => {
  const { id, leaseId } = await pendingPayment(world);
  const path = `/pay-at-table/leases/${leaseId}/release`;
  const refused = await world.send('POST', path, { body: { reason: 'dropped' } });
  expect([refused.status, await world.refusalOf(refused)]).toEqual([409, 'lease_money_open']);
  const forced = await world.send('POST', path, { body: { reason: 'dropped', confirm: true } });
  expect(jsonOf(forced)).toMatchObject({ state: 'Forced', openPayments: 1 });
  expect(await listed()).toContain(id);
  expect((await callsAbout(leaseId)).map(({ outcome, refusal, confirmed }) => [outcome, refusal, confirmed])).toEqual([
    ['Done', undefined, true],
    ['Refused', 'lease_money_open', false],
  ]);
  expect(await resolve(id, 'MarkRecorded')).toMatchObject({ state: 'Recorded' });
});

test('a decision that is refused is kept, one about nothing is not', async () => {
  const { id } = await pendingPayment(world, { isOurs: false });
  const body = { action: 'GiveBack', note: 'the guest wants it' };
  expect((await world.send('POST', `/pay-at-table/pending/${id}/resolve`, { body })).status).toBe(409);
  expect(await callsAbout(id)).toMatchObject([
    { action: 'GiveBack', outcome: 'Refused', refusal: 'pending_payment_not_decidable' },
  ]);
  const unknown = randomUUID();
  expect((await world.send('POST', `/pay-at-table/pending/${unknown}/resolve`, { body })).status).toBe(404);
  expect(await callsAbout(unknown)).toEqual([]);
});

test('a repeat under the same key decides once', async () => {
  const { id } = await pendingPayment(world);
  const sent = { body: { action: 'GiveBack', note: 'twice' }, headers: { idempotencyKey: randomUUID() } };
  const path = `/pay-at-table/pending/${id}/resolve`;
  const [first, second] = [await world.send('POST', path, sent), await world.send('POST', path, sent)];
  expect(second.text).toBe(first.text);
  expect(await callsAbout(id)).toHaveLength(1);
});

test('the audit log of an account is its own, and a page leads to the next', async () => {
  const { id } = await pendingPayment(world);
  for (const action of ['RetryNow', 'GiveBack', 'RetryNow'] as const) await resolve(id, action);
  const stranger = await world.client(world.keys.foreign)(rest.listTableOperatorCalls, { query: {} });
  expect(stranger.data).toEqual([]);
  const pages: rest.TableOperatorCall[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(after);
    pages.push(...page.data);
    ({ after } = page);
  } while (after !== null);
  expect(new Set(pages.map((each) => each.id)).size).toBe(pages.length);
  expect(pages.filter(({ subject }) => subject === id).map(({ stateAfter }) => stateAfter)).toEqual([
    ...['GivingBack', 'GivingBack', 'RecordUnknown'],
  ]);
});

const read = (after: string | null) =>
  world.client()(rest.listTableOperatorCalls, { query: { limit: 2, ...(after !== null && { after }) } });

test('a key without tables.operate decides nothing', async () => {
  const { id } = await pendingPayment(world);
  const key = await world.addKey(world.sandbox, undefined, ROLES['read-only']);
  const body = { action: 'GiveBack', note: 'x' };
  expect((await world.send('POST', `/pay-at-table/pending/${id}/resolve`, { key, body })).status).toBe(403);
  expect(await callsAbout(id)).toEqual([]);
});
