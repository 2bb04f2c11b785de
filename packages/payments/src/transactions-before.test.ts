import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/timespan';
import { statement } from '@pos/store/statement';
import { Till } from './till/testing.js';
import { Machine, paidIntent } from './card-machine/testing.js';
import { act, createIntent, elapse, expectSound, openShop, openWorld, type Shop, type World } from './testing.js';

// Money that moved before there was a listing gets the lines that it would have got.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const BACKFILL = readFileSync(new URL('../../store/migrations/0021_transactions_before.sql', import.meta.url), 'utf8');
const LINES = statement(
  'test_lines',
  `select acquirer_reference, type, status, currency, amount::int, tips_amount::int, cashback_amount::int, auth_code, card,
     is_charge, intent_id, reference, payment_source, terminal_id
   from transactions where account_id = $1 and environment = $2 order by acquirer_reference`,
);
const NUMBERS = statement(
  'test_numbers',
  'select legacy_id::int as number from transactions where account_id = $1 and environment = $2 order by 1',
);
const LAST = statement(
  'test_last',
  'select last::int as number from transaction_counters where account_id = $1 and environment = $2',
);
const FORGET = statement('test_forget', 'delete from transactions where account_id = $1 and environment = $2');
const FORGET_ONE = statement(
  'test_forget_one',
  'delete from transactions where account_id = $1 and environment = $2 and acquirer_reference = $3',
);
const UNCOUNT = statement(
  'test_uncount',
  'delete from transaction_counters where account_id = $1 and environment = $2',
);

const ask = <Row>({ scope }: Shop, what: ReturnType<typeof statement>) =>
  world.database.read(scope, (reader) => reader.query<Row>(what, [scope.accountId, scope.environment]));

async function backfill(): Promise<void> {
  const owner = await world.place.open({ url: world.place.ownerUrl });
  await owner.dataSource.query(BACKFILL);
}

/** One of everything that leaves a line. */
async function everything(shop: Shop): Promise<void> {
  const till = new Till(world, shop);
  const sale = await paidIntent(world, shop, { tipsAmount: gbp(200), cashbackAmount: gbp(500) });
  const undone = await paidIntent(world, shop);
  await world.giveBack.run(shop.scope, { intentId: undone.intentId, reference: `undo ${shop.merchantId}` });
  const matched = await Machine.order(world, shop, {
    ...{ sessionType: 'MatchedRefund', paymentIntentId: sale.intentId, amount: gbp(300) },
  });
  await matched.approve();
  const unlinked = await Machine.order(world, shop, {
    ...{ sessionType: 'UnlinkedRefund', amount: gbp(400), cardHolderNotPresent: false },
  });
  await unlinked.approve();
  const no = await Machine.sale(world, shop, await createIntent(world, shop, { tipsAmount: gbp(100) }));
  await no.decline();
  const rejected = await Machine.sale(world, shop, await createIntent(world, shop));
  await rejected.approve(true);
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, rejected.session.id, false));
  await paidIntent(world, shop, { captureMode: 'Manual', tipsAmount: gbp(150) });
  for (const amounts of [[1_000], [1_000, 1_000]]) {
    const hold = await paidIntent(world, shop, { captureMode: 'Manual', amount: gbp(2_000) });
    for (const amount of amounts) expect(await till.capture(hold.intentId, amount)).toBe('done');
  }
  await paidIntent(world, shop, { captureMode: 'Manual', autoExpireInMs: 60_000 });
  await elapse(world, shop.scope, 8 * DAY_MS);
  await paidIntent(world, shop, { captureMode: 'Manual' });
}

test('money that moved before has the lines that it would have got, each once', async () => {
  const shop = await openShop(world);
  await everything(shop);
  await expectSound(world, shop);
  const lines = await ask<{ status: string; type: string }>(shop, LINES);
  expect([...new Set(lines.map(({ type, status }) => `${type} ${status}`))].sort()).toEqual(
    [
      'Collection Authorized',
      'PreAuth AwaitingCollection',
      'PreAuth Authorized',
      'PreAuth Expired',
      'PreAuth Released',
      'Refund Authorized',
      'Sale Authorized',
      'Sale Declined',
      'Sale Reversed',
    ].sort(),
  );
  for (const what of [FORGET, UNCOUNT]) {
    await world.database.transact(shop.scope, (tx) => tx.query(what, [shop.scope.accountId, shop.scope.environment]));
  }
  await backfill();
  expect(await ask(shop, LINES)).toEqual(lines);
  expect(await ask<{ number: number }>(shop, NUMBERS)).toEqual(lines.map((_, at) => ({ number: at + 1 })));
  await backfill();
  expect(await ask(shop, LINES)).toEqual(lines);
  expect(await ask(shop, LAST)).toEqual([{ number: lines.length }]);
  await expectSound(world, shop);
});

test('lines that there are stay as they are, and the others are counted on behind them', async () => {
  const shop = await openShop(world);
  const { reference } = await paidIntent(world, shop);
  await paidIntent(world, shop);
  const lines = await ask(shop, LINES);
  await world.database.transact(shop.scope, (tx) =>
    tx.query(FORGET_ONE, [shop.scope.accountId, shop.scope.environment, reference]),
  );
  await backfill();
  expect(await ask(shop, LINES)).toEqual(lines);
  expect(await ask(shop, NUMBERS)).toEqual([{ number: 2 }, { number: 3 }]);
});
