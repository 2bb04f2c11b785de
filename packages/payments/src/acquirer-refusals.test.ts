import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerErrorStatus } from '@pos/core/acquirer-status';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import type { PaymentIntent } from '@pos/core/payment-intent';
import { gbp } from '@pos/core/testing';
import { callsOf } from '@pos/store/acquirer-calls';
import { listAlarmPage } from './alarms.js';
import { paidIntent } from './card-machine/testing.js';
import { bookedAbout, Till } from './till/testing.js';
import { elapse, expectSound, openShop, openWorld, readIntent, type Shop, timersOf, type World } from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => {
  world.door.rules.replace([]);
});
afterAll(async () => {
  await world.close();
});

type Kind = 'Increase' | 'Capture' | 'Refund';
const KINDS: readonly Kind[] = ['Increase', 'Capture', 'Refund'];
const REFUSING = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'OUT_OF_RANGE', 'UNIMPLEMENTED'] as const;
const SILENT = ['UNAVAILABLE', 'INTERNAL', 'UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED'] as const;
const ACCESS = ['UNAUTHENTICATED', 'PERMISSION_DENIED'] as const;
const REFUSALS = { Increase: 'amount_raise_refused', Capture: 'capture_refused', Refund: 'refund_refused' } as const;
const UNTIL_REPEATED_MS = 6_000;

const payment = { customAmountAllowed: true, tipsAllowed: true };
const FLEXIBLE = { details: { config: { ...DEFAULT_INTENT_CONFIG, payment }, itemLines: [], taxLines: [] } };

/** £20 that were taken, or are held where a hold is moved, and what moves them. */
async function taken(kind: Kind) {
  const shop = await openShop(world);
  const captureMode = kind === 'Refund' ? 'Auto' : 'Manual';
  const { intentId: id, reference } = await paidIntent(world, shop, { captureMode, ...FLEXIBLE });
  const till = new Till(world, shop);
  const move = (): Promise<string> => {
    if (kind === 'Increase') return till.price(id, gbp(2_500));
    return kind === 'Capture' ? till.capture(id, 1_500) : till.refund(id, 1_500);
  };
  return { shop, id, reference, till, move };
}

async function alarmsOf({ scope }: Shop): Promise<string[]> {
  const { alarms } = await world.database.read(scope, (reader) => listAlarmPage(reader, { limit: 100 }));
  return alarms.map(({ kind }) => kind);
}

async function reservedOf(shop: Shop, id: PaymentIntent['id']): Promise<number> {
  const { pendingCapture, pendingRefund } = await readIntent(world, shop, id);
  return pendingCapture.value + pendingRefund.value;
}

const each = <S extends AcquirerErrorStatus>(statuses: readonly S[]): [Kind, S][] =>
  KINDS.flatMap((kind) => statuses.map((status): [Kind, S] => [kind, status]));

const rule = (kind: Kind, status: AcquirerErrorStatus, effect: 'refuse' | 'book-and-refuse' = 'refuse') =>
  world.door.rules.replace([{ match: { kind }, effect, status, times: 1 }]);

test.each(each(REFUSING))(
  '%s answered with %s is refused, frees the money and can be done again',
  async (kind, status) => {
    const { shop, id, move } = await taken(kind);
    rule(kind, status);
    expect(await move()).toBe(REFUSALS[kind]);
    expect([await reservedOf(shop, id), await timersOf(world, shop)]).toEqual([
      0,
      kind === 'Refund' ? [] : [`hold-end ${id}`],
    ]);
    expect(await move()).toBe('done');
    expect(await alarmsOf(shop)).toEqual([]);
    await expectSound(world, shop);
  },
);

test.each(each([...REFUSING, 'ALREADY_EXISTS']))(
  '%s that was booked and then answered with %s counts as booked',
  async (kind, status) => {
    const { shop, id, reference, move } = await taken(kind);
    rule(kind, status, 'book-and-refuse');
    expect(await move()).toBe('done');
    expect(bookedAbout(world, reference)).toHaveLength(1);
    expect(await reservedOf(shop, id)).toBe(0);
    await expectSound(world, shop);
  },
);

test.each(each(['ALREADY_EXISTS', ...SILENT]))(
  '%s answered with %s and unknown to an inquiry stays open, and is done when it is repeated',
  async (kind, status) => {
    const { shop, id, reference, move } = await taken(kind);
    rule(kind, status);
    expect(await move()).toBe('acquirer_unanswered');
    expect(await reservedOf(shop, id)).toBeGreaterThan(0);
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect(await reservedOf(shop, id)).toBe(0);
    expect(bookedAbout(world, reference)).toHaveLength(1);
    await expectSound(world, shop);
  },
);

test.each(each(ACCESS))(
  '%s answered with %s was not sent: an alarm is raised, and it is repeated',
  async (kind, status) => {
    const { shop, id, reference, move } = await taken(kind);
    rule(kind, status);
    expect(await move()).toBe('acquirer_unanswered');
    expect(await alarmsOf(shop)).toEqual(['AcquirerAccessRefused']);
    expect(bookedAbout(world, reference)).toEqual([]);
    await elapse(world, shop.scope, UNTIL_REPEATED_MS);
    expect(await reservedOf(shop, id)).toBe(0);
    expect(bookedAbout(world, reference)).toHaveLength(1);
    await expectSound(world, shop);
  },
);

test('a hold can be captured after a raise at an acquirer that has no incremental authorisation', async () => {
  const { shop, id, till, move } = await taken('Increase');
  world.door.rules.replace([{ match: { kind: 'Increase' }, effect: 'refuse', status: 'UNIMPLEMENTED' }]);
  expect([await move(), await move()]).toEqual(['amount_raise_refused', 'amount_raise_refused']);
  expect((await readIntent(world, shop, id)).amount).toEqual(gbp(2_000));
  expect(await till.capture(id, 2_000)).toBe('done');
  await expectSound(world, shop);
});

test('while an inquiry does not answer, a refusal by status frees nothing', async () => {
  const { shop, id, move } = await taken('Capture');
  world.door.rules.replace([
    { match: { kind: 'Capture' }, effect: 'book-and-refuse', status: 'FAILED_PRECONDITION', times: 1 },
    { match: { kind: 'Inquire' }, effect: 'down', times: 1 },
  ]);
  expect(await move()).toBe('acquirer_unanswered');
  expect(await reservedOf(shop, id)).toBe(1_500);
  await elapse(world, shop.scope, UNTIL_REPEATED_MS);
  expect((await readIntent(world, shop, id)).captured).toEqual(gbp(1_500));
  await expectSound(world, shop);
});

test('a payment whose reversal is refused by status stands as before and can be refunded', async () => {
  const { shop, id, till } = await taken('Refund');
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'refuse', status: 'FAILED_PRECONDITION', times: 1 }]);
  expect(await till.reverse(id)).toBe('reversal_refused');
  expect(await reservedOf(shop, id)).toBe(0);
  expect(await till.refund(id, 2_000)).toBe('done');
  await expectSound(world, shop);
});

test('the rest of a hold that the acquirer does not release raises an alarm, once', async () => {
  const { shop, id, till } = await taken('Capture');
  await till.capture(id, 1_200);
  world.door.rules.replace([{ match: { kind: 'Reverse' }, effect: 'refuse', status: 'UNIMPLEMENTED' }]);
  expect(await till.refund(id, 1_200)).toBe('done');
  for (let round = 0; round < 3; round += 1) await elapse(world, shop.scope, UNTIL_REPEATED_MS);
  expect(await alarmsOf(shop)).toEqual(['MoneyNotReturned']);
  expect(await timersOf(world, shop)).toEqual([]);
  const calls = await world.database.read(shop.scope, (reader) => callsOf(reader, id));
  expect(calls.filter(({ kind }) => kind === 'Release').map(({ outcome }) => outcome)).toEqual(['Declined']);
});
