import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  LOCK_ID,
  createLockParams,
  createOrderParams,
  createPartyParams,
  createRecordParams,
  createReservationParams,
} from '../testing/data-call-cases.js';
import { createTestDataApi, type TestDataApi, MACHINE_REQUESTOR, NOON, createPayment } from '../testing/builders.js';

const TEST_FOLDER = mkdtempSync(path.join(tmpdir(), 'epos-state-'));
let folderCount = 0;
let stateFolder: string;
beforeEach(() => {
  folderCount += 1;
  stateFolder = path.join(TEST_FOLDER, String(folderCount));
});
afterAll(() => {
  rmSync(TEST_FOLDER, { recursive: true });
});

const getStateFile = () => path.join(stateFolder, 'acc_1.json');
const openTestData = () => createTestDataApi({ stateFolder });

/** Changes a part of each kind of state. */
function runOperations(testEpos: TestDataApi): void {
  const { ask, eposSimulator, epos, second } = testEpos;
  ask('CreateOrderLock', createLockParams(testEpos));
  ask('RecordOrderPaymentById', createRecordParams(testEpos, { lockId: LOCK_ID }));
  epos.lockSession(second.id, MACHINE_REQUESTOR);
  epos.recordPayment(createPayment(second.id));
  epos.recordPayment(createPayment(second.id, { id: 'a0a0a0a0-0000-4000-8000-000000000002', isSuccessful: false }));
  const created = ask('CreateOrder', createOrderParams()) as { id: string };
  ask('CancelOrderById', { orderId: created.id });
  const party = ask('CreateParty', createPartyParams()) as { id: string };
  ask('DeletePartyById', { partyId: party.id });
  ask('CreateParty', createPartyParams({ servicePartyId: 'sp-2' }));
  ask('CreateReservation', createReservationParams());
  const data = { paymentIntentId: 'pi_1', paymentStatus: 'Captured', captureMode: 'Auto' };
  const createdAt = NOON.toISOString();
  ask('HandleEvent', { ...{ id: 'evt_1', accountId: 'acc_1', event: 'payment_intent.created', createdAt }, data });
  eposSimulator.saveState();
}

test('an EPOS that is started again continues the evening: tables, orders, locks, payments and bookings', () => {
  const before = openTestData();
  runOperations(before);
  const repeated = openTestData();
  expect(repeated.eposSimulator.state()).toEqual(before.eposSimulator.state());
  expect(repeated.eposSimulator.state()).not.toEqual(createTestDataApi().eposSimulator.state());

  expect(() => repeated.epos.recordPayment(createPayment(before.second.id))).toThrow('PAYMENT_ALREADY_RECORDED');
  const recorded = repeated.ask('RecordOrderPaymentById', createRecordParams(before));
  expect(recorded).toMatchObject({ paidAmount: { value: 500 }, payments: [{ paymentIntentId: 'pi_1' }] });
  expect(repeated.ask('CreateOrder', createOrderParams())).toMatchObject({ status: 'Canceled' });
  expect(() => repeated.epos.lockSession(before.open.id, MACHINE_REQUESTOR)).toThrow('SESSION_ALREADY_LOCKED');
  expect(() => repeated.ask('CreateParty', createPartyParams({ servicePartyId: 'sp-3' }))).toThrow('sits there');
  // The next party is the next one, not the first again.
  before.restaurant.abandonSession(before.restaurant.sessions().find(({ bill }) => bill === null)!);
  repeated.restaurant.abandonSession(repeated.restaurant.sessions().find(({ bill }) => bill === null)!);
  expect(repeated.restaurant.sessions().at(-1)).toEqual(before.restaurant.sessions().at(-1));
});

test('state is stored before the answer, and also when no answer is sent', async () => {
  const { eposSimulator, open, epos } = openTestData();
  const callDetails = { requestor: MACHINE_REQUESTOR, transport: 'grpc', sessionId: open.id, paymentId: null } as const;
  await eposSimulator.serveTables({ ...callDetails, method: 'LockSession' }, () =>
    epos.lockSession(open.id, MACHINE_REQUESTOR),
  );
  expect(openTestData().epos.listLocks()).toMatchObject([{ sessionId: open.id }]);
  eposSimulator.faults.replaceFaults([{ method: 'RecordPayment', effect: 'answer-lost' }]);
  const callResult = await eposSimulator.serveTables({ ...callDetails, method: 'RecordPayment' }, () => {
    epos.recordPayment(createPayment(open.id));
  });
  expect(callResult).toEqual({ kind: 'silence' });
  expect(openTestData().epos.listPayments()).toMatchObject([{ id: createPayment(open.id).id }]);
});

test('a call whose state cannot be stored is not answered', async () => {
  const { eposSimulator, open, epos } = openTestData();
  rmSync(stateFolder, { recursive: true });
  const callDetails = { requestor: MACHINE_REQUESTOR, transport: 'grpc', sessionId: open.id, paymentId: null } as const;
  const locking = eposSimulator.serveTables({ ...callDetails, method: 'LockSession' }, () =>
    epos.lockSession(open.id, MACHINE_REQUESTOR),
  );
  await expect(locking).rejects.toThrow('ENOENT');
});

test('a call that only reads does not write the file', async () => {
  const { eposSimulator, open, epos } = openTestData();
  eposSimulator.saveState();
  const before = statSync(getStateFile());
  await eposSimulator.serveTables(
    { method: 'GetSession', requestor: MACHINE_REQUESTOR, transport: 'grpc', sessionId: open.id, paymentId: null },
    () => epos.getSession(open.id),
  );
  expect(statSync(getStateFile()).ino).toBe(before.ino);
});

test('an interrupted write leaves the previous state, and only the owner can read the file', () => {
  const before = openTestData();
  runOperations(before);
  writeFileSync(`${getStateFile()}.next`, '{"version":1,"chec');
  expect(openTestData().eposSimulator.state()).toEqual(before.eposSimulator.state());
  expect(statSync(getStateFile()).mode & 0o777).toBe(0o600);
});

test('a reset evening stays reset after a restart', () => {
  const before = openTestData();
  runOperations(before);
  before.eposSimulator.reset();
  expect(openTestData().eposSimulator.state()).toEqual(createTestDataApi().eposSimulator.state());
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
])('a file that %s is refused with its name, and is not changed', (_, damage, reason) => {
  runOperations(openTestData());
  const damaged = damage(readFileSync(getStateFile(), 'utf8'));
  writeFileSync(getStateFile(), damaged);
  expect(openTestData).toThrow(`What the EPOS kept ${reason}`);
  expect(openTestData).toThrow(getStateFile());
  expect(readFileSync(getStateFile(), 'utf8')).toBe(damaged);
});

test('an evening in pounds is not continued in euros', () => {
  runOperations(openTestData());
  expect(() => createTestDataApi({ stateFolder, currencyCode: 'EUR' })).toThrow(
    'cannot be used: its amounts are in GBP, and the restaurant is now in EUR',
  );
});

test('each account has its own file for every form of its id', () => {
  for (const accountId of ['acc_1', '../acc_2', 'acc/3'])
    createTestDataApi({ stateFolder, accountId }).eposSimulator.saveState();
  expect(readdirSync(stateFolder).sort()).toEqual(['..%2Facc_2.json', 'acc%2F3.json', 'acc_1.json']);
});

/** The names and kinds of all members, each once. */
function describeShape(value: unknown, at = ''): string[] {
  if (value instanceof Date) return [`${at} moment`];
  if (Array.isArray(value)) return value.flatMap((each) => describeShape(each, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [`${at} ${value === null ? 'null' : typeof value}`];
  return Object.entries(value).flatMap(([name, member]) => describeShape(member, at === '' ? name : `${at}.${name}`));
}

test('this is format 1; a change of it needs a new format number', () => {
  const testEpos = openTestData();
  runOperations(testEpos);
  expect([...new Set(describeShape(testEpos.eposSimulator.state()))].sort().join('\n')).toMatchSnapshot();
});
