import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { money } from '@pos/core/money/money';
import { getRefused } from '../scene/asking.js';
import { chooseSession, lockSession, getSession, unlockSession } from '../steps/bill-steps.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { probePayment } from '../drivers/probe-payment.js';
import { listParameters } from '../scene/run-params.js';

const unlockUnlocked: FlowStep = {
  name: 'UnlockSession unlocked',
  act: async (stage) => {
    await getRefused(stage, 'unlockSession', {
      question: { sessionId: getSession(stage).id },
      codes: ['SESSION_NOT_LOCKED'],
      clause: 'unlock.needs-lock',
    });
  },
};

const lockTwice: FlowStep = {
  name: 'LockSession twice',
  act: async (stage) => {
    await getRefused(stage, 'lockSession', {
      question: { sessionId: getSession(stage).id },
      codes: ['SESSION_ALREADY_LOCKED'],
      clause: 'lock.exclusive',
    });
  },
};

const recordUnlocked: FlowStep = {
  name: 'RecordPayment unlocked',
  act: async (stage) => {
    const { id } = getSession(stage);
    const { account, scope, cards } = stage.scene.parts;
    const payment = probePayment({
      sessionId: id,
      base: money(1, stage.scene.bill?.total.currencyCode ?? account.currencies[0] ?? 'GBP'),
      merchantId: account.merchantId,
      attemptedAt: await cards.now(scope),
      isSuccessful: true,
    });
    await getRefused(stage, 'recordPayment', {
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
    whyNotOverOrders: 'Where orders stand for sessions the gateway keeps the lock; lock-conflict and its like show it.',
    steps: () => [chooseSession, unlockUnlocked, lockSession, lockTwice, unlockSession, recordUnlocked],
  },
];
