import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Machine, paidIntent } from './card-machine/testing.js';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  FULL,
  heardOf,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  type World,
} from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

const AT_ONCE = 50;

const sale = (shop: Shop, terminalId: string, paymentIntentId: string) =>
  refusalOf(
    act(world, shop, (tx) => world.sessions.create(tx, FULL, { sessionType: 'Sale', terminalId, paymentIntentId })),
  );
const cancelIntent = (shop: Shop, id: string) => refusalOf(act(world, shop, (tx) => world.intents.cancel(tx, id)));

function counted(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test('fifty sales of one intent on two machines at once: one begins', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => sale(shop, shop.terminals[index % 2 === 0 ? 0 : 1].id, intentId)),
  );
  const { done, ...refused } = counted(outcomes);
  expect(done).toBe(1);
  expect(Object.keys(refused).every((code) => ['payment_intent_busy', 'terminal_unavailable'].includes(code))).toBe(
    true,
  );
  await expectSound(world, shop);
});

test('fifty intents want one machine at once: one gets it, the others are told that it is busy', async () => {
  const shop = await openShop(world);
  const [terminal] = shop.terminals;
  const intents: string[] = [];
  for (let index = 0; index < AT_ONCE; index += 1) intents.push(await createIntent(world, shop));
  const outcomes = await Promise.all(intents.map((id) => sale(shop, terminal.id, id)));
  expect(counted(outcomes)).toEqual({ done: 1, terminal_unavailable: AT_ONCE - 1 });
});

test('an intent cannot be cancelled while a session runs on it, and again once that has ended', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  expect(await cancelIntent(shop, intentId)).toBe('payment_intent_busy');
  await machine.approve(true);
  expect(await cancelIntent(shop, intentId)).toBe('payment_intent_busy');
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
  expect(await cancelIntent(shop, intentId)).toBe('payment_intent_not_cancelable');
  const other = await createIntent(world, shop);
  const second = await Machine.sale(world, shop, other);
  await second.report({ kind: 'canceled' });
  await second.report({ kind: 'unable', reason: 'no paper' });
  expect(await cancelIntent(shop, other)).toBe('done');
  await elapse(world, shop.scope, 1_000);
  await expectSound(world, shop);
});

test('a DELETE and a session of one intent at the same moment: one wins, and the loser is told', async () => {
  const shop = await openShop(world);
  const seen = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const intentId = await createIntent(world, shop);
    const begin = () => sale(shop, shop.terminals[0].id, intentId);
    const end = () => cancelIntent(shop, intentId);
    const first = round % 2 === 0 ? [end(), begin()] : [begin(), end()].reverse();
    const [ended, begun] = await Promise.all(first);
    seen.add(`${ended} ${begun}`);
    const { status } = await readIntent(world, shop, intentId);
    expect(status).toBe(ended === 'done' ? 'Canceled' : 'Created');
    if (begun !== 'done') continue;
    // Frees the machine for the next round.
    const [session] = await world.database.read(
      shop.scope,
      async (reader) => (await world.intents.get(reader, intentId, { returnCanceled: true })).sessions,
    );
    await act(world, shop, (tx) =>
      world.sessions.report(tx, {
        ...{ terminal: shop.terminals[0], sessionId: session!.session.id },
        report: { kind: 'unable', reason: 'next round', number: 1 },
      }),
    );
  }
  for (const outcome of seen)
    expect(['done payment_intent_not_payable', 'payment_intent_busy done']).toContain(outcome);
  await expectSound(world, shop);
});

test('twenty refunds of all that was taken at once, on two machines: one is begun', async () => {
  const shop = await openShop(world);
  const { intentId } = await paidIntent(world, shop);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      refusalOf(
        Machine.order(world, shop, {
          ...{ sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null },
          terminal: shop.terminals[index % 2 === 0 ? 0 : 1],
        }),
      ),
    ),
  );
  expect(counted(outcomes)['done']).toBe(1);
  expect((await readIntent(world, shop, intentId)).pendingRefund.value).toBe(2_000);
});

test('a decision on a signature and its silence at the same moment: one of them counts', async () => {
  const shop = await openShop(world);
  for (let round = 0; round < 4; round += 1) {
    const machine = await Machine.sale(world, shop, await createIntent(world, shop));
    await machine.approve(true);
    const judge = (isAccepted: boolean) =>
      refusalOf(act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, isAccepted)));
    const outcomes = await Promise.all([judge(true), judge(false), judge(true), judge(false)]);
    expect(counted(outcomes)).toEqual({ done: 1, signature_not_awaited: 3 });
    await elapse(world, shop.scope, 80_000);
    const heard = await heardOf(world, shop.scope, machine.session.id);
    expect(heard.filter((each) => /Captured|Rejected/.test(each))).toHaveLength(1);
  }
  await expectSound(world, shop);
});

test('a machine repeats its approval on many streams at once: it is taken once', async () => {
  const shop = await openShop(world);
  const intentId = await createIntent(world, shop);
  const machine = await Machine.sale(world, shop, intentId);
  const approval = await machine.charge();
  const report = { kind: 'approved', approval, isSignatureRequired: false, number: 1 } as const;
  await Promise.all(Array.from({ length: 12 }, () => machine.send(report)));
  expect(await heardOf(world, shop.scope, intentId)).toEqual(['created Created', 'Captured']);
  await expectSound(world, shop);
});
