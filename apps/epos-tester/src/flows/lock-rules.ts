import { JOURNEY_NEEDS } from '@pos/core/tables';
import { money } from '@pos/core/money';
import { getRefused } from '../flow-context/tables-calls.js';
import { chooseSession, lockSession, getSession, unlockSession } from '../steps/bill-steps.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { probePayment } from '../drivers/probe-payment.js';
import { listParameters } from '../flow-context/run-params.js';

const unlockUnlocked: FlowStep = {
  name: 'UnlockSession unlocked',
  act: async (context) => {
    await getRefused(context, 'unlockSession', {
      question: { sessionId: getSession(context).id },
      codes: ['SESSION_NOT_LOCKED'],
      clause: 'unlock.needs-lock',
    });
  },
};

const lockTwice: FlowStep = {
  name: 'LockSession twice',
  act: async (context) => {
    await getRefused(context, 'lockSession', {
      question: { sessionId: getSession(context).id },
      codes: ['SESSION_ALREADY_LOCKED'],
      clause: 'lock.exclusive',
    });
  },
};

const recordUnlocked: FlowStep = {
  name: 'RecordPayment unlocked',
  act: async (context) => {
    const { id } = getSession(context);
    const { account, scope, cards } = context.flowContext.parts;
    const payment = probePayment({
      sessionId: id,
      base: money(1, context.flowContext.bill?.total.currencyCode ?? account.currencies[0] ?? 'GBP'),
      merchantId: account.merchantId,
      attemptedAt: await cards.now(scope),
      isSuccessful: true,
    });
    await getRefused(context, 'recordPayment', {
      question: { payment },
      codes: ['SESSION_NOT_LOCKED'],
      clause: 'record.needs-lock',
    });
  },
};

/** The rules for locked and unlocked sessions. */
export const LOCK_FLOWS: readonly Flow[] = [
  {
    name: 'tables-lock-rules',
    params: listParameters('sessionId', 'tableName', 'waiterId'),
    needs: JOURNEY_NEEDS.PayAtTable,
    whyNotOverOrders:
      'If orders represent sessions, the gateway has the lock; lock-conflict and similar flows test it.',
    steps: () => [chooseSession, unlockUnlocked, lockSession, lockTwice, unlockSession, recordUnlocked],
  },
];
