import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ServiceError } from '@grpc/grpc-js';
import { required } from '@pos/core/assert';
import { linePrice } from '@pos/core/bill';
import { isPositive } from '@pos/core/money';
import { JourneyPaymentState, type Journey, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import type { EposDoor } from '@pos/sandbox/epos-door';
import { listTerminals } from '@pos/payments/terminals';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, TestPlace, until } from '../testing.js';
import { Device, outcome } from './testing-device.js';

jest.setTimeout(60_000);

const WAYS = ['tables-ws', 'rest'] as const;
const MACHINE = '90000001';
const OTHER = '90000002';

let place: TestPlace;
let gateway: RunningGateway;
const accounts = new Map<string, TestAccount>();
const devices = new Map<string, Device>();
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
  for (const way of WAYS) {
    const account = await place.account({ epos: way, hasMachines: true, amountTriggers: false });
    const device = new Device(gateway, account.apiKey);
    accounts.set(way, account);
    devices.set(way, device);
    await until(async () => (await outcome(device.listSessions())) === 'OK');
    await until(async () => {
      const free = await place.test.database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
      return [MACHINE, OTHER].every((tid) => free.some(({ terminal }) => terminal.tid === tid));
    });
  }
});
afterAll(async () => {
  for (const device of devices.values()) device.close();
  await place.close();
});

const at = (way: string) => ({
  device: required(devices.get(way), 'the device'),
  door: required(accounts.get(way)?.place.epos, 'the EPOS'),
});

/** A party that has had at least three things and paid for nothing, and what it had. */
function partyAt({ epos }: EposDoor): { readonly sessionId: string; readonly items: readonly string[] } {
  for (const { id, bill, finishedAt } of epos.restaurant.sessions()) {
    if (bill === null || finishedAt !== null || isPositive(bill.paid) || epos.held.find(id) !== null) continue;
    const items = bill.items.filter((item) => isPositive(linePrice(item))).map((item) => item.id);
    if (items.length >= 3) return { sessionId: id, items };
  }
  throw new Error('nobody has had three things');
}

type Share = readonly [itemId: string, numerator?: number, denominator?: number];

function items(...shares: readonly Share[]): NonNullable<TakePaymentRequest['mode']> {
  const wanted = shares.map(([itemId, numerator = 1, denominator = 1]) => ({ itemId, numerator, denominator }));
  return { $case: 'items', value: { items: wanted } };
}

async function begun(device: Device, sessionId: string, tid = MACHINE): Promise<Journey> {
  let journey: Journey | undefined;
  await until(
    async () => (await outcome(device.start(sessionId, tid).then((told) => (journey = told.journey)))) === 'OK',
  );
  return required(journey, 'the journey');
}

/** Pays a part and returns what it came to. */
async function pay(device: Device, journeyId: string, mode: NonNullable<TakePaymentRequest['mode']>): Promise<number> {
  let journey: Journey | undefined;
  await until(
    async () => (await outcome(device.ask(journeyId, mode).then((told) => (journey = told.journey)))) === 'OK',
  );
  const { paymentId, baseAmount } = required(journey?.payments.at(-1), 'the payment');
  await until(async () => {
    ({ journey } = await device.get(journeyId));
    const payment = journey?.payments.find((each) => each.paymentId === paymentId);
    return payment?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
  });
  return Number(baseAmount);
}

test.each(WAYS)('over %s three guests pay for what they had, over two machines, to the penny', async (way) => {
  const { device, door } = at(way);
  const { sessionId, items: had } = partyAt(door);
  const [first = '', second = '', ...others] = had;
  const { journeyId, outstanding, bill } = await begun(device, sessionId);
  const lines = new Map(door.epos.getBill(sessionId).items.map((item) => [item.id, linePrice(item).value]));
  const all = had.reduce((sum, id) => sum + (lines.get(id) ?? 0), 0);
  // What was had, and the discount and the service on it, are what the bill comes to.
  expect(bill?.items.map(({ id }) => id)).toEqual(expect.arrayContaining([...had]));

  const parts = [await pay(device, journeyId, items([first], [second, 1, 2]))];
  const fair = ((lines.get(first) ?? 0) + (lines.get(second) ?? 0) / 2) / all;
  expect(Math.abs((parts[0] ?? 0) - fair * Number(outstanding))).toBeLessThanOrEqual(1);
  const { journey } = await device.get(journeyId);
  expect(journey?.paidItems).toEqual(
    expect.arrayContaining([
      { itemId: first, numerator: 1n, denominator: 1n },
      { itemId: second, numerator: 1n, denominator: 2n },
    ]),
  );
  await until(async () => (await outcome(device.finish(journeyId))) === 'OK');

  // Another machine goes on where the first has left the table.
  const next = await begun(device, sessionId, OTHER);
  expect(next.paidItems).toHaveLength(2);
  expect(await outcome(device.ask(next.journeyId, items([first])))).toBe('FAILED_PRECONDITION');
  parts.push(await pay(device, next.journeyId, items([second, 1, 2])));
  parts.push(await pay(device, next.journeyId, items(...others.map((id): Share => [id]))));
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Number(outstanding));
  expect(door.epos.restaurant.find(sessionId)?.bill?.paid.value).toBe(Number(outstanding));
  await until(async () => (await outcome(device.finish(next.journeyId))) === 'OK');
});

test.each<[string, (had: readonly string[]) => NonNullable<TakePaymentRequest['mode']>, string]>([
  ['no items', () => items(), 'INVALID_ARGUMENT items'],
  ['an item of another table', ([first = '']) => items([first], ['steak']), 'INVALID_ARGUMENT items[1].item_id'],
  ['an item twice', ([first = '']) => items([first], [first, 1, 2]), 'FAILED_PRECONDITION items[1]'],
  ['three halves', ([first = '']) => items([first, 3, 2]), 'INVALID_ARGUMENT items[0]'],
  ['nothing of an item', ([first = '']) => items([first, 0, 2]), 'INVALID_ARGUMENT items[0]'],
  ['a crumb', ([first = '']) => items([first, 1, 33]), 'INVALID_ARGUMENT items[0]'],
  ['a share of nobody', ([first = '']) => items([first, 1, 0]), 'INVALID_ARGUMENT items[0]'],
  ['a share below nothing', ([first = '']) => items([first, -1, -2]), 'INVALID_ARGUMENT items[0]'],
])('who wants to pay for %s is refused, and told which it is', async (_, wanted, said) => {
  const { device, door } = at('rest');
  const { sessionId, items: had } = partyAt(door);
  const { journeyId } = await begun(device, sessionId);
  const [code, member] = said.split(' ');
  const refused = device.ask(journeyId, wanted(had));
  expect(await outcome(refused).then((text) => text.split(' ')[0])).toBe(code);
  const { details } = (await refused.catch((error: unknown) => error)) as ServiceError;
  expect(details).toContain(`(${member}: `);
  const { journey } = await device.get(journeyId);
  expect(journey?.payments).toEqual([]);
  await until(async () => (await outcome(device.finish(journeyId))) === 'OK');
});

test('what is being paid just now is refused to the next guest, and free again when it was not paid', async () => {
  const { device, door } = at('tables-ws');
  const { sessionId, items: had } = partyAt(door);
  const [first = '', second = ''] = had;
  const { journeyId } = await begun(device, sessionId);
  // This machine waits for a card that nobody holds to it.
  const { journey } = await device.ask(journeyId, items([first, 2, 3]), { terminalId: '90000006' });
  const refused = (await device
    .ask(journeyId, items([second], [first, 1, 3]))
    .catch((error: unknown) => error)) as ServiceError;
  expect(refused.details).toContain('items[1]: this item is being paid just now');
  const paymentId = required(journey?.payments[0], 'the payment').paymentId;
  await new Promise((resolve, reject) => {
    device.service.cancelPayment({ paymentId }, device.metadata, (error, told) => {
      if (error === null) resolve(told);
      else reject(error);
    });
  });
  const whole = await pay(device, journeyId, items([first]));
  expect(whole).toBeGreaterThan(0);
  await until(async () => (await outcome(device.finish(journeyId))) === 'OK');
});
