import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { CreatedApiKey } from '@pos/rest-contracts/accounts';
import { isLongRun } from '@pos/testing';
import { ApiTestEnvironment, GBP_20, parseJson } from '../../testing/api-test-environment.js';
import {
  type BookingAccount,
  BookingRequests,
  createPartyBody,
  createReservationBody,
  PARTIES_PATH,
  RESERVATIONS_PATH,
} from '../../testing/booking-requests.js';
import { TestEposGateway } from '../../testing/epos/test-epos-gateway.js';

/** Races that are repeated, because each has its own order. */
const ROUNDS = isLongRun ? 4 : 1;

let gateway: TestEposGateway;
let testEnvironment: ApiTestEnvironment;
let account: BookingAccount;
beforeAll(async () => {
  gateway = await TestEposGateway.open();
  testEnvironment = await ApiTestEnvironment.open(gateway.settings);
  const { sandbox, keys } = testEnvironment;
  const epos = await gateway.openRestaurant(testEnvironment, sandbox);
  account = { scope: sandbox, key: keys.full, epos };
});
afterAll(async () => {
  await testEnvironment.close();
  await gateway.close();
});

/** The status of an answer, and the reason of a refusal. */
type Outcome = readonly [status: number, reason: unknown];
const IS_DEPOSIT: Outcome = [409, 'payment_intent_is_deposit'];
const UNANSWERED: Outcome = [504, 'epos_unanswered'];

async function send(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, idempotencyKey }: { readonly body?: object; readonly idempotencyKey?: string } = {},
): Promise<{ readonly outcome: Outcome; readonly id: string }> {
  const headers = { idempotencyKey: idempotencyKey ?? randomUUID() };
  const answer = await testEnvironment.sendRequest(method, path, { key: account.key, body, headers });
  if (answer.status < 300)
    return { outcome: [answer.status, null], id: answer.text === '' ? '' : (parseJson(answer) as { id: string }).id };
  return { outcome: [answer.status, await testEnvironment.findRefusal(answer)], id: '' };
}

let guests = 0;
/** A party at a table of its own. */
function createBody(ids: readonly string[], more: object = {}) {
  const deposit = { totalAmount: { ...GBP_20, value: 1_500 }, paymentIntentIds: ids };
  return createPartyBody({ ...(ids.length > 0 && { deposit }), ...more });
}

/** Creates a party whose table is free; with a key the same one at each call. */
async function create(ids: readonly string[], idempotencyKey?: string) {
  const { bookings } = account.epos.data;
  const current = bookings.listParties().filter(({ endTime }) => endTime === undefined);
  if (idempotencyKey === undefined) for (const { id } of current) bookings.deleteParty(id);
  guests += 1;
  const body = createBody(ids, { name: idempotencyKey ?? `Guest ${guests}` });
  return send('POST', PARTIES_PATH, { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
}

const update = (id: string, ids: readonly string[], more: object = {}) =>
  send('PUT', `${PARTIES_PATH}/${id}`, { body: createBody(ids, { status: 'Seated', ...more }) });
const pay = () => testEnvironment.createIntentIn('Captured');
const fail = (method: 'CreateParty' | 'UpdateParty', effect: 'answer-lost' | 'no-answer' | 'refuse') =>
  account.epos.faults.replaceFaults([
    { method, times: 1, ...(effect === 'refuse' ? { effect, code: 'Conflict' as const } : { effect }) },
  ]);
const countCalls = (name: string) => account.epos.listCalls().filter(({ method }) => method === name).length;

/** Whether a payment is free to be the deposit of another party. */
async function isFree(id: string): Promise<boolean> {
  const sql = 'select service_id from deposit_claims where intent_id = $1';
  return (await testEnvironment.queryRows(sql, [id])).length === 0;
}

describe('two parties that name one payment', () => {
  test('at once: one is created, and the EPOS receives no other', async () => {
    const id = await pay();
    const before = countCalls('CreateParty');
    const requests = Array.from({ length: 6 }, (_, at) => ({
      body: createBody([id], { tableIds: [`t-U${at + 1}`] }),
      idempotencyKey: randomUUID(),
    }));
    const answers = await Promise.all(requests.map((request) => send('POST', PARTIES_PATH, request)));
    const received = requests.filter((_, at) => !isDeepStrictEqual(answers[at]?.outcome, IS_DEPOSIT));
    expect(received).toHaveLength(1);
    expect(countCalls('CreateParty')).toBe(before + 1);
    // A repeat gets the same answer. On a busy machine the EPOS may have answered later than the gateway waits.
    expect((await send('POST', PARTIES_PATH, received[0])).outcome).toEqual([200, null]);
  });

  test('one of which has no answer yet: the payment stays with it', async () => {
    const id = await pay();
    await create([]);
    account.epos.data.bookings.listParties().forEach(({ id: party }) => account.epos.data.bookings.deleteParty(party));
    fail('CreateParty', 'answer-lost');
    expect((await create([id], 'Unanswered')).outcome).toEqual(UNANSWERED);
    expect((await send('POST', PARTIES_PATH, { body: createBody([id]) })).outcome).toEqual(IS_DEPOSIT);
    expect((await create([id], 'Unanswered')).outcome).toEqual([200, null]);
    expect((await send('POST', PARTIES_PATH, { body: createBody([id]) })).outcome).toEqual(IS_DEPOSIT);
  });

  test('one of which the EPOS refuses: the payment is free again', async () => {
    const id = await pay();
    fail('CreateParty', 'refuse');
    expect((await create([id])).outcome).toEqual([409, 'booking_refused']);
    expect((await create([id])).outcome).toEqual([200, null]);
  });

  test('one of which may exist, although the EPOS refuses its repeat: the payment stays with it', async () => {
    const id = await pay();
    await create([]);
    account.epos.data.bookings.listParties().forEach(({ id: party }) => account.epos.data.bookings.deleteParty(party));
    fail('CreateParty', 'no-answer');
    expect((await create([id], 'Slow')).outcome).toEqual(UNANSWERED);
    // The first request may have taken the table meanwhile.
    fail('CreateParty', 'refuse');
    expect((await create([id], 'Slow')).outcome).toEqual([409, 'booking_refused']);
    expect((await create([id])).outcome).toEqual(IS_DEPOSIT);
  });

  test('one of which is deleted: the payment is free again', async () => {
    const id = await pay();
    const party = await create([id]);
    expect((await send('DELETE', `${PARTIES_PATH}/${party.id}`)).outcome).toEqual([204, null]);
    expect((await create([id])).outcome).toEqual([200, null]);
  });
});

describe('a creation without an idempotency key', () => {
  test('is refused if it has a deposit: nothing could free the payments after a lost answer', async () => {
    const id = await pay();
    const before = countCalls('CreateParty');
    const body = createBody([id], { tableIds: ['t-U6'] });
    const answer = await testEnvironment.sendRequest('POST', PARTIES_PATH, { key: account.key, body });
    expect([answer.status, parseJson(answer)]).toMatchObject([
      400,
      { reason: 'idempotency_key_invalid', errors: { idempotencyKey: ['Is required with a deposit.'] } },
    ]);
    expect([await isFree(id), countCalls('CreateParty')]).toEqual([true, before]);
  });
});

describe('a deposit that is misspelt', () => {
  test.each(['POST', 'PUT'] as const)(
    'is refused for a strict key by %s, and so is one that is named twice',
    async (method) => {
      const strict = { label: 'strict', role: 'full' };
      const created = await testEnvironment.sendRequest('POST', '/api-keys', { body: strict });
      const { key = '' } = CreatedApiKey.parse(parseJson(created));
      const deposit = { totalAmount: GBP_20, paymentIntentIds: [await pay()] };
      const path = method === 'POST' ? PARTIES_PATH : `${PARTIES_PATH}/p-1`;
      const body = createPartyBody({ ...(method === 'PUT' && { status: 'Seated' }) });
      const send = (sent: object | string) =>
        testEnvironment.sendRequest(method, path, { key, headers: { idempotencyKey: randomUUID() }, body: sent });
      const misspelt = await send({ ...body, deposits: deposit });
      expect([misspelt.status, parseJson(misspelt)['errors']]).toMatchObject([
        400,
        { deposits: ['Is not a member of this request. Is `deposit` meant?'] },
      ]);
      const once = JSON.stringify({ ...body, deposit });
      const other = JSON.stringify({ ...deposit, totalAmount: { ...GBP_20, value: 1 } });
      const twice = await send(`${once.slice(0, -1)},"deposit":${other}}`);
      expect([twice.status, Object.keys(parseJson(twice)['errors'] as object)]).toEqual([400, ['deposit']]);
    },
  );
});

describe('a party that changes', () => {
  test('keeps the payments that it names, and frees the others', async () => {
    const [kept, removed, added] = [await pay(), await pay(), await pay()];
    const { id } = await create([kept]);
    // More than one of them covers.
    const change = (...paymentIntentIds: string[]) =>
      update(id, [], { deposit: { totalAmount: { ...GBP_20, value: 3_000 }, paymentIntentIds } });
    expect((await change(kept, removed)).outcome).toEqual([200, null]);
    expect((await change(kept, added)).outcome).toEqual([200, null]);
    expect([await isFree(kept), await isFree(removed), await isFree(added)]).toEqual([false, true, false]);
    expect((await create([added])).outcome).toEqual(IS_DEPOSIT);
    expect((await update(id, [])).outcome).toEqual([404, 'party_not_found']);
  });

  test('without its deposit frees it', async () => {
    const paid = await pay();
    const { id } = await create([paid]);
    expect((await update(id, [])).outcome).toEqual([200, null]);
    expect(await isFree(paid)).toBe(true);
  });

  test('has both deposits while the EPOS does not answer, and the old one if it refuses', async () => {
    const [old, added] = [await pay(), await pay()];
    const { id } = await create([old]);
    fail('UpdateParty', 'refuse');
    expect((await update(id, [added])).outcome).toEqual([409, 'booking_refused']);
    expect([await isFree(old), await isFree(added)]).toEqual([false, true]);
    fail('UpdateParty', 'no-answer');
    expect((await update(id, [added])).outcome).toEqual(UNANSWERED);
    expect([await isFree(old), await isFree(added)]).toEqual([false, false]);
    expect((await update(id, [added])).outcome).toEqual([200, null]);
    expect([await isFree(old), await isFree(added)]).toEqual([true, false]);
  });

  test('by two requests at once has the deposit of the one whose change the EPOS receives', async () => {
    const [one, two] = [await pay(), await pay()];
    const { id } = await create([]);
    account.epos.faults.replaceFaults([{ method: 'UpdateParty', effect: 'slow', delayMs: 600, times: 1 }]);
    const before = countCalls('UpdateParty');
    const answers = await Promise.all([update(id, [one]), update(id, [two])]);
    const outcomes = answers.map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual([
      [200, null],
      [409, 'idempotency_in_progress'],
    ]);
    expect(countCalls('UpdateParty')).toBe(before + 1);
    expect([await isFree(one), await isFree(two)]).toEqual(outcomes.map(([status]) => status !== 200));
  });

  test('by leaving keeps its deposit, also when it is deleted afterwards', async () => {
    const paid = await pay();
    const { id } = await create([paid]);
    expect((await update(id, [], { endTime: '2030-01-01T20:30:00.000Z' })).outcome).toEqual([200, null]);
    expect((await send('DELETE', `${PARTIES_PATH}/${id}`)).outcome).toEqual([204, null]);
    expect((await create([paid])).outcome).toEqual(IS_DEPOSIT);
    const refund = { key: account.key, headers: { idempotencyKey: 'left' }, body: { amount: 2_000 } };
    const refunded = await testEnvironment.sendRequest('POST', `/payment-intents/${paid}/refunds`, refund);
    expect(refunded.status).toBe(200);
  });

  test('by leaving with another deposit frees the first one', async () => {
    const [first, second] = [await pay(), await pay()];
    const { id } = await create([first]);
    expect((await update(id, [second], { endTime: '2030-01-01T20:30:00.000Z' })).outcome).toEqual([200, null]);
    expect([await isFree(first), await isFree(second)]).toEqual([true, false]);
    expect((await update(id, [])).outcome).toEqual([200, null]);
    expect(await isFree(second)).toBe(false);
  });
});

describe('a party that the EPOS does not have any more', () => {
  const missing: Outcome = [404, 'party_not_found'];
  const requests = [
    ['deleted', (id: string) => send('DELETE', `${PARTIES_PATH}/${id}`)],
    ['changed', (id: string) => update(id, [], { startTime: '2031-01-01T19:00:00.000Z' })],
  ] as const;

  test.each(requests)('frees its payments when it is %s before it was expected', async (_, request) => {
    const paid = await pay();
    const { id } = await create([paid]);
    account.epos.data.bookings.deleteParty(id);
    expect((await request(id)).outcome).toEqual(missing);
    expect(await isFree(paid)).toBe(true);
    expect((await create([paid])).outcome).toEqual([200, null]);
  });

  test.each(requests)('keeps its payments when it is %s later: it may have left with its bill', async (_, request) => {
    const paid = await pay();
    const { id } = await create([paid]);
    // Its last answered change says that it has come; a later one without an answer does not change that.
    expect((await update(id, [paid], { startTime: '2026-01-01T19:00:00.000Z' })).outcome).toEqual([200, null]);
    fail('UpdateParty', 'no-answer');
    expect((await update(id, [paid])).outcome).toEqual(UNANSWERED);
    account.epos.data.bookings.deleteParty(id);
    expect((await request(id)).outcome).toEqual(missing);
    expect(await isFree(paid)).toBe(false);
  });

  test('frees its payments when an unanswered deletion is repeated', async () => {
    const paid = await pay();
    const { id } = await create([paid]);
    account.epos.faults.replaceFaults([{ method: 'DeletePartyById', effect: 'answer-lost', times: 1 }]);
    expect((await send('DELETE', `${PARTIES_PATH}/${id}`)).outcome).toEqual(UNANSWERED);
    expect(await isFree(paid)).toBe(false);
    expect((await send('DELETE', `${PARTIES_PATH}/${id}`)).outcome).toEqual(missing);
    expect(await isFree(paid)).toBe(true);
  });
});

describe('a party that was created at the EPOS', () => {
  test('gets a deposit by a change, and has it after the next one', async () => {
    const paid = await pay();
    const { id } = await create([]);
    await testEnvironment.queryRows('delete from epos_bookings where epos_id = $1 returning 1', [id]);
    await testEnvironment.queryRows('delete from epos_booking_owners where epos_id = $1 returning 1', [id]);
    expect((await update(id, [paid])).outcome).toEqual([200, null]);
    expect((await update(id, [paid])).outcome).toEqual([200, null]);
    expect((await create([paid])).outcome).toEqual(IS_DEPOSIT);
  });

  test('is changed by a repeat of a key, although another change has stored its id since', async () => {
    const paid = await pay();
    const { id } = await create([]);
    await testEnvironment.queryRows('delete from epos_bookings where epos_id = $1 returning 1', [id]);
    await testEnvironment.queryRows('delete from epos_booking_owners where epos_id = $1 returning 1', [id]);
    const request = () =>
      send('PUT', `${PARTIES_PATH}/${id}`, { body: createBody([paid], { status: 'Seated' }), idempotencyKey: 'again' });
    const { epos } = account;
    const { findProxyStatus } = epos;
    epos.findProxyStatus = () => 401;
    expect((await request()).outcome).toEqual([503, 'epos_unreachable']);
    epos.findProxyStatus = findProxyStatus;
    expect((await update(id, [])).outcome).toEqual([200, null]);
    expect((await request()).outcome).toEqual([200, null]);
    expect(await isFree(paid)).toBe(false);
    expect((await update(id, [])).outcome).toEqual([200, null]);
    expect(await isFree(paid)).toBe(true);
  });

  test('and that the EPOS does not have leaves nothing behind', async () => {
    const paid = await pay();
    expect((await update('party-of-nobody', [paid])).outcome).toEqual([404, 'party_not_found']);
    expect(await isFree(paid)).toBe(true);
    const sql = `select service_id from epos_bookings where epos_id = $1
      union select service_id from epos_booking_owners where epos_id = $1`;
    expect(await testEnvironment.queryRows(sql, ['party-of-nobody'])).toEqual([]);
  });
});

test('the money of a deposit is returned only after the party has given it up', async () => {
  const paid = await pay();
  const { id } = await create([paid]);
  const refund = async (idempotencyKey: string) => {
    const request = { key: account.key, headers: { idempotencyKey }, body: { amount: 501 } };
    const answer = await testEnvironment.sendRequest('POST', `/payment-intents/${paid}/refunds`, request);
    return answer.status;
  };
  expect(await refund('before')).toBe(409);
  await update(id, []);
  expect(await refund('after')).toBe(200);
});

describe('two equal creations without an answer', () => {
  const bookings = new BookingRequests(
    () => testEnvironment,
    () => gateway,
  );

  test.each([
    [RESERVATIONS_PATH, 'CreateReservation', createReservationBody()],
    [PARTIES_PATH, 'CreateParty', createPartyBody()],
  ] as const)('at %s do not get one booking when they are repeated at once', async (path, method, body) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await bookings.createAccount(EPOS_CAPABILITIES);
      const request = (idempotencyKey: string) =>
        testEnvironment.sendRequest('POST', path, { key: own.key, headers: { idempotencyKey }, body });
      own.epos.faults.replaceFaults([{ method, effect: 'answer-lost', times: 1 }]);
      expect((await request('one')).status).toBe(504);
      own.epos.faults.replaceFaults([{ method, effect: 'no-answer', times: 1 }]);
      expect((await request('two')).status).toBe(504);
      const answers = await Promise.all([request('one'), request('two')]);
      const ids = answers
        .filter(({ status }) => status === 200)
        .map((answer) => (parseJson(answer) as { id: string }).id);
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('keep it with the first one that has it', async () => {
    const own = await bookings.createAccount(EPOS_CAPABILITIES);
    const request = (idempotencyKey: string) =>
      testEnvironment.sendRequest('POST', RESERVATIONS_PATH, {
        ...{ key: own.key, headers: { idempotencyKey }, body: createReservationBody() },
      });
    own.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    await request('one');
    own.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'no-answer', times: 1 }]);
    await request('two');
    const found = await request('two');
    expect(found.status).toBe(200);
    // The EPOS answers the other one with the booking that it has for its id.
    const refused = await request('one');
    expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual(UNANSWERED);
    expect((await request('two')).text).toBe(found.text);
  });
});
