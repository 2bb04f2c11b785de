import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { listTerminals } from '@pos/payments/terminals';
import { EposRefusal } from '@pos/sandbox/epos';
import { EposDataRefusal } from '@pos/sandbox/epos-data';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { findTablePayment } from '@pos/store/tables';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { TestDevice, describeOutcome } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

// An EPOS writes a NUL into its bills and into the reason of its refusal, which PostgreSQL does not store.

jest.setTimeout(60_000);

const MACHINE = '90000001';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  gateway = await environment.startGateway({ LOG_LEVEL: 'fatal' });
  other = await environment.startGateway({ LOG_LEVEL: 'fatal' });
});
afterAll(() => environment.close());

/** Every item of every bill has a NUL in its name, and every payment is refused with one in the reason. */
function writeNulTexts({ epos, data }: EposSimulator): void {
  for (const { bill } of epos.restaurant.sessions()) {
    for (const item of bill?.items ?? []) Object.assign(item, { name: `${item.name}\0` });
  }
  epos.recordPayment = () => {
    throw new EposRefusal('PAYMENT_NOT_RECORDED', 'sold\0 out');
  };
  data.orders.recordPayment = () => {
    throw new EposDataRefusal('Conflict', 'sold\0 out');
  };
}

async function isDeviceReady(account: GatewayAccount, device: TestDevice): Promise<boolean> {
  if ((await describeOutcome(device.listSessions())) !== 'OK') return false;
  const availableTerminals = await environment.testDatabase.database.read(account.scope, (reader) =>
    listTerminals(reader, ['Available']),
  );
  return availableTerminals.some(({ terminal }) => terminal.tid === MACHINE);
}

test.each(['dialled', 'stream', 'tables-ws', 'rest', 'ws'] as const)(
  'over %s money is returned when the reason of a refusal contains a NUL',
  async (epos) => {
    // The device speaks to one gateway; machines, and an EPOS that dials, hang on the other.
    const account = await environment.createAccount({
      epos,
      hasMachines: true,
      amountTriggers: false,
      gateways: [other],
    });
    writeNulTexts(requireValue(account.sandbox.epos, 'the EPOS'));
    const device = new TestDevice(gateway, account.apiKey);
    await waitUntil(() => isDeviceReady(account, device));
    const { sessions } = await device.listSessions();
    const { journey } = await device.startJourney(requireValue(sessions[0], 'a payable session').id);
    const paymentId = randomUUID();
    await device.takeCustomPart(requireValue(journey, 'the journey').journeyId, 500n, paymentId);
    const { database } = environment.testDatabase;
    const payment = () => database.read(account.scope, (reader) => findTablePayment(reader, paymentId));
    await waitUntil(async () => (await payment())?.state === 'GivenBack');
    expect(await payment()).toMatchObject({ lastError: expect.stringContaining('sold out') });
    device.close();
  },
);
