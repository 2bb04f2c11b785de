import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import { ROLES } from '@pos/core/identity';
import { listAreas, listTables } from '@pos/rest-contracts/bookings';
import * as bookingsOperations from '@pos/rest-contracts/bookings';
import { submitOrder } from '@pos/rest-contracts/orders';
import { findOrderPlacement } from '@pos/store/tables';
import { defineInLongRun } from '@pos/testing';
import { ApiTestEnvironment, GBP_20, parseJson } from '../../testing/api-test-environment.js';
import {
  type BookingAccount,
  BookingRequests,
  createPartyBody,
  createReservationBody,
  PARTIES_PATH,
  RESERVATIONS_PATH,
} from '../../testing/booking-requests.js';
import { ORDER_BODY } from '../../testing/order-requests.js';
import { TestEposGateway } from '../../testing/epos/test-epos-gateway.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

let gateway: TestEposGateway;
let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  gateway = await TestEposGateway.open();
  testEnvironment = await ApiTestEnvironment.open(gateway.settings);
});
afterAll(async () => {
  await testEnvironment.close();
  await gateway.close();
});

const bookings = new BookingRequests(
  () => testEnvironment,
  () => gateway,
);
const countCalls = ({ epos }: BookingAccount, name: string) =>
  epos.listCalls().filter(({ method }) => method === name).length;

type StoredReservations = readonly ReturnType<BookingAccount['epos']['data']['bookings']['listReservations']>[number][];

async function listEvents({ scope }: BookingAccount): Promise<unknown[]> {
  const sql = `select convert_from(body, 'UTF8')::jsonb as body from events where account_id = $1 order by number, recorded_at`;
  const rows = await testEnvironment.queryRows<{ body: { event: string; data: object } }>(sql, [scope.accountId]);
  return rows.map(({ body: { event, data } }) => [event, data]);
}

describe('a reservation', () => {
  test('is created, read, changed, listed and cancelled; its events contain its id only', async () => {
    const account = await bookings.createAccount();
    const call = testEnvironment.createClient(account.key);
    const body = createReservationBody(1, { guestRequests: 'a quiet corner' });
    const created = await call(bookingsOperations.createReservation, { body });
    expect(created).toEqual({ id: created.id, ...body });
    const params = { reservationId: created.id };
    const larger = createReservationBody(1, { covers: 5 });
    const changed = await call(bookingsOperations.updateReservation, { params, body: larger });
    expect(changed).toEqual({ id: created.id, ...larger });
    expect(await call(bookingsOperations.getReservation, { params })).toEqual(changed);
    const list = (query: object) => call(bookingsOperations.listReservations, { query });
    expect(await list({ from: '2030-01-01T00:00:00Z', to: '2030-01-02T00:00:00Z' })).toEqual({
      ...{ data: [changed], before: null, after: null },
    });
    expect((await list({ from: '2030-01-02T00:00:00Z' })).data).toEqual([]);
    await call(bookingsOperations.deleteReservation, { params });
    expect((await list({})).data).toEqual([]);
    const event = ['reservation.updated', { reservationId: created.id }];
    expect(await listEvents(account)).toEqual([event, event, event]);
  });

  testLong('a page of reservations leads to the next one', async () => {
    const account = await bookings.createAccount();
    const call = testEnvironment.createClient(account.key);
    for (const day of [1, 2, 3]) await call(bookingsOperations.createReservation, { body: createReservationBody(day) });
    const first = await call(bookingsOperations.listReservations, { query: { limit: 2 } });
    expect([first.data.length, first.before]).toEqual([2, null]);
    const second = await call(bookingsOperations.listReservations, { query: { limit: 2, after: first.after ?? '' } });
    expect([second.data.length, second.after]).toEqual([1, null]);
  });

  test('a reservation that cannot be read is left out of the list and counted', async () => {
    const account = await bookings.createAccount();
    const call = testEnvironment.createClient(account.key);
    await call(bookingsOperations.createReservation, { body: createReservationBody(1) });
    const list = account.epos.data.bookings;
    const [stored] = list.listReservations();
    list.restore({ ...list.getState(), reservations: [{ ...stored!, tableIds: [] }] });
    expect(await call(bookingsOperations.listReservations, {})).toMatchObject({ data: [], unreadableCount: 1 });
  });
});

describe('a creation with an idempotency key', () => {
  const sendCreation = ({ key }: BookingAccount, idempotencyKey: string, path = RESERVATIONS_PATH) =>
    testEnvironment.sendRequest('POST', path, {
      ...{ key, headers: { idempotencyKey } },
      body: path === RESERVATIONS_PATH ? createReservationBody() : createPartyBody(),
    });

  test.each([
    [RESERVATIONS_PATH, 'CreateReservation'],
    [PARTIES_PATH, 'CreateParty'],
  ] as const)('at %s whose answer was lost is not sent again', async (path, method) => {
    const account = await bookings.createAccount();
    account.epos.faults.replaceFaults([{ method, effect: 'answer-lost', times: 1 }]);
    const lost = await sendCreation(account, 'first', path);
    expect([lost.status, await testEnvironment.findRefusal(lost)]).toEqual([504, 'epos_unanswered']);
    const found = await sendCreation(account, 'first', path);
    expect([found.status, countCalls(account, method)]).toEqual([200, 1]);
    expect((await sendCreation(account, 'first', path)).text).toBe(found.text);
    const list = account.epos.data.bookings;
    const stored = path === PARTIES_PATH ? list.listParties() : list.listReservations();
    expect(stored.map(({ id }) => id)).toContain((parseJson(found) as { id: string }).id);
    expect(await listEvents(account)).toHaveLength(1);
  });

  testLong('does not take the equal reservation of another request for its own', async () => {
    const account = await bookings.createAccount();
    const first = parseJson(await sendCreation(account, 'first')) as { id: string };
    account.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'no-answer', times: 1 }]);
    expect((await sendCreation(account, 'second')).status).toBe(504);
    const second = parseJson(await sendCreation(account, 'second')) as { id: string };
    expect(second.id).not.toBe(first.id);
  });

  /** Changes the reservations that the EPOS has. */
  const store = (account: BookingAccount, change: (own: StoredReservations) => StoredReservations) => {
    const list = account.epos.data.bookings;
    list.restore({ ...list.getState(), reservations: [...change(list.listReservations())] });
  };

  testLong('is found behind the first page of the bookings of the EPOS', async () => {
    const account = await bookings.createAccount();
    account.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    expect((await sendCreation(account, 'first')).status).toBe(504);
    store(account, ([own]) => [
      ...Array.from({ length: 60 }, (_, at) => ({ ...own!, id: `other-${at}`, name: `Guest ${at}` })),
      own!,
    ]);
    expect((await sendCreation(account, 'first')).status).toBe(200);
    expect(countCalls(account, 'CreateReservation')).toBe(1);
  });

  testLong('is not repeated while the EPOS has one that cannot be read', async () => {
    const account = await bookings.createAccount();
    account.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    expect((await sendCreation(account, 'first')).status).toBe(504);
    store(account, ([own]) => [{ ...own!, tableIds: [] }]);
    const repeated = await sendCreation(account, 'first');
    expect([repeated.status, await testEnvironment.findRefusal(repeated)]).toEqual([504, 'epos_unanswered']);
    expect(countCalls(account, 'CreateReservation')).toBe(1);
  });

  test('is not repeated at an EPOS that cannot be searched', async () => {
    const account = await bookings.createAccount(EPOS_CAPABILITIES.filter((name) => name !== 'SearchReservations'));
    account.epos.faults.replaceFaults([{ method: 'CreateReservation', effect: 'answer-lost', times: 1 }]);
    for (const status of [504, 504]) expect((await sendCreation(account, 'first')).status).toBe(status);
    expect(countCalls(account, 'CreateReservation')).toBe(1);
  });

  test('a repeated deletion answers as the first one', async () => {
    const account = await bookings.createAccount();
    const path = `${RESERVATIONS_PATH}/${await bookings.createReservation(account)}`;
    const remove = () =>
      testEnvironment.sendRequest('DELETE', path, { key: account.key, headers: { idempotencyKey: 'gone' } });
    for (const answer of [await remove(), await remove()]) expect([answer.status, answer.text]).toEqual([204, '']);
    expect(countCalls(account, 'DeleteReservationById')).toBe(1);
  });
});

describe('a party', () => {
  test('is seated for a reservation, leaves, and is listed with those that have left', async () => {
    const account = await bookings.createAccount();
    const call = testEnvironment.createClient(account.key);
    const reservationId = await bookings.createReservation(account);
    const party = await call(bookingsOperations.createParty, { body: createPartyBody({ reservationId }) });
    expect(party).toEqual({ id: party.id, status: 'Seated', ...createPartyBody({ reservationId }) });
    const left = createPartyBody({ status: 'Left', endTime: '2030-01-01T20:30:00.000Z' });
    const params = { partyId: party.id };
    expect(await call(bookingsOperations.updateParty, { params, body: left as never })).toMatchObject({
      ...left,
      reservationId,
    });
    const list = async (query: object) =>
      (await call(bookingsOperations.listParties, { query })).data.map(({ id }) => id);
    expect(await list({ tableId: 't-U3' })).toEqual([]);
    expect(await list({ tableId: 't-U3', completedOnly: true })).toEqual([party.id]);
  });

  test('has a deposit only as far as its payments are paid and not returned', async () => {
    const account = await bookings.createAccount();
    const { key } = account;
    const paid = await testEnvironment.createIntentIn('Captured');
    const send = (id: string, value: number, sender = key) =>
      testEnvironment.sendRequest('POST', PARTIES_PATH, {
        key: sender,
        headers: { idempotencyKey: randomUUID() },
        body: createPartyBody({
          deposit: { totalAmount: { ...GBP_20, value }, paymentIntentIds: [id, id] },
        }),
      });
    // The payment of another account.
    expect(await testEnvironment.findRefusal(await send(paid, 100))).toBe('payment_intent_unknown');
    const { sandbox, keys } = testEnvironment;
    await gateway.openRestaurant(testEnvironment, sandbox);
    expect(await testEnvironment.findRefusal(await send(paid, 2_001, keys.full))).toBe('validation_failed');
    const unpaid = await testEnvironment.createIntentIn('Created');
    expect(await testEnvironment.findRefusal(await send(unpaid, 1, keys.full))).toBe('validation_failed');
    const refunded = await testEnvironment.createIntentIn('Refunded');
    expect(await testEnvironment.findRefusal(await send(refunded, 1, keys.full))).toBe('validation_failed');
    expect((await send(paid, 2_000, keys.full)).status).toBe(200);
  });
});

test('areas and tables are those of the EPOS', async () => {
  const call = testEnvironment.createClient((await bookings.createAccount()).key);
  const areas = await call(listAreas, {});
  expect(areas.map(({ id }) => id)).toContain('terrace');
  const { data } = await call(listTables, { query: { areaId: 'terrace' } });
  expect(data.length).toBeGreaterThan(0);
  expect(new Set(data.map(({ areaId }) => areaId))).toEqual(new Set(['terrace']));
});

test('a change that the EPOS reports is published', async () => {
  const account = await bookings.createAccount();
  const report = (eventType: string, event: object) =>
    testEnvironment.sendRequest('POST', '/epos/events', { key: account.key, body: { eventType, event } });
  await report('ReservationUpdated', { reservationId: 'epos/rest' });
  await report('PartyUpdated', { partyId: 'p-1' });
  expect(await listEvents(account)).toEqual(
    expect.arrayContaining([
      ['reservation.updated', { reservationId: 'epos/rest' }],
      ['party.updated', { partyId: 'p-1' }],
    ]),
  );
});

describe('the permissions', () => {
  test('names of guests are read with bookings.read, and changed with bookings.write only', async () => {
    const account = await bookings.createAccount();
    const statuses = async (permissions: Parameters<ApiTestEnvironment['addKey']>[2]) => {
      const key = await testEnvironment.addKey(account.scope, undefined, permissions);
      const listed = await testEnvironment.sendRequest('GET', RESERVATIONS_PATH, { key });
      const created = await testEnvironment.sendRequest('POST', RESERVATIONS_PATH, {
        ...{ key, body: createReservationBody() },
      });
      return [listed.status, created.status];
    };
    expect(await statuses(ROLES['read-only'])).toEqual([200, 403]);
    expect(await statuses(['bookings.write'])).toEqual([403, 200]);
    for (const role of ['gateway', 'epos-only', 'terminal-only', 'webhooks-only'] as const)
      expect([role, ...(await statuses(ROLES[role]))]).toEqual([role, 403, 403]);
  });
});

test('neither the log nor the activity log contains what guests are called and want', async () => {
  const account = await bookings.createAccount();
  const call = testEnvironment.createClient(account.key);
  const body = createReservationBody(1, { name: 'Zaphod Beeblebrox', guestRequests: 'two chairs', hostNotes: 'loud' });
  const { id } = await call(bookingsOperations.createReservation, { body });
  await call(bookingsOperations.getReservation, { params: { reservationId: id } });
  await testEnvironment.sendRequest('POST', RESERVATIONS_PATH, { key: account.key, body: { ...body, covers: -1 } });
  const sql = 'select details::text from activities where account_id = $1';
  const rows = await testEnvironment.queryRows<{ details: string }>(sql, [account.scope.accountId]);
  const text = [...testEnvironment.logLines, ...rows.map(({ details }) => details)].join('\n');
  for (const secret of ['Zaphod', 'two chairs', 'loud']) expect(text).not.toContain(secret);
});

describe('an order at a table', () => {
  const submit = async (account: BookingAccount, dineIn: object) => {
    const { id: paymentIntentId } = await testEnvironment.createIntent({ captureMode: 'Manual' }, account.key);
    const order = { ...ORDER_BODY, details: { orderType: 'DineIn' as const, dineIn } };
    const { id } = await testEnvironment.createClient(account.key)(submitOrder, { body: { paymentIntentId, order } });
    const placement = await testEnvironment.testDatabase.database.read(account.scope, (reader) =>
      findOrderPlacement(reader, id),
    );
    return placement?.order['details'];
  };

  test('names the party that sits there, and its reservation', async () => {
    const account = await bookings.createAccount();
    const reservationId = await bookings.createReservation(account);
    const { id: partyId } = await testEnvironment.createClient(account.key)(bookingsOperations.createParty, {
      body: createPartyBody({ reservationId }),
    });
    const dineIn = { tableId: 't-U3', waiterId: '4' };
    expect(await submit(account, dineIn)).toEqual({
      ...{ orderType: 'DineIn', dineIn: { ...dineIn, partyId, reservationId } },
    });
  });

  test('keeps the party that the caller names', async () => {
    const account = await bookings.createAccount();
    await bookings.createParty(account);
    const dineIn = { tableId: 't-U3', partyId: 'p-7' };
    expect(await submit(account, dineIn)).toEqual({ orderType: 'DineIn', dineIn });
    expect(countCalls(account, 'SearchParties')).toBe(0);
  });

  testLong.each([
    ['nobody sits there', 't-U2', () => undefined],
    ['the EPOS fails', 't-U3', ({ epos }: BookingAccount) => epos.faults.replaceFaults([{ effect: 'internal-error' }])],
    ['the EPOS is silent', 't-U3', ({ epos }: BookingAccount) => epos.faults.replaceFaults([{ effect: 'no-answer' }])],
    [
      'the EPOS does not search parties',
      't-U3',
      ({ scope }: BookingAccount) =>
        gateway.register(
          testEnvironment,
          scope,
          EPOS_CAPABILITIES.filter((name) => name !== 'SearchParties'),
        ),
    ],
  ] as const)('is accepted without a party if %s', async (_, tableId, prepare) => {
    const account = await bookings.createAccount();
    await bookings.createParty(account);
    await prepare(account);
    expect(await submit(account, { tableId })).toEqual({ orderType: 'DineIn', dineIn: { tableId } });
  });
});
