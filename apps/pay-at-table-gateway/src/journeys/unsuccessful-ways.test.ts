import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { accountSettings } from '@pos/core/account';
import { required } from '@pos/core/assert';
import { deriveAttemptId } from '@pos/payments/unsuccessful-attempt';
import { listTerminals } from '@pos/payments/terminals';
import { findTablePayment } from '@pos/store/table-payments';
import { hasTimer } from '@pos/store/timer-claim';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, TestPlace, until } from '../testing.js';
import { Device, outcome } from './testing-device.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
/** With the device's tip of 50 a total that no card is approved for. */
const DECLINED = 441n;
const settings = accountSettings({ payAtTable: { reportUnsuccessful: true } });

let place: TestPlace;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
  other = await place.gateway();
});
afterAll(() => place.close());

/** A device takes a part that the machine declines; the payment's id, once nothing more is to be done for it. */
async function declined(account: TestAccount, device: Device): Promise<string> {
  const { database } = place.test;
  await until(async () => (await outcome(device.listSessions())) === 'OK');
  await until(async () => {
    const free = await database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
    return free.some(({ terminal }) => terminal.tid === MACHINE);
  });
  const { sessions } = await device.listSessions();
  const { journey } = await device.start(required(sessions[0], 'a payable session').id);
  const { journeyId } = required(journey, 'the journey');
  const paymentId = randomUUID();
  await device.take(journeyId, DECLINED, paymentId);
  const timer = { kind: 'table-payment', subject: paymentId } as const;
  await until(() =>
    database.read(account.scope, async (reader) => {
      const payment = await findTablePayment(reader, paymentId);
      return payment?.state === 'Ended' && !(await hasTimer(reader, timer));
    }),
  );
  await device.finish(journeyId);
  return paymentId;
}

test.each([
  // the way to the EPOS     attempts it is told of
  ['dialled', 1],
  ['stream', 1],
  ['tables-ws', 1],
  // An order lists money only.
  ['rest', 0],
  ['ws', 0],
] as const)('over %s an EPOS hears %s attempt of a journey without money, and books none', async (epos, times) => {
  // The device speaks to one gateway; machines, and an EPOS that dials, hang on the other.
  const account = await place.account({ epos, hasMachines: true, gateways: [other], settings });
  const device = new Device(gateway, account.apiKey);
  const paymentId = await declined(account, device);
  device.close();
  const till = required(account.place.epos, 'the EPOS');
  const told = { id: deriveAttemptId(paymentId), isSuccessful: false, base: { value: 441 }, gratuity: { value: 50 } };
  expect(till.epos.unsuccessfulAttempts()).toMatchObject(Array.from({ length: times }, () => told));
  expect(till.epos.payments()).toEqual([]);
});
