import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { LOCK_ID, lockOf, orderOf, partyOf, recordOf, reservationOf } from './testing-data-rows.js';
import { dataForTest, type DataStand, MACHINE, NOON, payment } from './testing.js';

const HOME = mkdtempSync(path.join(tmpdir(), 'epos-state-'));
let evenings = 0;
let stateFolder: string;
beforeEach(() => {
  evenings += 1;
  stateFolder = path.join(HOME, String(evenings));
});
afterAll(() => {
  rmSync(HOME, { recursive: true });
});

const file = () => path.join(stateFolder, 'acc_1.json');
const opened = () => dataForTest({ stateFolder });

/** Something of everything that an EPOS remembers. */
function anEvening(stand: DataStand): void {
  const { ask, door, epos, second } = stand;
  ask('CreateOrderLock', lockOf(stand));
  ask('RecordOrderPaymentById', recordOf(stand, { lockId: LOCK_ID }));
  epos.lock(second.id, MACHINE);
  epos.record(payment(second.id));
  epos.record(payment(second.id, { id: 'a0a0a0a0-0000-4000-8000-000000000002', isSuccessful: false }));
  const made = ask('CreateOrder', orderOf()) as { id: string };
  ask('CancelOrderById', { orderId: made.id });
  const party = ask('CreateParty', partyOf()) as { id: string };
  ask('DeletePartyById', { partyId: party.id });
  ask('CreateParty', partyOf({ servicePartyId: 'sp-2' }));
  ask('CreateReservation', reservationOf());
  const data = { paymentIntentId: 'pi_1', paymentStatus: 'Captured', captureMode: 'Auto' };
  const createdAt = NOON.toISOString();
  ask('HandleEvent', { ...{ id: 'evt_1', accountId: 'acc_1', event: 'payment_intent.created', createdAt }, data });
  door.keep();
}

test('an EPOS that is started again goes on with the evening: tables, orders, locks, payments and bookings', () => {
  const before = opened();
  anEvening(before);
  const again = opened();
  expect(again.door.state()).toEqual(before.door.state());
  expect(again.door.state()).not.toEqual(dataForTest().door.state());

  expect(() => again.epos.record(payment(before.second.id))).toThrow('PAYMENT_ALREADY_RECORDED');
  const recorded = again.ask('RecordOrderPaymentById', recordOf(before));
  expect(recorded).toMatchObject({ paidAmount: { value: 500 }, payments: [{ paymentIntentId: 'pi_1' }] });
  expect(again.ask('CreateOrder', orderOf())).toMatchObject({ status: 'Canceled' });
  expect(() => again.epos.lock(before.open.id, MACHINE)).toThrow('SESSION_ALREADY_LOCKED');
  expect(() => again.ask('CreateParty', partyOf({ servicePartyId: 'sp-3' }))).toThrow('sits there');
  // The next party is the next one, not the first again.
  before.restaurant.giveUp(before.restaurant.sessions().find(({ bill }) => bill === null)!);
  again.restaurant.giveUp(again.restaurant.sessions().find(({ bill }) => bill === null)!);
  expect(again.restaurant.sessions().at(-1)).toEqual(before.restaurant.sessions().at(-1));
});

test('what was answered was kept before, and what was done and never answered too', async () => {
  const { door, open, epos } = opened();
  const arrival = { requestor: MACHINE, transport: 'grpc', sessionId: open.id, paymentId: null } as const;
  await door.serve({ ...arrival, method: 'LockSession' }, () => epos.lock(open.id, MACHINE));
  expect(opened().epos.locks()).toMatchObject([{ sessionId: open.id }]);
  door.faults.replace([{ method: 'RecordPayment', effect: 'answer-lost' }]);
  const served = await door.serve({ ...arrival, method: 'RecordPayment' }, () => {
    epos.record(payment(open.id));
  });
  expect(served).toEqual({ kind: 'silence' });
  expect(opened().epos.payments()).toMatchObject([{ id: payment(open.id).id }]);
});

test('what cannot be kept is not answered', async () => {
  const { door, open, epos } = opened();
  rmSync(stateFolder, { recursive: true });
  const arrival = { requestor: MACHINE, transport: 'grpc', sessionId: open.id, paymentId: null } as const;
  const locking = door.serve({ ...arrival, method: 'LockSession' }, () => epos.lock(open.id, MACHINE));
  await expect(locking).rejects.toThrow('ENOENT');
});

test('a call that only reads writes nothing', async () => {
  const { door, open, epos } = opened();
  door.keep();
  const before = statSync(file());
  await door.serve(
    { method: 'GetSession', requestor: MACHINE, transport: 'grpc', sessionId: open.id, paymentId: null },
    () => epos.getSession(open.id),
  );
  expect(statSync(file()).ino).toBe(before.ino);
});

test('a write that was cut off leaves the state before, and only the owner reads it', () => {
  const before = opened();
  anEvening(before);
  writeFileSync(`${file()}.next`, '{"version":1,"chec');
  expect(opened().door.state()).toEqual(before.door.state());
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('whoever begins the evening anew begins it anew after a restart, too', () => {
  const before = opened();
  anEvening(before);
  before.door.reset();
  expect(opened().door.state()).toEqual(dataForTest().door.state());
});

test.each([
  ['is cut off', (text: string) => text.slice(0, -100), 'is damaged'],
  ['is empty', () => '', 'is damaged'],
  ['was changed by hand', (text: string) => text.replace('"value":500', '"value":501'), 'is damaged'],
  ['is something else', () => '[]\n[]\n', 'is damaged'],
  ['has no checksum', (text: string) => text.replace(/"checksum":"\w+"/, '"checksum":null'), 'is damaged'],
  [
    'is of a newer sandbox',
    (text: string) => text.replace('"version":1', '"version":2'),
    'is of format 2; this sandbox writes and reads 1',
  ],
  ['is of an older sandbox', (text: string) => text.replace('"version":1', '"version":0'), 'is of format 0'],
])('a file that %s is refused by name, and stays as it is', (_, spoil, reason) => {
  anEvening(opened());
  const spoiled = spoil(readFileSync(file(), 'utf8'));
  writeFileSync(file(), spoiled);
  expect(opened).toThrow(`What the EPOS kept ${reason}`);
  expect(opened).toThrow(file());
  expect(readFileSync(file(), 'utf8')).toBe(spoiled);
});

test('an evening in pounds is not gone on with in euros', () => {
  anEvening(opened());
  expect(() => dataForTest({ stateFolder, currencyCode: 'EUR' })).toThrow(
    'cannot be used: its amounts are in GBP, and the restaurant is now in EUR',
  );
});

test('each account has a file of its own, whatever it is called', () => {
  for (const accountId of ['acc_1', '../acc_2', 'acc/3']) dataForTest({ stateFolder, accountId }).door.keep();
  expect(readdirSync(stateFolder).sort()).toEqual(['..%2Facc_2.json', 'acc%2F3.json', 'acc_1.json']);
});

/** Names and kinds of all members, each once. */
function shapeOf(value: unknown, at = ''): string[] {
  if (value instanceof Date) return [`${at} moment`];
  if (Array.isArray(value)) return value.flatMap((each) => shapeOf(each, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [`${at} ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([name, member]) => shapeOf(member, at === '' ? name : `${at}.${name}`));
}

test('this is format 1: whoever changes it counts the format up', () => {
  const stand = opened();
  anEvening(stand);
  expect([...new Set(shapeOf(stand.door.state()))].sort().join('\n')).toMatchSnapshot();
});
