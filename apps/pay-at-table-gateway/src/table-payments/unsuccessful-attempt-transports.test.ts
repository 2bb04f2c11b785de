import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { resolveAccountSettings } from '@pos/core/accounts';
import { requireValue } from '@pos/core/refusals';
import { deriveAttemptId } from '@pos/payments/testing';
import { listTerminals } from '@pos/payments/terminals';
import { findTablePayment } from '@pos/store/tables';
import { hasTimer } from '@pos/store/queues';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { TestDevice, describeOutcome } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
/** With the device's tip of 50 a total that no card is approved for. */
const DECLINED = 441n;
const settings = resolveAccountSettings({ payAtTable: { reportUnsuccessful: true } });

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  other = await environment.startGateway();
});
afterAll(() => environment.close());

/** A device takes a part that the machine declines; the payment's id, once nothing more is to be done for it. */
async function declinePart(account: GatewayAccount, device: TestDevice): Promise<string> {
  const { database } = environment.testDatabase;
  await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
  await waitUntil(async () => {
    const availableTerminals = await database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
    return availableTerminals.some(({ terminal }) => terminal.tid === MACHINE);
  });
  const { sessions } = await device.listSessions();
  const { journey } = await device.startJourney(requireValue(sessions[0], 'a payable session').id);
  const { journeyId } = requireValue(journey, 'the journey');
  const paymentId = randomUUID();
  await device.takeCustomPart(journeyId, DECLINED, paymentId);
  const timer = { kind: 'table-payment', subject: paymentId } as const;
  await waitUntil(() =>
    database.read(account.scope, async (reader) => {
      const payment = await findTablePayment(reader, paymentId);
      return payment?.state === 'Ended' && !(await hasTimer(reader, timer));
    }),
  );
  await device.finishJourney(journeyId);
  return paymentId;
}

test.each([
  // the way to the EPOS     reported attempts
  ['dialled', 1],
  ['stream', 1],
  ['tables-ws', 1],
  // An order lists money only.
  ['rest', 0],
  ['ws', 0],
] as const)('over %s an EPOS receives %s attempt of a journey without money, and books none', async (epos, times) => {
  // The device speaks to one gateway; machines, and an EPOS that dials, hang on the other.
  const account = await environment.createAccount({ epos, hasMachines: true, gateways: [other], settings });
  const device = new TestDevice(gateway, account.apiKey);
  const paymentId = await declinePart(account, device);
  device.close();
  const eposSocket = requireValue(account.sandbox.epos, 'the EPOS');
  const reported = {
    id: deriveAttemptId(paymentId),
    isSuccessful: false,
    base: { value: 441 },
    gratuity: { value: 50 },
  };
  expect(eposSocket.epos.listUnsuccessfulAttempts()).toMatchObject(Array.from({ length: times }, () => reported));
  expect(eposSocket.epos.listPayments()).toEqual([]);
});
