import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ServiceError } from '@grpc/grpc-js';
import { requireValue } from '@pos/core/refusals';
import { computeLinePrice } from '@pos/core/tables';
import { isPositive } from '@pos/core/money';
import { JourneyPaymentState, type Journey, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { listTerminals } from '@pos/payments/terminals';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { TestDevice, describeOutcome } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const TRANSPORTS = ['tables-ws', 'rest'] as const;
const MACHINE = '90000001';
const OTHER = '90000002';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const accounts = new Map<string, GatewayAccount>();
const devices = new Map<string, TestDevice>();
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  for (const transport of TRANSPORTS) {
    const account = await environment.createAccount({ epos: transport, hasMachines: true, amountTriggers: false });
    const device = new TestDevice(gateway, account.apiKey);
    accounts.set(transport, account);
    devices.set(transport, device);
    await waitUntil(async () => (await describeOutcome(device.listSessions())) === 'OK');
    await waitUntil(async () => {
      const availableTerminals = await environment.testDatabase.database.read(account.scope, (reader) =>
        listTerminals(reader, ['Available']),
      );
      return [MACHINE, OTHER].every((tid) => availableTerminals.some(({ terminal }) => terminal.tid === tid));
    });
  }
});
afterAll(async () => {
  for (const device of devices.values()) device.close();
  await environment.close();
});

const getRestaurant = (transport: string) => ({
  device: requireValue(devices.get(transport), 'the device'),
  eposSimulator: requireValue(accounts.get(transport)?.sandbox.epos, 'the EPOS'),
});

/** A party that has had at least three things and paid for nothing, and what it had. */
function findParty({ epos }: EposSimulator): { readonly sessionId: string; readonly items: readonly string[] } {
  for (const { id, bill, finishedAt } of epos.restaurant.sessions()) {
    if (bill === null || finishedAt !== null || isPositive(bill.paid) || epos.locks.findLock(id) !== null) continue;
    const items = bill.items.filter((item) => isPositive(computeLinePrice(item))).map((item) => item.id);
    if (items.length >= 3) return { sessionId: id, items };
  }
  throw new Error('nobody has had three things');
}

type Share = readonly [itemId: string, numerator?: number, denominator?: number];

function buildItemsMode(...shares: readonly Share[]): NonNullable<TakePaymentRequest['mode']> {
  const sharesToPay = shares.map(([itemId, numerator = 1, denominator = 1]) => ({ itemId, numerator, denominator }));
  return { $case: 'items', value: { items: sharesToPay } };
}

async function startJourney(device: TestDevice, sessionId: string, tid = MACHINE): Promise<Journey> {
  let journey: Journey | undefined;
  await waitUntil(
    async () =>
      (await describeOutcome(device.startJourney(sessionId, tid).then((answer) => (journey = answer.journey)))) ===
      'OK',
  );
  return requireValue(journey, 'the journey');
}

/** Pays a part and returns what it came to. */
async function payPart(
  device: TestDevice,
  journeyId: string,
  mode: NonNullable<TakePaymentRequest['mode']>,
): Promise<number> {
  let journey: Journey | undefined;
  await waitUntil(
    async () =>
      (await describeOutcome(device.takePayment(journeyId, mode).then((answer) => (journey = answer.journey)))) ===
      'OK',
  );
  const { paymentId, baseAmount } = requireValue(journey?.payments.at(-1), 'the payment');
  await waitUntil(async () => {
    ({ journey } = await device.getJourney(journeyId));
    const payment = journey?.payments.find((each) => each.paymentId === paymentId);
    return payment?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
  });
  return Number(baseAmount);
}

test.each(TRANSPORTS)('over %s three payers pay for their items on two machines, to the penny', async (transport) => {
  const { device, eposSimulator } = getRestaurant(transport);
  const { sessionId, items: had } = findParty(eposSimulator);
  const [first = '', second = '', ...others] = had;
  const { journeyId, outstanding, bill } = await startJourney(device, sessionId);
  const lines = new Map(
    eposSimulator.epos.getBill(sessionId).items.map((item) => [item.id, computeLinePrice(item).value]),
  );
  const all = had.reduce((sum, id) => sum + (lines.get(id) ?? 0), 0);
  // What was had, and the discount and the service on it, are what the bill comes to.
  expect(bill?.items.map(({ id }) => id)).toEqual(expect.arrayContaining([...had]));

  const parts = [await payPart(device, journeyId, buildItemsMode([first], [second, 1, 2]))];
  const fair = ((lines.get(first) ?? 0) + (lines.get(second) ?? 0) / 2) / all;
  expect(Math.abs((parts[0] ?? 0) - fair * Number(outstanding))).toBeLessThanOrEqual(1);
  const { journey } = await device.getJourney(journeyId);
  expect(journey?.paidItems).toEqual(
    expect.arrayContaining([
      { itemId: first, numerator: 1n, denominator: 1n },
      { itemId: second, numerator: 1n, denominator: 2n },
    ]),
  );
  await waitUntil(async () => (await describeOutcome(device.finishJourney(journeyId))) === 'OK');

  // Another machine continues where the first has left the table.
  const next = await startJourney(device, sessionId, OTHER);
  expect(next.paidItems).toHaveLength(2);
  expect(await describeOutcome(device.takePayment(next.journeyId, buildItemsMode([first])))).toBe(
    'FAILED_PRECONDITION',
  );
  parts.push(await payPart(device, next.journeyId, buildItemsMode([second, 1, 2])));
  parts.push(await payPart(device, next.journeyId, buildItemsMode(...others.map((id): Share => [id]))));
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Number(outstanding));
  expect(eposSimulator.epos.restaurant.findSession(sessionId)?.bill?.paid.value).toBe(Number(outstanding));
  await waitUntil(async () => (await describeOutcome(device.finishJourney(next.journeyId))) === 'OK');
});

test.each<[string, (had: readonly string[]) => NonNullable<TakePaymentRequest['mode']>, string]>([
  ['no items', () => buildItemsMode(), 'INVALID_ARGUMENT items'],
  [
    'an item of another table',
    ([first = '']) => buildItemsMode([first], ['steak']),
    'INVALID_ARGUMENT items[1].item_id',
  ],
  ['an item twice', ([first = '']) => buildItemsMode([first], [first, 1, 2]), 'FAILED_PRECONDITION items[1]'],
  ['three halves', ([first = '']) => buildItemsMode([first, 3, 2]), 'INVALID_ARGUMENT items[0]'],
  ['nothing of an item', ([first = '']) => buildItemsMode([first, 0, 2]), 'INVALID_ARGUMENT items[0]'],
  ['a crumb', ([first = '']) => buildItemsMode([first, 1, 33]), 'INVALID_ARGUMENT items[0]'],
  ['a share of nobody', ([first = '']) => buildItemsMode([first, 1, 0]), 'INVALID_ARGUMENT items[0]'],
  ['a share below nothing', ([first = '']) => buildItemsMode([first, -1, -2]), 'INVALID_ARGUMENT items[0]'],
])('a payment for %s is refused, and the refusal names it', async (_, sharesToPay, description) => {
  const { device, eposSimulator } = getRestaurant('rest');
  const { sessionId, items: had } = findParty(eposSimulator);
  const { journeyId } = await startJourney(device, sessionId);
  const [code, member] = description.split(' ');
  const refused = device.takePayment(journeyId, sharesToPay(had));
  expect(await describeOutcome(refused).then((text) => text.split(' ')[0])).toBe(code);
  const { details } = (await refused.catch((error: unknown) => error)) as ServiceError;
  expect(details).toContain(`(${member}: `);
  const { journey } = await device.getJourney(journeyId);
  expect(journey?.payments).toEqual([]);
  await waitUntil(async () => (await describeOutcome(device.finishJourney(journeyId))) === 'OK');
});

test('an item that is being paid is refused to the next payer, and free again when it was not paid', async () => {
  const { device, eposSimulator } = getRestaurant('tables-ws');
  const { sessionId, items: had } = findParty(eposSimulator);
  const [first = '', second = ''] = had;
  const { journeyId } = await startJourney(device, sessionId);
  // This machine waits for a card that nobody holds to it.
  const { journey } = await device.takePayment(journeyId, buildItemsMode([first, 2, 3]), { terminalId: '90000006' });
  const refused = (await device
    .takePayment(journeyId, buildItemsMode([second], [first, 1, 3]))
    .catch((error: unknown) => error)) as ServiceError;
  expect(refused.details).toContain('items[1]: this item is being paid just now');
  const paymentId = requireValue(journey?.payments[0], 'the payment').paymentId;
  await new Promise((resolve, reject) => {
    device.journeyClient.cancelPayment({ paymentId }, device.metadata, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
  const whole = await payPart(device, journeyId, buildItemsMode([first]));
  expect(whole).toBeGreaterThan(0);
  await waitUntil(async () => (await describeOutcome(device.finishJourney(journeyId))) === 'OK');
});
