import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingAction, RefundDecision } from '@pos/core/operator-call';
import { callsOf, lockCall } from '@pos/store/acquirer-calls';
import type { Tx } from '@pos/store/database';
import { lockIntent } from '@pos/store/payment-intents';
import { statement } from '@pos/store/statement';
import { Machine, paidIntent } from './card-machine/testing.js';
import { Leases } from './leases.js';
import { OperatorDesk } from './operator-desk.js';
import { OrderPlacements } from './order-placements.js';
import { holdSession } from './session-effects.js';
import { TablePayments } from './table-payments.js';
import {
  act,
  createIntent,
  elapse,
  openShop,
  openWorld,
  readIntent,
  refusalOf,
  type Shop,
  work,
  type World,
} from './testing.js';
import { settleUndoRefund } from './undo-refund.js';

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

const OPERATOR = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;

function openDesk(): OperatorDesk {
  const { accounts, intents, sessions, queue, settings } = world;
  const leases = new Leases();
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  return new OperatorDesk({ leases, tablePayments, placements: new OrderPlacements({ queue }), settings });
}

const WAITING = statement(
  'transactions_that_wait',
  `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/** Resolves once a transaction of this database waits for a row of another one; rejects when none does for long. */
async function awaitWaiting(): Promise<void> {
  for (let looks = 0; looks < 1_000; looks += 1) {
    if ((await world.database.system((reader) => reader.query(WAITING, []))).length > 0) return;
    await pause(10);
  }
  throw new Error('nobody waits for a row');
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

interface Other<T> {
  readonly lock: (tx: Tx) => Promise<unknown>;
  readonly goOn: (tx: Tx) => Promise<T>;
}

/** Decides while another transaction has locked rows, which goes on once the decision waits. What either came to. */
async function decideDuring<T>(
  shop: Shop,
  wish: { readonly paymentId: string; readonly action: PendingAction | RefundDecision },
  { lock, goOn }: Other<T>,
): Promise<[T, string]> {
  const isLocked = deferred();
  const isWaiting = deferred();
  const other = act(world, shop, async (tx) => {
    await lock(tx);
    isLocked.resolve();
    await isWaiting.promise;
    return goOn(tx);
  });
  await isLocked.promise;
  const decision = { ...wish, caller: OPERATOR, note: 'seen in the books' };
  const decided = refusalOf(act(world, shop, (tx) => openDesk().resolve(tx, decision)));
  await awaitWaiting().finally(isWaiting.resolve);
  return Promise.all([other, decided]);
}

/** A refund of a paid intent on a machine whose session has expired. */
async function expiredRefund() {
  const shop = await openShop(world);
  const { intentId } = await paidIntent(world, shop);
  const wish = { sessionType: 'MatchedRefund', paymentIntentId: intentId, amount: null } as const;
  const machine = await Machine.order(world, shop, wish);
  await elapse(world, shop.scope, 10_000);
  return { shop, intentId, machine };
}

test.each([
  ['MarkRefunded', 2_000],
  ['MarkNotRefunded', 0],
] as const)('%s waits for a report that has locked the payment, and neither fails', async (action, refunded) => {
  const { shop, intentId, machine } = await expiredRefund();
  const paymentId = machine.session.id;
  const both = await decideDuring(
    shop,
    { paymentId, action },
    {
      // As a report does that is heard: the intent first, and the session and its call behind it.
      lock: (tx) => lockIntent(tx, intentId),
      goOn: async (tx) => (await holdSession(tx, paymentId))?.isAttemptOpen,
    },
  );
  expect(both).toEqual([true, 'done']);
  expect((await readIntent(world, shop, intentId)).refunded.value).toBe(refunded);
});

test.each(['MarkRefunded', 'MarkNotRefunded', 'RetryNow'] as const)(
  '%s is refused when the refund ends while it waits',
  async (action) => {
    const { shop, intentId, machine } = await expiredRefund();
    const paymentId = machine.session.id;
    const desk = openDesk();
    const first = { caller: OPERATOR, note: 'the first', paymentId, action: 'MarkRefunded' } as const;
    const both = await decideDuring(
      shop,
      { paymentId, action },
      {
        lock: (tx) => holdSession(tx, paymentId),
        goOn: (tx) => refusalOf(desk.resolve(tx, first)),
      },
    );
    expect(both).toEqual(['done', 'pending_payment_not_decidable']);
    expect((await readIntent(world, shop, intentId)).refunded.value).toBe(2_000);
  },
);

const DONE = { isDone: true, isFailure: false, result: null } as const;

test('RetryNow orders no second refund when the refund in place of a reversal ends while it waits', async () => {
  const shop = await openShop(world);
  const machine = await Machine.sale(world, shop, await createIntent(world, shop));
  await machine.approve(true);
  await act(world, shop, (tx) => world.sessions.decideSignature(tx, machine.session.id, false));
  world.door.rules.replace([
    { match: { kind: 'Reverse' }, effect: 'refuse', status: 'FAILED_PRECONDITION' },
    { match: { kind: 'Refund' }, effect: 'drop-answer' },
  ]);
  await work(world, shop.scope);
  const calls = () => world.database.read(shop.scope, (reader) => callsOf(reader, machine.session.paymentIntentId!));
  const [original, reversal, refund] = await calls();
  expect([reversal?.state, refund?.kind]).toEqual(['Declined', 'Refund']);
  const [, decided] = await decideDuring(
    shop,
    { paymentId: reversal!.reference, action: 'RetryNow' },
    {
      lock: (tx) => lockCall(tx, reversal!.reference),
      goOn: (tx) => settleUndoRefund(tx, { refund: refund!, original: original!, verdict: DONE }),
    },
  );
  expect(decided).toBe('pending_payment_not_decidable');
  expect((await calls()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'Authorise Settled',
    'Reverse Settled',
    'Refund Settled',
  ]);
});
