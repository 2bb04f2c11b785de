import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AcquirerCall, ACQUIRER_CALL_KINDS, ACQUIRER_CALL_STATES } from '@pos/core/acquirer-calls';
import { buildIntent, buildSession, createApproval, createCapturedIntent, gbp, NOON } from '@pos/core/testing';
import { CALL_OUTCOMES, NEXT_STEPS } from '@pos/core/testing';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import type { Journey } from '@pos/core/journeys';
import { type Lease, LEASE_STATES, TABLE_PAYMENT_STATES, type TablePayment } from '@pos/core/tables';
import { money } from '@pos/core/money';
import { PAYMENT_METHODS, type PaymentIntent } from '@pos/core/payment-intents';
import { SESSION_STATUSES, type TerminalSession } from '@pos/core/terminals';
import fc from 'fast-check';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  findAcquirerCall,
  insertAcquirerCall,
  lockAcquirerCall,
  updateAcquirerCall,
} from '../payments/acquirer-calls.js';
import { findJourney, insertJourney, listJourneysOfLease, lockJourney, updateJourney } from '../tables/journeys.js';
import {
  findLease,
  findLeaseOfSession,
  insertLease,
  lockLease,
  listOpenLeases,
  updateLease,
} from '../tables/leases.js';
import { findIntent, insertIntent, lockIntent, writeIntentRow } from '../payments/payment-intents.js';
import { isUniqueViolation } from '@pos/postgres/statements';
import {
  findTablePayment,
  insertTablePayment,
  lockTablePayment,
  listOpenTablePayments,
  updateTablePayment,
} from '../tables/table-payments.js';
import {
  findTerminalSession,
  insertTerminalSession,
  lockTerminalSession,
  updateTerminalSession,
} from '../terminals/terminal-sessions.js';
import { insertTerminal } from '../terminals/terminals.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

const NOTHING_ELSE = { events: [], entries: [], webhookEvents: [], transactions: [] } as const;

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const RUNS = { numRuns: 25 };
const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replaceAll('\0', ''));
const pence = fc.integer({ min: 0, max: 999_999_999_999 });
const amount = pence.map(gbp);
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
const uuid = fc.constant(null).map(() => randomUUID() as string);

/** Some members of another state, as a change replaces them: an update writes only what has changed. */
const someMembers = <T extends object>(state: fc.Arbitrary<T>, fixed: readonly (keyof T)[] = []) =>
  state.chain((other) => {
    const names = (Object.keys(other) as (keyof T)[]).filter((name) => !fixed.includes(name));
    return fc
      .subarray(names)
      .map((changed) => Object.fromEntries(changed.map((name) => [name, other[name]])) as Partial<T>);
  });

test('a payment intent is read as it was written, in all of its parts', async () => {
  const members = {
    status: fc.constantFrom('Created', 'Authorized', 'Captured', 'Reversed', 'Refunded', 'Canceled'),
    captureMode: fc.constantFrom('Auto', 'Manual'),
    requestedAmount: orNull(amount),
    tipsAmount: orNull(amount),
    cashbackAmount: orNull(amount),
    serviceChargeAmount: orNull(amount),
    authorizedAt: orNull(time),
    capturedAt: orNull(time),
    reference: text,
    description: orNull(text),
    cardHolderNotPresent: fc.boolean(),
    autoExpireAction: orNull(fc.constantFrom('Release', 'Capture')),
    autoExpireInMs: orNull(pence),
    expireAt: time,
    metadata: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())),
    updatedAt: time,
  };
  const changes = fc.record(members);
  const paid = createCapturedIntent();
  const later = fc.record({
    ...members,
    paymentMethods: fc.subarray([...PAYMENT_METHODS]),
    details: fc.constant({ ...paid.details, heldForOrder: 'order' }),
    paymentDetails: fc.constant(paid.paymentDetails),
  });
  await fc.assert(
    fc.asyncProperty(changes, someMembers(later), fc.boolean(), pence, async (change, changed, isPaid, authorized) => {
      const scope = createTestScope();
      const base = isPaid ? createCapturedIntent() : buildIntent();
      const id = createId('paymentIntent', 'sandbox', randomBytes(16));
      const intent = {
        ...base,
        ...change,
        id,
        ...(isPaid ? { authorized: gbp(authorized + 10), captured: gbp(authorized), pendingCapture: gbp(10) } : {}),
      } as PaymentIntent;
      await testDatabase.database.transact(scope, (tx) => insertIntent(tx, { intent, ...NOTHING_ELSE }));
      const found = await testDatabase.database.read(scope, (reader) => findIntent(reader, id));
      expect(found).toEqual({ ...intent, metadata: JSON.parse(JSON.stringify(intent.metadata)) as unknown });
      await testDatabase.database.transact(scope, async (tx) => {
        const locked = await lockIntent(tx, id);
        const next = { ...locked!.intent, ...(changed as Partial<PaymentIntent>), updatedAt: NOON };
        const written = await writeIntentRow(tx, { intent: next, ...NOTHING_ELSE }, locked!);
        expect(written.version).toBe(intent.version + 1);
        expect((await lockIntent(tx, id))!.intent).toEqual({
          ...written,
          clientSecret: null,
          metadata: JSON.parse(JSON.stringify(written.metadata)) as unknown,
        });
      });
    }),
    RUNS,
  );
});

test('a terminal session is read as it was written', async () => {
  const scope = createTestScope();
  const terminalId = createId('terminal', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, (tx) =>
    insertTerminal(tx, { id: terminalId, tid: '90000001', name: 'Bar' }),
  );
  const finals = SESSION_STATUSES.filter((status) => !/Init|CancelR|Required|Accepted/.test(status));
  const changes = fc.record({
    status: fc.constantFrom(...finals),
    lastReport: fc.integer({ min: 0, max: 2_000_000_000 }),
    ...{ cardPresented: fc.boolean(), isUnknownToMachine: fc.boolean(), cardHolderNotPresent: fc.boolean() },
    signatureDecision: orNull(fc.constantFrom('Accepted', 'Rejected')),
    expireAt: time,
    approval: orNull(amount.map((each) => createApproval(each))),
    paymentDetails: orNull(fc.constant({ cardScheme: 'VISA' as const, maskedPan: '************1096', authCode: '1' })),
    merchantReceipt: orNull(fc.constant({ lines: [{ lineType: 'NewLine' as const }] })),
    updatedAt: time,
  });
  await fc.assert(
    fc.asyncProperty(changes, someMembers(changes), async (change, changed) => {
      const id = createId('terminalSession', 'sandbox', randomBytes(16));
      const session = { ...buildSession(), ...change, id, terminalId } as TerminalSession;
      const decision = {
        session,
        statusEvents: [session.status],
        notifications: [],
        webhookEvents: [],
        entries: [],
      } as const;
      const quiet = { onIntent: null, onAttempt: null, alarms: [], isCheckNeeded: false, toMachine: null } as const;
      await testDatabase.database.transact(scope, (tx) => insertTerminalSession(tx, { ...decision, ...quiet }, null));
      expect(await testDatabase.database.read(scope, (reader) => findTerminalSession(reader, id))).toEqual(session);
      await testDatabase.database.transact(scope, async (tx) => {
        const locked = (await lockTerminalSession(tx, id))!;
        const next = { ...locked, ...(changed as Partial<TerminalSession>) };
        const written = await updateTerminalSession(tx, locked, { ...decision, ...quiet, session: next });
        expect(await lockTerminalSession(tx, id)).toEqual(written);
      });
    }),
    RUNS,
  );
});

test('an acquirer call is read as it was written', async () => {
  const call = fc.record({
    reference: uuid,
    kind: fc.constantFrom(...ACQUIRER_CALL_KINDS),
    acquirer: fc.constantFrom('default', 'north'),
    merchantId: fc.constantFrom('526567001', 'M-1002'),
    originalReference: orNull(text),
    paymentIntentId: orNull(fc.constant('pi_sandbox_x' as const)),
    setupIntentId: orNull(fc.constant('si_sandbox_x' as const)),
    terminalSessionId: orNull(fc.constant('ts_sandbox_x' as const)),
    amount,
    state: fc.constantFrom(...ACQUIRER_CALL_STATES),
    outcome: orNull(fc.constantFrom(...CALL_OUTCOMES)),
    deadlineAt: time,
    reverseReference: orNull(text),
    result: orNull(amount.map((each) => ({ kind: 'approved' as const, approval: createApproval(each) }))),
    version: fc.constant(1),
  });
  await fc.assert(
    fc.asyncProperty(call, async (each: AcquirerCall) => {
      const scope = createTestScope();
      await testDatabase.database.transact(scope, (tx) => insertAcquirerCall(tx, each));
      expect(await testDatabase.database.read(scope, (reader) => findAcquirerCall(reader, each.reference))).toEqual(
        each,
      );
      await testDatabase.database.transact(scope, async (tx) => {
        const written = await updateAcquirerCall(tx, {
          ...(await lockAcquirerCall(tx, each.reference))!,
          state: 'Settled',
        });
        expect(await lockAcquirerCall(tx, each.reference)).toEqual(written);
      });
    }),
    RUNS,
  );
});

const requestor = fc.oneof(
  fc.constant({ type: 'consumerDevice' as const }),
  fc.record({
    type: fc.constant('cardMachine' as const),
    terminalId: text,
    waiterId: fc.integer({ min: 0, max: 9999 }),
  }),
);

test('a lease is read as it was written, and one session is leased once', async () => {
  const lease = fc.record({
    leaseId: uuid,
    sessionId: text,
    owner: text,
    requestor,
    waiterId: orNull(fc.integer({ min: 1, max: 9999 })),
    state: fc.constantFrom(...LEASE_STATES),
    eposLocked: fc.boolean(),
    lockId: orNull(text),
    openPayments: fc.integer({ min: 0, max: 9 }),
    acquiredAt: time,
    expiresAt: time,
    version: fc.constant(1),
    releasedAt: orNull(time),
  });
  await fc.assert(
    fc.asyncProperty(
      lease,
      someMembers(lease, ['leaseId', 'sessionId', 'acquiredAt', 'state']),
      async (each: Lease, changed) => {
        const scope = createTestScope();
        await testDatabase.database.transact(scope, (tx) => insertLease(tx, each));
        expect(await testDatabase.database.read(scope, (reader) => findLease(reader, each.leaseId))).toEqual(each);
        const isOpen = each.state === 'Held' || each.state === 'Lost';
        expect(await testDatabase.database.read(scope, (reader) => findLeaseOfSession(reader, each.sessionId))).toEqual(
          isOpen ? each : null,
        );
        expect(await testDatabase.database.read(scope, listOpenLeases)).toEqual(isOpen ? [each] : []);
        const rival: Lease = { ...each, leaseId: randomUUID(), owner: 'another device', state: 'Held' };
        const second = testDatabase.database
          .transact(scope, (tx) => insertLease(tx, rival))
          .then(() => true, isUniqueViolation);
        expect(await second).toBe(true);
        expect(await findHolder(scope, each.sessionId)).toBe(isOpen ? each.owner : rival.owner);
        await testDatabase.database.transact(scope, async (tx) => {
          const locked = (await lockLease(tx, each.leaseId))!;
          const written = await updateLease(tx, locked, { ...locked, ...changed, state: 'Released' });
          expect(await lockLease(tx, each.leaseId)).toEqual(written);
        });
      },
    ),
    RUNS,
  );
});

test('a journey is read as it was written, including the times on its bill', async () => {
  const item = fc.record({
    id: text,
    name: text,
    category: fc.array(text, { maxLength: 2 }),
    quantity: fc.integer({ min: 1, max: 9 }),
    amountPerItem: fc.integer({ min: -500, max: 5_000 }).map((value) => money(value, 'EUR')),
    modifiers: fc.constant([{ id: 'm', name: 'extra', quantity: 1, amountPerModifier: money(50, 'EUR') }]),
    lastOrderedAt: orNull(time),
  });
  const journey = fc.record({
    id: uuid,
    ...{ sessionId: text, sessionName: text, tableName: orNull(text) },
    leaseId: text,
    owner: text,
    requestor,
    state: fc.constantFrom('OPEN', 'PAYING', 'BLOCKED', 'FINISHED'),
    currencyCode: fc.constant('EUR'),
    bill: fc.record({
      sessionId: text,
      total: pence.map((value) => money(value, 'EUR')),
      paid: fc.constant(money(0, 'EUR')),
      tax: fc.constant(money(0, 'EUR')),
      serviceCharge: orNull(fc.constant(money(125, 'EUR'))),
      items: fc.array(item, { maxLength: 3 }),
      note: orNull(text),
    }),
    billReadAt: time,
    plan: fc.constant({ split: { equal: { people: 3, partsPaid: 1 }, shares: [] }, partsPaid: 1, inHand: null }),
    version: fc.constant(1),
    createdAt: time,
    updatedAt: time,
    finishedAt: orNull(time),
  });
  await fc.assert(
    fc.asyncProperty(journey, someMembers(journey, ['id', 'sessionId', 'createdAt']), async (each, changed) => {
      const scope = createTestScope();
      const written = each as Journey;
      await testDatabase.database.transact(scope, (tx) => insertJourney(tx, written));
      expect(await testDatabase.database.read(scope, (reader) => findJourney(reader, each.id))).toEqual(written);
      expect(await testDatabase.database.read(scope, (reader) => listJourneysOfLease(reader, each.leaseId))).toEqual([
        written,
      ]);
      await testDatabase.database.transact(scope, async (tx) => {
        const locked = (await lockJourney(tx, each.id))!;
        const next = await updateJourney(tx, locked, { ...locked, ...(changed as Partial<Journey>) });
        expect(await lockJourney(tx, each.id)).toEqual(next);
      });
    }),
    RUNS,
  );
});

test('a table payment is read as it was written, its message to the byte', async () => {
  const payment = fc.record({
    id: uuid,
    origin: fc.constantFrom('journey', 'device'),
    journeyId: orNull(text),
    leaseId: orNull(text),
    sessionId: text,
    orderId: orNull(text),
    intentId: orNull(fc.constant('pi_sandbox_x')),
    ...{ terminalSessionId: orNull(fc.constant('ts_sandbox_x')), movingTo: orNull(fc.constant('tml_sandbox_x')) },
    state: fc.constantFrom(...TABLE_PAYMENT_STATES),
    nextStep: orNull(fc.constantFrom(...NEXT_STEPS)),
    dueAt: orNull(time),
    base: amount,
    gratuity: amount,
    cashback: amount,
    message: orNull(fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes))),
    paidBefore: orNull(amount),
    recordCalls: fc.nat(99),
    mayGiveBack: fc.boolean(),
    isUnanswered: fc.boolean(),
    firstUnansweredAt: orNull(time),
    doubtAt: orNull(time),
    lockRounds: fc.nat(3),
    tries: fc.nat(9),
    giveBackReference: orNull(text),
    giveBackSince: orNull(time),
    givenBackAt: orNull(time),
    lastError: orNull(text),
    since: time,
    version: fc.constant(1),
    createdAt: time,
    updatedAt: time,
  });
  await fc.assert(
    fc.asyncProperty(payment, someMembers(payment, ['id', 'origin', 'createdAt']), async (samples, changed) => {
      const each = samples as TablePayment;
      const scope = createTestScope();
      await testDatabase.database.transact(scope, (tx) => insertTablePayment(tx, each));
      expect(await testDatabase.database.read(scope, (reader) => findTablePayment(reader, each.id))).toEqual(each);
      const isOver = ['Recorded', 'GivenBack', 'Ended'].includes(each.state);
      expect(await testDatabase.database.read(scope, listOpenTablePayments)).toEqual(isOver ? [] : [each]);
      const again = testDatabase.database.transact(scope, (tx) => insertTablePayment(tx, each));
      await expect(again).rejects.toMatchObject({ code: '23505' });
      await testDatabase.database.transact(scope, async (tx) => {
        const locked = (await lockTablePayment(tx, each.id))!;
        const next = await updateTablePayment(tx, locked, { ...locked, ...(changed as Partial<TablePayment>) });
        expect(await lockTablePayment(tx, each.id)).toEqual(next);
      });
    }),
    RUNS,
  );
});

test('a row that was changed since it was read is not overwritten', async () => {
  const scope = createTestScope();
  const intent = buildIntent();
  await testDatabase.database.transact(scope, (tx) => insertIntent(tx, { intent, ...NOTHING_ELSE }));
  const stale = await testDatabase.database.transact(scope, (tx) => lockIntent(tx, intent.id));
  const change = (): Promise<PaymentIntent> =>
    testDatabase.database.transact(scope, (tx) => writeIntentRow(tx, { intent, ...NOTHING_ELSE }, stale!));
  await change();
  await expect(change()).rejects.toMatchObject({ name: 'Defect' });
});

test('a row of another account or environment is not found', async () => {
  const scope = createTestScope();
  const intent = buildIntent();
  await testDatabase.database.transact(scope, (tx) => insertIntent(tx, { intent, ...NOTHING_ELSE }));
  for (const other of [createTestScope(), { accountId: scope.accountId, environment: 'production' } as const]) {
    expect(await testDatabase.database.read(other, (reader) => findIntent(reader, intent.id))).toBeNull();
  }
});

const findHolder = async (scope: Scope, sessionId: string): Promise<string | undefined> =>
  (await testDatabase.database.read(scope, (reader) => findLeaseOfSession(reader, sessionId)))?.owner;
