import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { isTablePaymentFinal, type TablePayment } from '@pos/core/tables';
import { ROLES } from '@pos/core/identity';
import { listTerminals } from '@pos/payments/terminals';
import { findTablePayment } from '@pos/store/tables';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../boot.js';
import { TestDevice } from './payment-device.js';
import { type GatewayAccount, GatewayEnvironment } from './gateway-world.js';

const SOCKETS = 600;
const PAYING = 30;
const MINUTES = 60_000;
jest.setTimeout(30 * MINUTES);

const MACHINE = '90000001';
const AMOUNT = 500n;
const GRATUITY = 50;
/** What makes an account is its own few transactions; so many at once keep the database busy and no busier. */
const CREATED_AT_ONCE_MAX = 10;
const POLL_DELAY_MS = 50;
const OUTAGE_MS = 1_000;
/** What is promised from the reconnect on. Said beside what was measured: how fast a busy machine is proves nothing. */
const RECOVERY_MS_MAX = 60_000;
/** Beside other tests a storm that takes 13 s alone takes minutes. */
const READY_MS_MAX = 10 * MINUTES;

let environment: GatewayEnvironment;
let gateways: readonly RunningGateway[];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateways = [await environment.startGateway(), await environment.startGateway()];
});
afterAll(() => environment.close());

async function createAccounts(count: number, hasMachines: boolean): Promise<GatewayAccount[]> {
  const made: GatewayAccount[] = [];
  while (made.length < count) {
    const wanted = Array.from({ length: Math.min(CREATED_AT_ONCE_MAX, count - made.length) }, (_, number) =>
      environment.createAccount({
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

async function measureUntil(
  what: string,
  withinMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadlineAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineAt) throw new Error(`never came true: ${what}`);
    await pause(POLL_DELAY_MS);
  }
}

const hasServedSockets = ({ sandbox: { eposSockets } }: GatewayAccount): boolean =>
  eposSockets.every((each) => each.isConnected());

async function hasMachine({ scope }: GatewayAccount): Promise<boolean> {
  const terminals = await environment.testDatabase.database.read(scope, (reader) =>
    listTerminals(reader, ['Available']),
  );
  return terminals.some(({ terminal }) => terminal.tid === MACHINE);
}

interface UnrecordedPayment {
  readonly account: GatewayAccount;
  readonly paymentId: string;
}

/** A payer pays by card, and the EPOS does not answer when it is to record that. */
async function createUnrecordedPayment(account: GatewayAccount): Promise<UnrecordedPayment> {
  const epos = requireValue(account.sandbox.epos, 'the EPOS');
  const device = new TestDevice(requireValue(gateways[0], 'a gateway'), account.apiKey);
  try {
    const { sessions } = await device.listSessions();
    const { journey } = await device.startJourney(requireValue(sessions[0], 'a payable session').id);
    epos.faults.replaceFaults([{ method: 'RecordPayment', effect: 'no-answer' }]);
    const paymentId = randomUUID();
    await device.takeCustomPart(requireValue(journey, 'the journey').journeyId, AMOUNT, paymentId);
    return { account, paymentId };
  } finally {
    device.close();
  }
}

async function getPayment({ account, paymentId }: UnrecordedPayment): Promise<TablePayment> {
  const found = await environment.testDatabase.database.read(account.scope, (reader) =>
    findTablePayment(reader, paymentId),
  );
  return requireValue(found, 'the payment');
}

/** A payment as each of the three has it, in minor units. */
async function readBookings(open: UnrecordedPayment) {
  const { account, paymentId } = open;
  const { state, base, gratuity } = await getPayment(open);
  const epos = requireValue(account.sandbox.epos, 'the EPOS').epos.listPayments();
  const captures = account.listBookings().filter(({ kind, status }) => kind === 'Capture' && status === 'Booked');
  return {
    state,
    service: base.value + gratuity.value,
    epos: epos.filter(({ id }) => id === paymentId).map((each) => each.base.value + each.gratuity.value),
    acquirer: captures.map(({ amount }) => amount.value),
  };
}

test(`${SOCKETS} sockets of ${SOCKETS} EPOSes break at once with ${PAYING} payments past approval, and all of them settle`, async () => {
  const payingAccounts = await createAccounts(PAYING, true);
  const accounts = [...payingAccounts, ...(await createAccounts(SOCKETS - PAYING, false))];
  await measureUntil('every socket serves', READY_MS_MAX, () => accounts.every(hasServedSockets));
  await measureUntil('every machine is there', READY_MS_MAX, async () =>
    (await Promise.all(payingAccounts.map(hasMachine))).every(Boolean),
  );
  const open = await Promise.all(payingAccounts.map(createUnrecordedPayment));
  await measureUntil('every payment is past approval', READY_MS_MAX, async () =>
    (await Promise.all(open.map(getPayment))).every(({ message }) => message !== null),
  );
  expect((await Promise.all(open.map(getPayment))).filter(isTablePaymentFinal)).toEqual([]);

  for (const { sandbox } of accounts) for (const socket of sandbox.eposSockets) socket.interrupt(OUTAGE_MS);
  expect(accounts.filter(hasServedSockets)).toEqual([]);
  for (const { sandbox } of payingAccounts) requireValue(sandbox.epos, 'the EPOS').faults.replaceFaults([]);
  const reconnectedAt = performance.now() + OUTAGE_MS;
  await measureUntil('every socket serves again', READY_MS_MAX, () => accounts.every(hasServedSockets));
  const connectedMs = performance.now() - reconnectedAt;
  await measureUntil('every payment is settled', READY_MS_MAX, async () =>
    (await Promise.all(open.map(getPayment))).every(isTablePaymentFinal),
  );
  const settledMs = performance.now() - reconnectedAt;
  process.stdout.write(
    `${SOCKETS} sockets were back after ${(connectedMs / 1_000).toFixed(1)} s, ` +
      `${PAYING} payments settled after ${(settledMs / 1_000).toFixed(1)} s of ${RECOVERY_MS_MAX / 1_000} s promised\n`,
  );

  const sum = Number(AMOUNT) + GRATUITY;
  const books = await Promise.all(open.map(readBookings));
  expect(books).toEqual(open.map(() => ({ state: 'Recorded', service: sum, epos: [sum], acquirer: [sum] })));
});
