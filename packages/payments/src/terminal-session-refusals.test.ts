import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionStatus } from '@pos/core/terminal-session';
import { gbp } from '@pos/core/testing';
import {
  act,
  createIntent,
  elapse,
  expectSound,
  FULL,
  moveClock,
  openShop,
  openWorld,
  refusalOf,
  type Shop,
  work,
  type World,
} from './testing.js';
import { Machine, paidIntent } from './card-machine/testing.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.close();
});

const confirmed = async (machine: Machine): Promise<void> => {
  await machine.confirm();
};
const signed = async (machine: Machine): Promise<void> => {
  await machine.confirm();
  await machine.approve(true);
};
const cancel = ({ session }: Machine, shop: Shop) => act(world, shop, (tx) => world.sessions.cancel(tx, session.id));
const judge = ({ session }: Machine, shop: Shop, isAccepted: boolean) =>
  act(world, shop, (tx) => world.sessions.decideSignature(tx, session.id, isAccepted));

describe('what is refused', () => {
  const IN: readonly (readonly [string, (machine: Machine, shop: Shop) => Promise<unknown>, SessionStatus])[] = [
    ['nothing has happened yet', async () => undefined, 'InitiateRequested'],
    ['it is at work', confirmed, 'Initiated'],
    ['a signature is awaited', signed, 'SignatureVerificationRequired'],
    ['it was paid', (machine) => machine.approve(), 'Captured'],
    ['it was declined', (machine) => machine.decline(), 'Declined'],
    ['it was cancelled', (machine) => machine.report({ kind: 'unable', reason: 'no paper' }), 'Canceled'],
    ['it expired', (_, shop) => elapse(world, shop.scope, 10_000), 'Expired'],
    [
      'the signature was rejected',
      async (machine, shop) => {
        await signed(machine);
        await judge(machine, shop, false);
      },
      'SignatureVerificationRejected',
    ],
  ];
  const CANCELABLE: readonly SessionStatus[] = ['InitiateRequested', 'Initiated'];

  test.each(IN)('cancelling or judging a session when %s', async (_says, happens, status) => {
    const shop = await openShop(world);
    const machine = await Machine.sale(world, shop, await createIntent(world, shop));
    await happens(machine, shop);
    expect((await machine.read()).status).toBe(status);
    const mayCancel = CANCELABLE.includes(status);
    if (status !== 'SignatureVerificationRequired') {
      expect(await refusalOf(judge(machine, shop, true))).toBe('signature_not_awaited');
      expect(await refusalOf(judge(machine, shop, false))).toBe('signature_not_awaited');
    }
    expect(await refusalOf(cancel(machine, shop))).toBe(mayCancel ? 'done' : 'terminal_session_not_cancelable');
  });

  test.each(['PleaseWait', 'EnterPin', 'RemoveCard', 'Approved', 'Declined'] as const)(
    'cancelling once the machine shows %s, for a card is in',
    async (notification) => {
      const shop = await openShop(world);
      const machine = await Machine.sale(world, shop, await createIntent(world, shop));
      await machine.confirm();
      await machine.show('PresentCard');
      await machine.show(notification);
      expect(await refusalOf(cancel(machine, shop))).toBe('terminal_session_not_cancelable');
    },
  );

  test('rejecting a signature after the 80 s, before anybody looked at the clock: silence has accepted it', async () => {
    const shop = await openShop(world);
    const machine = await Machine.sale(world, shop, await createIntent(world, shop));
    await signed(machine);
    await moveOn(shop, 80_000);
    expect(await refusalOf(judge(machine, shop, false))).toBe('signature_not_awaited');
    await work(world, shop.scope);
    expect((await machine.read()).status).toBe('Captured');
  });

  test('a session on a machine that is busy, away or unknown, or of an intent that is unknown or finished', async () => {
    const shop = await openShop(world);
    const other = await openShop(world);
    const [busy, free] = shop.terminals;
    const { intentId: paid } = await paidIntent(world, shop);
    const intentId = await createIntent(world, shop);
    const sale = (terminalId: string, paymentIntentId: string, from = shop) =>
      refusalOf(
        act(world, from, (tx) => world.sessions.create(tx, FULL, { sessionType: 'Sale', terminalId, paymentIntentId })),
      );
    expect(await sale(free.id, paid)).toBe('payment_intent_not_payable');
    expect(await sale(free.id, 'pi_unknown')).toBe('payment_intent_not_found');
    expect(await sale(other.terminals[0].id, intentId)).toBe('terminal_not_found');
    expect(await sale(other.terminals[0].id, intentId, other)).toBe('payment_intent_not_found');
    expect(await sale(busy.id, await createIntent(world, shop))).toBe('done');
    expect(await sale(busy.id, intentId)).toBe('terminal_unavailable');
    expect(await sale(free.id, intentId)).toBe('done');
    await expectSound(world, shop);
  });

  test('an unlinked refund without the permission, whatever else is wrong with it', async () => {
    const shop = await openShop(world);
    const wish = { sessionType: 'UnlinkedRefund', amount: gbp(500), cardHolderNotPresent: false } as const;
    const nobody = { permissions: new Set<never>() };
    const create = (terminalId: string) =>
      refusalOf(act(world, shop, (tx) => world.sessions.create(tx, nobody, { ...wish, terminalId })));
    expect(await create(shop.terminals[0].id)).toBe('permission_missing');
    expect(await create('tm_unknown')).toBe('permission_missing');
  });

  test('a report of a machine that does not run the session: it is stopped, and nothing has changed', async () => {
    const shop = await openShop(world);
    const machine = await Machine.sale(world, shop, await createIntent(world, shop));
    const [, terminal] = shop.terminals;
    const stranger = await act(world, shop, (tx) =>
      world.sessions.report(tx, { terminal, sessionId: machine.session.id, report: { kind: 'confirmed', number: 1 } }),
    );
    const unknown = await act(world, shop, (tx) =>
      world.sessions.report(tx, { terminal, sessionId: 'ts_unknown', report: { kind: 'confirmed', number: 1 } }),
    );
    expect([stranger, unknown]).toEqual([{ stop: true }, { stop: true }]);
    expect(await machine.read()).toEqual(machine.session);
  });
});

function moveOn(shop: Shop, byMs: number): Promise<void> {
  return moveClock(world, shop.scope, byMs);
}
