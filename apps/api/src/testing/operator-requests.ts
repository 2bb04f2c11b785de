import { randomUUID } from 'node:crypto';
import {
  acquireLease,
  createRelayedPayment,
  createUnprovedPayment,
  type Lease,
  openPayment,
  type RecordAnswer,
  stepTablePayment,
  type TablePayment,
} from '@pos/core/tables';
import { money, zeroMoney } from '@pos/core/money';
import { requireValue } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import { findOpenDifference, recordFindings } from '@pos/store/reconciliation';
import { insertLease, insertTablePayment } from '@pos/store/tables';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

/** A lease that a device holds; `openPayments`: with money that is not recorded yet. */
export async function createLease(testEnvironment: ApiTestEnvironment, { openPayments = 0 } = {}): Promise<Lease> {
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const request = {
      leaseId: await tx.newUuid(),
      sessionId: randomUUID(),
      owner: '90000001',
      requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 42 } as const,
      lengthMs: 600_000,
    };
    const held = acquireLease(null, request, tx.databaseNow);
    if (held.outcome !== 'held') throw new Error('the lease is not free');
    let { lease } = held;
    for (let count = 0; count < openPayments; count += 1) {
      const opened = openPayment(lease);
      if (opened.outcome === 'held') ({ lease } = opened);
    }
    await insertLease(tx, { ...lease, eposLocked: true });
    return lease;
  });
}

/** A payment of a device that its EPOS has not answered; `isOurs`: paid through our own intent. */
export async function createPendingPayment(
  testEnvironment: ApiTestEnvironment,
  { isOurs = true, answer = 'NoAnswer' }: { readonly isOurs?: boolean; readonly answer?: RecordAnswer } = {},
): Promise<TablePayment> {
  const intentId = isOurs ? ((await testEnvironment.createIntentIn('Captured')) as `pi_${string}`) : null;
  const lease = await createLease(testEnvironment, { openPayments: 1 });
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const part = {
      ...({ id: await tx.newUuid(), origin: 'device', journeyId: null, leaseId: lease.leaseId } as const),
      ...{ sessionId: lease.sessionId, orderId: null, intentId, paidBefore: zeroMoney('GBP') },
      ...{ base: money(2_000, 'GBP'), gratuity: zeroMoney('GBP'), cashback: zeroMoney('GBP') },
    };
    const { payment: arrived } = createRelayedPayment(part, new Uint8Array(1), tx.databaseNow);
    const calling = stepTablePayment(arrived, { kind: 'due' }, tx.databaseNow).payment;
    const waiting = stepTablePayment(calling, { kind: 'recordAnswered', answer }, tx.databaseNow).payment;
    await insertTablePayment(tx, waiting);
    return waiting;
  });
}

/** A payment of a device whose card transaction was looked for and not found. */
export async function createUnprovedRecord(testEnvironment: ApiTestEnvironment): Promise<TablePayment> {
  const lease = await createLease(testEnvironment, { openPayments: 1 });
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const part = {
      ...({ id: await tx.newUuid(), origin: 'device', journeyId: null, leaseId: lease.leaseId } as const),
      ...{ sessionId: lease.sessionId, orderId: null, intentId: null, paidBefore: zeroMoney('GBP') },
      ...{ base: money(2_000, 'GBP'), gratuity: zeroMoney('GBP'), cashback: zeroMoney('GBP') },
    };
    const { payment } = createUnprovedPayment(part, new Uint8Array(1), tx.databaseNow);
    await insertTablePayment(tx, payment);
    return payment;
  });
}

/** A captured payment that the acquirer has not booked, with its difference; returns the id of the difference. */
export async function createNotBookedDifference(testEnvironment: ApiTestEnvironment): Promise<string> {
  const intentId = await testEnvironment.createIntentIn('Captured');
  const [call] = await testEnvironment.queryRows<{ reference: string }>(
    `select reference from acquirer_calls where intent_id = $1 and kind = 'Authorise'`,
    [intentId],
  );
  const reference = call?.reference ?? '';
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const happenedAt = tx.databaseNow;
    const span = { from: new Date(happenedAt.getTime() - DAY_MS), to: new Date(happenedAt.getTime() + DAY_MS) };
    await recordFindings(tx, { kinds: ['NotBooked'], span }, [
      {
        ...{ kind: 'NotBooked', reference, paymentIntentId: null, acquirer: 'default', amount: money(2_000, 'GBP') },
        ...{ ours: 'Authorise of 2000 GBP', theirs: null, says: 'not booked', happenedAt },
      },
    ]);
    const found = await findOpenDifference(tx, 'NotBooked', reference);
    return requireValue(found, 'the difference').id;
  });
}

/** A refund on a card machine that stopped answering; returns the id of its session. */
export async function createUnansweredRefund(testEnvironment: ApiTestEnvironment): Promise<string> {
  const { id } = await testEnvironment.startRefundSession(await testEnvironment.createIntentIn('Captured'), 500);
  await testEnvironment.applyReport(id, { kind: 'confirmed', number: 1 });
  await testEnvironment.queryRows(`update terminal_sessions set expire_at = created_at where id = $1 returning id`, [
    id,
  ]);
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, (tx) =>
    testEnvironment.sessions.applyWindowExpiry(tx, id),
  );
  return id;
}

type EnvironmentGetter = () => ApiTestEnvironment;

const RETRY_BODY = { action: 'RetryNow', note: 'the EPOS is back' };
const RELEASE_BODY = { reason: 'the machine was dropped' };
const buildResolvePath = (paymentId: string): string => `/pay-at-table/pending/${paymentId}/resolve`;
const buildReleasePath = (leaseId: string): string => `/pay-at-table/leases/${leaseId}/release`;

/** An accepted request for each operation of an operator. */
export function createOperatorRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    listPendingPayments: () => Promise.resolve({ path: '/pay-at-table/pending' }),
    resolvePendingPayment: async () => ({
      path: buildResolvePath((await createPendingPayment(testEnvironment())).id),
      body: RETRY_BODY,
      invalid: { body: { action: 'Forget', note: '' } },
    }),
    listTableLeases: () => Promise.resolve({ path: '/pay-at-table/leases' }),
    releaseTableLease: async () => ({
      path: buildReleasePath((await createLease(testEnvironment())).leaseId),
      body: RELEASE_BODY,
      invalid: { body: { reason: '', confirm: 'yes' } },
    }),
    replayEposEvents: () =>
      Promise.resolve({
        path: '/pay-at-table/epos-events/replay',
        body: { note: 'the EPOS was out of order' },
        invalid: { body: { note: '', from: 'yesterday' } },
      }),
    listTableOperatorCalls: () =>
      Promise.resolve({ path: '/pay-at-table/operator-calls', invalid: { query: '?limit=0' } }),
  };
}

/** The refusals that each operation of an operator declares for itself. */
export function createOperatorRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ...listResolveRefusals(testEnvironment),
    ...listUndecidableRefusals(testEnvironment),
    ...listReleaseRefusals(testEnvironment),
  ];
}

function listResolveRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const invalid = (members: string[], body: unknown): RefusalCase => [
    'resolvePendingPayment',
    'validation_failed',
    members,
    async () => createRequest(buildResolvePath((await createPendingPayment(testEnvironment())).id), body),
  ];
  const unknown = (id: () => Promise<string> | string, key?: () => string): RefusalCase => [
    'resolvePendingPayment',
    'pending_payment_not_found',
    [],
    async () => createRequest(buildResolvePath(await id()), RETRY_BODY, key?.()),
  ];
  return [
    invalid(['action'], { note: 'x' }),
    invalid(['action'], { action: 'Refund', note: 'x' }),
    invalid(['note'], { action: 'GiveBack' }),
    invalid(['note'], { action: 'GiveBack', note: '' }),
    invalid(['note'], { action: 'GiveBack', note: 'x'.repeat(1025) }),
    invalid(['note'], { action: 'GiveBack', note: 'paid by 4242 4242 4242 4242' }),
    unknown(() => randomUUID()),
    unknown(() => 'x'),
    unknown(() => '%00'),
    unknown(() => encodeURIComponent("' or 1=1 --")),
    unknown(() => 'ts_sandbox_000000000000000000000000'),
    unknown(async () => (await testEnvironment().startSale(await testEnvironment().createIntentIn('Created'))).id),
    unknown(
      async () => (await createPendingPayment(testEnvironment())).id,
      () => testEnvironment().keys.foreign,
    ),
    unknown(
      async () => (await createPendingPayment(testEnvironment())).id,
      () => testEnvironment().keys.production,
    ),
    unknown(
      () => createUnansweredRefund(testEnvironment()),
      () => testEnvironment().keys.foreign,
    ),
  ];
}

function listUndecidableRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const undecidable = (action: string, id: () => Promise<string>): RefusalCase => [
    'resolvePendingPayment',
    'pending_payment_not_decidable',
    [],
    async () => createRequest(buildResolvePath(await id()), { ...RETRY_BODY, action }),
  ];
  return [
    undecidable('GiveBack', async () => (await createPendingPayment(testEnvironment(), { isOurs: false })).id),
    undecidable('RetryNow', async () => createResolvedPayment(testEnvironment(), 'MarkRecorded')),
    undecidable('GiveBack', async () => createResolvedPayment(testEnvironment(), 'MarkRecorded')),
    undecidable('MarkRecorded', () => createUnansweredRefund(testEnvironment())),
    undecidable('MarkRefunded', async () => (await createPendingPayment(testEnvironment())).id),
    undecidable('MarkNotRefunded', async () => {
      const id = await createUnansweredRefund(testEnvironment());
      await testEnvironment().sendRequest('POST', buildResolvePath(id), {
        body: { ...RETRY_BODY, action: 'MarkNotRefunded' },
      });
      return id;
    }),
    undecidable('GiveBack', () => createUnansweredRefund(testEnvironment())),
    undecidable('SettleAsListed', () => createUnansweredRefund(testEnvironment())),
    undecidable(
      'SettleAsListed',
      async () =>
        (await testEnvironment().startRefundSession(await testEnvironment().createIntentIn('Captured'), 500)).id,
    ),
    undecidable(
      'RetryNow',
      async () =>
        (await testEnvironment().startRefundSession(await testEnvironment().createIntentIn('Captured'), 500)).id,
    ),
    undecidable('RetryNow', async () => {
      const { id } = await testEnvironment().startRefundSession(
        await testEnvironment().createIntentIn('Captured'),
        500,
      );
      await testEnvironment().approveSession(id);
      return id;
    }),
  ];
}

function listReleaseRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const invalid = (members: string[], body: unknown): RefusalCase => [
    'releaseTableLease',
    'validation_failed',
    members,
    async () => createRequest(buildReleasePath((await createLease(testEnvironment())).leaseId), body),
  ];
  const unknown = (id: () => Promise<string> | string, key?: () => string): RefusalCase => [
    'releaseTableLease',
    'lease_not_found',
    [],
    async () => createRequest(buildReleasePath(await id()), RELEASE_BODY, key?.()),
  ];
  const open = (body: unknown): RefusalCase => [
    'releaseTableLease',
    'lease_money_open',
    [],
    async () =>
      createRequest(buildReleasePath((await createLease(testEnvironment(), { openPayments: 1 })).leaseId), body),
  ];
  return [
    invalid(['reason'], {}),
    invalid(['reason'], { reason: '' }),
    invalid(['reason'], { reason: 'x'.repeat(1025) }),
    invalid(['confirm'], { ...RELEASE_BODY, confirm: 'perhaps' }),
    unknown(() => randomUUID()),
    unknown(() => '%00'),
    unknown(
      async () => (await createLease(testEnvironment())).leaseId,
      () => testEnvironment().keys.foreign,
    ),
    unknown(
      async () => (await createLease(testEnvironment())).leaseId,
      () => testEnvironment().keys.production,
    ),
    open(RELEASE_BODY),
    open({ ...RELEASE_BODY, confirm: false }),
    [
      'releaseTableLease',
      'lease_over',
      [],
      async () => {
        const path = buildReleasePath((await createLease(testEnvironment())).leaseId);
        await testEnvironment().sendRequest('POST', path, { body: RELEASE_BODY });
        return createRequest(path, { ...RELEASE_BODY, confirm: true });
      },
    ],
  ];
}

async function createResolvedPayment(testEnvironment: ApiTestEnvironment, action: string): Promise<string> {
  const { id } = await createPendingPayment(testEnvironment);
  await testEnvironment.sendRequest('POST', buildResolvePath(id), { body: { ...RETRY_BODY, action } });
  return id;
}
