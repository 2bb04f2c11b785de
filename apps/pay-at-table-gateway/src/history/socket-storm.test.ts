import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { isFinal, type TablePayment } from '@pos/core/table-payment';
import { ROLES } from '@pos/core/permissions';
import { listTerminals } from '@pos/payments/terminals';
import { findTablePayment } from '@pos/store/table-payments';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../boot.js';
import { Device } from '../journeys/testing-device.js';
import { type TestAccount, TestPlace } from '../testing.js';

/** The whole storm takes minutes and is told with LONG=1; its short form has the same parts. */
const { sockets: SOCKETS, paying: PAYING } =
  process.env['LONG'] === '1' ? { sockets: 1_000, paying: 50 } : { sockets: 40, paying: 3 };
const MINUTES = 60_000;
jest.setTimeout(20 * MINUTES);

const MACHINE = '90000001';
const AMOUNT = 500n;
const GRATUITY = 50;
/** What makes an account is its own few transactions; so many at once keep the database busy and no busier. */
const MADE_AT_ONCE = 10;
const LOOK_EVERY_MS = 50;
const CUT_FOR_MS = 1_000;
/** What is promised from the reconnect on. Said beside what was measured: how fast a busy machine is proves nothing. */
const PROMISED_MS = 60_000;
const READY_MS_MAX = 5 * MINUTES;

let place: TestPlace;
let gateways: readonly RunningGateway[];
beforeAll(async () => {
  place = await TestPlace.open();
  gateways = [await place.gateway(), await place.gateway()];
});
afterAll(() => place.close());

async function accountsOf(count: number, hasMachines: boolean): Promise<TestAccount[]> {
  const made: TestAccount[] = [];
  while (made.length < count) {
    const wanted = Array.from({ length: Math.min(MADE_AT_ONCE, count - made.length) }, (_, number) =>
      place.account({
        epos: 'tables-ws',
        hasMachines,
        permissions: ROLES.full,
        gateways: number % 2 === 0 ? gateways : [...gateways].reverse(),
      }),
    );
    made.push(...(await Promise.all(wanted)));
  }
  return made;
}

async function until(what: string, withinMs: number, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`never came true: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

const isServed = ({ place: { eposSockets } }: TestAccount): boolean => eposSockets.every((each) => each.isServing());

async function hasMachine({ scope }: TestAccount): Promise<boolean> {
  const terminals = await place.test.database.read(scope, (reader) => listTerminals(reader, ['Available']));
  return terminals.some(({ terminal }) => terminal.tid === MACHINE);
}

interface Open {
  readonly account: TestAccount;
  readonly paymentId: string;
}

/** A guest pays by card, and the EPOS does not answer when it is to record that. */
async function pastApproval(account: TestAccount): Promise<Open> {
  const epos = required(account.place.epos, 'the EPOS');
  const device = new Device(required(gateways[0], 'a gateway'), account.apiKey);
  try {
    const { sessions } = await device.listSessions();
    const { journey } = await device.start(required(sessions[0], 'a payable session').id);
    epos.faults.replace([{ method: 'RecordPayment', effect: 'no-answer' }]);
    const paymentId = randomUUID();
    await device.take(required(journey, 'the journey').journeyId, AMOUNT, paymentId);
    return { account, paymentId };
  } finally {
    device.close();
  }
}

async function paymentOf({ account, paymentId }: Open): Promise<TablePayment> {
  const found = await place.test.database.read(account.scope, (reader) => findTablePayment(reader, paymentId));
  return required(found, 'the payment');
}

/** A payment as each of the three has it, in minor units. */
async function booksOf(open: Open) {
  const { account, paymentId } = open;
  const { state, base, gratuity } = await paymentOf(open);
  const epos = required(account.place.epos, 'the EPOS').epos.payments();
  const taken = account.bookings().filter(({ kind, status }) => kind === 'Capture' && status === 'Booked');
  return {
    state,
    service: base.value + gratuity.value,
    epos: epos.filter(({ id }) => id === paymentId).map((each) => each.base.value + each.gratuity.value),
    acquirer: taken.map(({ amount }) => amount.value),
  };
}

test(`${SOCKETS} sockets of ${SOCKETS} EPOSes break at once with ${PAYING} payments past approval, and all of them settle`, async () => {
  const paying = await accountsOf(PAYING, true);
  const accounts = [...paying, ...(await accountsOf(SOCKETS - PAYING, false))];
  await until('every socket serves', READY_MS_MAX, () => accounts.every(isServed));
  await until('every machine is there', READY_MS_MAX, async () =>
    (await Promise.all(paying.map(hasMachine))).every(Boolean),
  );
  const open = await Promise.all(paying.map(pastApproval));
  await until('every payment is past approval', READY_MS_MAX, async () =>
    (await Promise.all(open.map(paymentOf))).every(({ message }) => message !== null),
  );
  expect((await Promise.all(open.map(paymentOf))).filter(isFinal)).toEqual([]);

  for (const { place: house } of accounts) for (const socket of house.eposSockets) socket.unplug(CUT_FOR_MS);
  expect(accounts.filter(isServed)).toEqual([]);
  for (const { place: house } of paying) required(house.epos, 'the EPOS').faults.replace([]);
  const backAt = performance.now() + CUT_FOR_MS;
  await until('every socket serves again', READY_MS_MAX, () => accounts.every(isServed));
  const connectedMs = performance.now() - backAt;
  await until('every payment is settled', READY_MS_MAX, async () =>
    (await Promise.all(open.map(paymentOf))).every(isFinal),
  );
  const settledMs = performance.now() - backAt;
  process.stdout.write(
    `${SOCKETS} sockets were back after ${(connectedMs / 1_000).toFixed(1)} s, ` +
      `${PAYING} payments settled after ${(settledMs / 1_000).toFixed(1)} s of ${PROMISED_MS / 1_000} s promised\n`,
  );

  const sum = Number(AMOUNT) + GRATUITY;
  const books = await Promise.all(open.map(booksOf));
  expect(books).toEqual(open.map(() => ({ state: 'Recorded', service: sum, epos: [sum], acquirer: [sum] })));
});
