import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTablePayment, type TablePayment } from '@pos/core/table-payment';
import { gbp } from '@pos/core/testing';
import { Machine } from './card-machine/testing.js';
import { cardOutcome } from './table-payment-outcome.js';
import { act, createIntent, openShop, openWorld, type Shop, type World } from './testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function tablePaymentOf(shop: Shop, machine: Machine): Promise<TablePayment> {
  const id = await act(world, shop, (tx) => tx.newUuid());
  const { payment } = startTablePayment(
    {
      ...{ id, origin: 'journey', journeyId: null, leaseId: null, sessionId: 'S-1', orderId: null },
      ...{ base: gbp(2000), gratuity: gbp(0), cashback: gbp(0), paidBefore: gbp(0) },
      intentId: machine.session.paymentIntentId,
    },
    new Date(),
  );
  return { ...payment, terminalSessionId: machine.session.id };
}

test('an approval that is being stored while the table looks is waited for, never taken for a refusal', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  const payment = await tablePaymentOf(shop, machine);
  const approval = await machine.charge();
  const other = await world.place.open();
  const looking = await act(world, shop, async (tx) => {
    const report = { kind: 'approved', number: 2, approval, isSignatureRequired: false } as const;
    await world.sessions.report(tx, { terminal: shop.terminals[0], sessionId: machine.session.id, report });
    const outcome = other.transact(shop.scope, (seen) => cardOutcome(seen, payment));
    // Long enough for a look that does not wait to have come to its own, wrong end.
    await Promise.race([outcome, pause(200)]);
    return { outcome };
  });
  expect(await looking.outcome).toMatchObject({ kind: 'taken', intent: { status: 'Captured' } });
});

test.each([
  ['declined', (machine: Machine) => machine.decline(), { kind: 'ended', reason: 'declined' }],
  [
    'cancelled at the machine',
    (machine: Machine) => machine.report({ kind: 'canceled' }),
    { kind: 'ended', reason: 'cancelled' },
  ],
  ['still asking for a card', (machine: Machine) => machine.show('PresentCard'), null],
  ['waiting for a signature', (machine: Machine) => machine.approve(true), null],
  ['approved', (machine: Machine) => machine.approve(), { kind: 'taken' }],
] as const)('a card payment that is %s', async (_, happens, outcome) => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.confirm();
  await happens(machine);
  const payment = await tablePaymentOf(shop, machine);
  const seen = await act(world, shop, (tx) => cardOutcome(tx, payment));
  if (outcome === null) expect(seen).toBeNull();
  else expect(seen).toMatchObject(outcome);
});
