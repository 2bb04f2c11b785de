import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { money, zeroMoney } from '@pos/core/money';
import { acquireLease, createRelayedPayment, openPayment, stepTablePayment } from '@pos/core/tables';
import { raiseAlarm } from '@pos/payments/alarms';
import type { Database, Tx } from '@pos/store/database';
import { recordFindings } from '@pos/store/reconciliation';
import { insertLease, insertTablePayment } from '@pos/store/tables';

// What the examples of operators decide about. Each case is a row that the service writes when something goes wrong.

export async function createOperatorCases(database: Database, scope: Scope): Promise<void> {
  await database.transact(scope, async (tx) => {
    await raiseAlarm(tx, {
      kind: 'AcquirerCallOpen',
      subject: 'cp_sandbox_5pXo1mZbQW2s7cR9tLh3Vw',
      message: 'A Capture is open.',
      details: {},
    });
    await openDifference(tx);
    await insertLease(tx, { ...(await createLease(tx)), eposLocked: true });
    await createPendingPayment(tx);
  });
}

async function openDifference(tx: Tx): Promise<void> {
  const reference = 'ref_01a1fc2b097163620cb44287';
  await recordFindings(tx, { kinds: ['OtherAmount'], references: [reference] }, [
    {
      ...{ kind: 'OtherAmount', reference, paymentIntentId: null, amount: money(2_001, 'GBP') },
      ...{ ours: 'Authorise of 2000 GBP', theirs: 'Authorise of 2001 GBP' },
      says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP',
      happenedAt: new Date(tx.now),
    },
  ]);
}

async function createLease(tx: Tx) {
  const request = {
    ...{ leaseId: await tx.newUuid(), sessionId: randomUUID(), owner: '90000001', lengthMs: 600_000 },
    requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 42 } as const,
  };
  const held = acquireLease(null, request, tx.databaseNow);
  if (held.outcome !== 'held') throw new Error('the lease is not free');
  return held.lease;
}

/** A payment of a device that its EPOS has not answered. */
async function createPendingPayment(tx: Tx): Promise<void> {
  const opened = openPayment(await createLease(tx));
  if (opened.outcome !== 'held') throw new Error('the lease is not held');
  await insertLease(tx, { ...opened.lease, eposLocked: true });
  const part = {
    ...({ id: await tx.newUuid(), origin: 'device', journeyId: null, leaseId: opened.lease.leaseId } as const),
    ...{ sessionId: opened.lease.sessionId, orderId: null, intentId: null, paidBefore: zeroMoney('GBP') },
    ...{ base: money(2_000, 'GBP'), gratuity: zeroMoney('GBP'), cashback: zeroMoney('GBP') },
  };
  const { payment } = createRelayedPayment(part, new Uint8Array(1), tx.databaseNow);
  const calling = stepTablePayment(payment, { kind: 'due' }, tx.databaseNow).payment;
  await insertTablePayment(
    tx,
    stepTablePayment(calling, { kind: 'recordAnswered', answer: 'NoAnswer' }, tx.databaseNow).payment,
  );
}
