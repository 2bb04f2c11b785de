import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { APPROVED } from '@pos/sandbox/card-verdict';
import { Machine } from './card-machine/testing.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  historyOf,
  moveClock,
  openShop,
  openWorld,
  readCall,
  readIntent,
  type Shop,
  timersOf,
  work,
  type World,
} from './testing.js';

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

const REPEAT_MS = 5_000;
const DROPPED: AcquirerRule = { match: { kind: 'Reverse' }, effect: 'drop-answer' };

async function expiredSale(shop: Shop): Promise<Machine> {
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  await elapse(world, shop.scope, 90_000);
  return machine;
}

async function rejectedSignature(shop: Shop): Promise<Machine> {
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.approve(true);
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
  return machine;
}

const reversalsOf = (machine: Machine) =>
  world.door.acquirer.books
    .belongingTo(machine.session.acquirerReference)
    .filter(({ kind, outcome }) => kind === 'Reverse' && outcome === 'Approved');

test.each<[string, readonly AcquirerRule[], (machine: Machine) => Promise<unknown>]>([
  ['does not know the reference', [], async () => undefined],
  ['says in progress of what it does not know', [{ match: {}, effect: 'contradict' }], async () => undefined],
  [
    'is still asking the issuer',
    [],
    async (machine) => machine.charge({ ...APPROVED, lateByMs: 3_600_000 }).catch(() => undefined),
  ],
  ['is down', [{ match: {}, effect: 'down' }], async () => undefined],
  ['never answers', [{ match: {}, effect: 'drop-answer' }], (machine) => machine.charge().catch(() => undefined)],
  ['answers after the deadline', [{ match: {}, effect: 'delay', delayMs: 600 }], (machine) => machine.charge()],
])('nothing ends while the acquirer %s', async (_says, rules, happens) => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  world.door.rules.replace(rules);
  await happens(machine);
  await moveClock(world, shop.scope, 90_000);
  await work(world, shop.scope);
  for (let round = 0; round < 2; round += 1) await elapse(world, shop.scope, REPEAT_MS);
  const call = await machine.call();
  expect([call.state, call.outcome, call.reverseReference]).toEqual(['Unknown', null, null]);
  expect(await historyOf(world, shop, machine.session.paymentIntentId!)).toEqual([]);
  expect(await timersOf(world, shop)).toContain(`acquirer-call ${call.reference}`);
});

test('an acquirer that comes back tells how the call ended', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.charge();
  world.door.rules.replace([{ match: { kind: 'Inquire' }, effect: 'down' }]);
  await elapse(world, shop.scope, 10_000);
  expect((await machine.call()).state).toBe('Unknown');
  world.door.rules.replace([]);
  await elapse(world, shop.scope, REPEAT_MS);
  expect((await readIntent(world, shop, machine.session.paymentIntentId!)).status).toBe('Captured');
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

test.each<[string, AcquirerRule[]]>([
  ['was lost after the booking, twice', [{ ...DROPPED, times: 2 }]],
  ['was not to be had, for the acquirer was down', [{ match: { kind: 'Reverse' }, effect: 'down', times: 2 }]],
  ['came twice', [{ match: { kind: 'Reverse' }, effect: 'answer-twice' }]],
])('a reversal whose answer %s is repeated under its reference and happens once', async (_says, rules) => {
  const shop = await openShop(world);
  const machine = await rejectedSignature(shop);
  world.door.rules.replace(rules);
  await work(world, shop.scope);
  for (let round = 0; round < 2; round += 1) await elapse(world, shop.scope, REPEAT_MS * 2 ** round);
  expect((await machine.call()).outcome).toBe('Reversed');
  expect(reversalsOf(machine)).toHaveLength(1);
  expect(await historyOf(world, shop, machine.session.paymentIntentId!)).toEqual(['Reversed']);
  expect(await timersOf(world, shop)).toEqual([]);
  await expectSound(world, shop);
});

/** As many workers as would ever stumble over each other. */
const WORKERS = 12;

async function pursuedByAll(shop: Shop, reference: string): Promise<void> {
  await Promise.all(Array.from({ length: WORKERS }, () => world.calls.pursue(shop.scope, reference)));
}

test('many workers hear of one approval at once, and it is taken once', async () => {
  const shop = await openShop(world);
  const machine = await expiredSale(shop);
  await machine.charge();
  await pursuedByAll(shop, machine.session.acquirerReference);
  expect(await historyOf(world, shop, machine.session.paymentIntentId!)).toEqual(['Captured']);
  await expectSound(world, shop);
});

test('many workers give one authorisation up at once, and one reversal is ordered', async () => {
  const shop = await openShop(world);
  const machine = await expiredSale(shop);
  await moveClock(world, shop.scope, 61_000);
  await pursuedByAll(shop, machine.session.acquirerReference);
  const reference = (await machine.call()).reverseReference!;
  expect((await readCall(world, shop, reference)).kind).toBe('Reverse');
  await pursuedByAll(shop, reference);
  expect(reversalsOf(machine)).toHaveLength(1);
  expect((await machine.call()).outcome).toBe('Reversed');
  expect((await timersOf(world, shop)).filter((timer) => timer.includes(reference))).toEqual([]);
  await work(world, shop.scope);
  expect(await timersOf(world, shop)).toEqual([`intent-expiry ${machine.session.paymentIntentId}`]);
  await expectSound(world, shop);
});

test('the machine and the acquirer tell of an approval at the same moment, and it is taken once', async () => {
  const shop = await openShop(world);
  const machine = await expiredSale(shop);
  const approval = await machine.charge();
  await Promise.all([
    machine.report({ kind: 'approved', approval, isSignatureRequired: false }),
    pursuedByAll(shop, machine.session.acquirerReference),
  ]);
  expect(await historyOf(world, shop, machine.session.paymentIntentId!)).toEqual(['Captured']);
  expect(reversalsOf(machine)).toEqual([]);
  await expectSound(world, shop);
});

test('an approval and the order to undo it at the same moment: one of the two, never both', async () => {
  const shop = await openShop(world);
  for (let round = 0; round < 5; round += 1) {
    const machine = await expiredSale(shop);
    const approval = await machine.charge();
    await moveClock(world, shop.scope, 61_000);
    await Promise.all([
      machine.report({ kind: 'approved', approval, isSignatureRequired: false }),
      world.calls.pursue(shop.scope, machine.session.acquirerReference),
    ]);
    await work(world, shop.scope);
    const { status } = await readIntent(world, shop, machine.session.paymentIntentId!);
    const { outcome } = world.door.acquirer.inquire(machine.session.acquirerReference);
    expect([status, outcome]).toEqual(status === 'Captured' ? ['Captured', 'Approved'] : ['Created', 'Reversed']);
  }
  await expectSound(world, shop);
});
