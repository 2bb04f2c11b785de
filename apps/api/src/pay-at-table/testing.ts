import { randomUUID } from 'node:crypto';
import { acquireLease, type Lease, paymentOpened } from '@pos/core/lease';
import { money, zero } from '@pos/core/money';
import type { RecordAnswer } from '@pos/core/record-answer';
import { relayTablePayment, type TablePayment } from '@pos/core/table-payment';
import { step } from '@pos/core/table-payment-step';
import { insertLease } from '@pos/store/leases';
import { insertTablePayment } from '@pos/store/table-payments';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

/** A session that a device holds; `openPayments`: with money that has not arrived yet. */
export async function heldLease(world: ApiWorld, { openPayments = 0 } = {}): Promise<Lease> {
  return world.place.database.transact(world.sandbox, async (tx) => {
    const wish = {
      leaseId: await tx.newUuid(),
      sessionId: randomUUID(),
      owner: '90000001',
      requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 42 } as const,
      lengthMs: 600_000,
    };
    const held = acquireLease(null, wish, tx.databaseNow);
    if (held.outcome !== 'held') throw new Error('nobody else wants it');
    let { lease } = held;
    for (let count = 0; count < openPayments; count += 1) {
      const opened = paymentOpened(lease);
      if (opened.outcome === 'held') ({ lease } = opened);
    }
    await insertLease(tx, { ...lease, eposLocked: true });
    return lease;
  });
}

/** Money that a device has taken and that its EPOS does not answer for; `isOurs`: through an intent of ours. */
export async function pendingPayment(
  world: ApiWorld,
  { isOurs = true, answer = 'NoAnswer' }: { readonly isOurs?: boolean; readonly answer?: RecordAnswer } = {},
): Promise<TablePayment> {
  const intentId = isOurs ? ((await world.intentIn('Captured')) as `pi_${string}`) : null;
  const lease = await heldLease(world, { openPayments: 1 });
  return world.place.database.transact(world.sandbox, async (tx) => {
    const part = {
      ...({ id: await tx.newUuid(), origin: 'device', journeyId: null, leaseId: lease.leaseId } as const),
      ...{ sessionId: lease.sessionId, orderId: null, intentId, paidBefore: zero('GBP') },
      ...{ base: money(2_000, 'GBP'), gratuity: zero('GBP'), cashback: zero('GBP') },
    };
    const { payment: arrived } = relayTablePayment(part, new Uint8Array(1), tx.databaseNow);
    const calling = step(arrived, { kind: 'due' }, tx.databaseNow).payment;
    const waiting = step(calling, { kind: 'recordAnswered', answer }, tx.databaseNow).payment;
    await insertTablePayment(tx, waiting);
    return waiting;
  });
}

/** A refund on a card machine that has fallen silent, by the id of its session. */
export async function silentRefund(world: ApiWorld): Promise<string> {
  const { id } = await world.refundSession(await world.intentIn('Captured'), 500);
  await world.report(id, { kind: 'confirmed', number: 1 });
  await world.look(`update terminal_sessions set expire_at = created_at where id = $1 returning id`, [id]);
  await world.place.database.transact(world.sandbox, (tx) => world.sessions.applyWindowExpiry(tx, id));
  return id;
}

type World = () => ApiWorld;

const RETRY = { action: 'RetryNow', note: 'the till is back' };
const RELEASE = { reason: 'the machine was dropped' };
const resolveOf = (paymentId: string): string => `/pay-at-table/pending/${paymentId}/resolve`;
const releaseOf = (leaseId: string): string => `/pay-at-table/leases/${leaseId}/release`;

/** A request of each operation of an operator, which it accepts. */
export function operatorRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    listPendingPayments: () => Promise.resolve({ path: '/pay-at-table/pending' }),
    resolvePendingPayment: async () => ({
      path: resolveOf((await pendingPayment(world())).id),
      body: RETRY,
      wrong: { body: { action: 'Forget', note: '' } },
    }),
    listTableLeases: () => Promise.resolve({ path: '/pay-at-table/leases' }),
    releaseTableLease: async () => ({
      path: releaseOf((await heldLease(world())).leaseId),
      body: RELEASE,
      wrong: { body: { reason: '', confirm: 'yes' } },
    }),
    replayEposEvents: () =>
      Promise.resolve({
        path: '/pay-at-table/epos-events/replay',
        body: { note: 'the till was out of order' },
        wrong: { body: { note: '', from: 'yesterday' } },
      }),
    listTableOperatorCalls: () =>
      Promise.resolve({ path: '/pay-at-table/operator-calls', wrong: { query: '?limit=0' } }),
  };
}

/** How each operation of an operator refuses by its own rules. */
export function operatorRefusals(world: World): readonly Own[] {
  return [...refusedToResolve(world), ...refusedToRelease(world)];
}

function refusedToResolve(world: World): readonly Own[] {
  const wrong = (members: string[], body: unknown): Own => [
    'resolvePendingPayment',
    'validation_failed',
    members,
    async () => at(resolveOf((await pendingPayment(world())).id), body),
  ];
  const unknown = (id: () => Promise<string> | string, key?: () => string): Own => [
    'resolvePendingPayment',
    'pending_payment_not_found',
    [],
    async () => at(resolveOf(await id()), RETRY, key?.()),
  ];
  const undecidable = (action: string, id: () => Promise<string>): Own => [
    'resolvePendingPayment',
    'pending_payment_not_decidable',
    [],
    async () => at(resolveOf(await id()), { ...RETRY, action }),
  ];
  return [
    wrong(['action'], { note: 'x' }),
    wrong(['action'], { action: 'Refund', note: 'x' }),
    wrong(['note'], { action: 'GiveBack' }),
    wrong(['note'], { action: 'GiveBack', note: '' }),
    wrong(['note'], { action: 'GiveBack', note: 'x'.repeat(1025) }),
    wrong(['note'], { action: 'GiveBack', note: 'paid by 4242 4242 4242 4242' }),
    unknown(() => randomUUID()),
    unknown(() => 'x'),
    unknown(() => '%00'),
    unknown(() => encodeURIComponent("' or 1=1 --")),
    unknown(() => 'ts_sandbox_000000000000000000000000'),
    unknown(async () => (await world().sale(await world().intentIn('Created'))).id),
    unknown(
      async () => (await pendingPayment(world())).id,
      () => world().keys.foreign,
    ),
    unknown(
      async () => (await pendingPayment(world())).id,
      () => world().keys.production,
    ),
    unknown(
      () => silentRefund(world()),
      () => world().keys.foreign,
    ),
    undecidable('GiveBack', async () => (await pendingPayment(world(), { isOurs: false })).id),
    undecidable('RetryNow', async () => resolved(world(), 'MarkRecorded')),
    undecidable('GiveBack', async () => resolved(world(), 'MarkRecorded')),
    undecidable('MarkRecorded', () => silentRefund(world())),
    undecidable('MarkRefunded', async () => (await pendingPayment(world())).id),
    undecidable('MarkNotRefunded', async () => {
      const id = await silentRefund(world());
      await world().send('POST', resolveOf(id), { body: { ...RETRY, action: 'MarkNotRefunded' } });
      return id;
    }),
    undecidable('GiveBack', () => silentRefund(world())),
    undecidable('SettleAsListed', () => silentRefund(world())),
    undecidable(
      'SettleAsListed',
      async () => (await world().refundSession(await world().intentIn('Captured'), 500)).id,
    ),
    undecidable('RetryNow', async () => (await world().refundSession(await world().intentIn('Captured'), 500)).id),
    undecidable('RetryNow', async () => {
      const { id } = await world().refundSession(await world().intentIn('Captured'), 500);
      await world().approve(id);
      return id;
    }),
  ];
}

function refusedToRelease(world: World): readonly Own[] {
  const wrong = (members: string[], body: unknown): Own => [
    'releaseTableLease',
    'validation_failed',
    members,
    async () => at(releaseOf((await heldLease(world())).leaseId), body),
  ];
  const unknown = (id: () => Promise<string> | string, key?: () => string): Own => [
    'releaseTableLease',
    'lease_not_found',
    [],
    async () => at(releaseOf(await id()), RELEASE, key?.()),
  ];
  const open = (body: unknown): Own => [
    'releaseTableLease',
    'lease_money_open',
    [],
    async () => at(releaseOf((await heldLease(world(), { openPayments: 1 })).leaseId), body),
  ];
  return [
    wrong(['reason'], {}),
    wrong(['reason'], { reason: '' }),
    wrong(['reason'], { reason: 'x'.repeat(1025) }),
    wrong(['confirm'], { ...RELEASE, confirm: 'perhaps' }),
    unknown(() => randomUUID()),
    unknown(() => '%00'),
    unknown(
      async () => (await heldLease(world())).leaseId,
      () => world().keys.foreign,
    ),
    unknown(
      async () => (await heldLease(world())).leaseId,
      () => world().keys.production,
    ),
    open(RELEASE),
    open({ ...RELEASE, confirm: false }),
    [
      'releaseTableLease',
      'lease_over',
      [],
      async () => {
        const path = releaseOf((await heldLease(world())).leaseId);
        await world().send('POST', path, { body: RELEASE });
        return at(path, { ...RELEASE, confirm: true });
      },
    ],
  ];
}

async function resolved(world: ApiWorld, action: string): Promise<string> {
  const { id } = await pendingPayment(world);
  await world.send('POST', resolveOf(id), { body: { ...RETRY, action } });
  return id;
}
