import { JOURNEY_NEEDS } from '@pos/core/tables/epos-capability';
import { requireAnswer, callTables, checkSchema, getRefused } from '../scene/asking.js';
import {
  chooseAmount,
  checkBalance,
  chooseSession,
  lockSession,
  getSession,
  unlockSession,
} from '../steps/bill-steps.js';
import type { Flow, FlowStep } from '../scene/flow.js';
import { lastPayment, runPayStep, recordPayment, buildRecordRequest } from '../steps/pay-steps.js';
import { probePayment } from '../drivers/probe-payment.js';
import { listParameters } from '../scene/run-params.js';

const recordAgain: FlowStep = {
  name: 'RecordPayment again',
  act: async (stage) => {
    await getRefused(stage, 'recordPayment', {
      question: await buildRecordRequest(stage, lastPayment(stage)),
      codes: ['PAYMENT_ALREADY_RECORDED'],
      clause: 'record.once',
    });
  },
};

const recordChanged: FlowStep = {
  name: 'RecordPayment changed',
  act: async (stage) => {
    const { payment } = await buildRecordRequest(stage, lastPayment(stage));
    if (payment === undefined) return;
    await getRefused(stage, 'recordPayment', {
      question: { payment: { ...payment, gratuityAmount: payment.gratuityAmount + 1n } },
      codes: ['PAYMENT_NOT_RECORDED'],
      clause: 'record.id-unique',
    });
  },
};

const recordDeclined: FlowStep = {
  name: 'RecordPayment declined',
  act: async (stage) => {
    const { account, scope, cards } = stage.scene.parts;
    const payment = probePayment({
      sessionId: getSession(stage).id,
      base: chooseAmount(stage),
      merchantId: account.merchantId,
      attemptedAt: await cards.now(scope),
      isSuccessful: false,
    });
    const received = await callTables(stage, 'recordPayment', { payment });
    const answer = requireAnswer(stage, received, { name: 'recordPayment', clause: 'record.unsuccessful' });
    checkSchema(stage, 'recordPayment', answer);
  },
};

/** The effect of a payment on a bill: once, and only when money was taken. */
export const RECORD_FLOWS: readonly Flow[] = [
  {
    name: 'tables-record-duplicate',
    params: listParameters('sessionId', 'tableName', 'waiterId', 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      chooseSession,
      lockSession,
      runPayStep(),
      recordPayment,
      recordAgain,
      recordChanged,
      checkBalance('record.once'),
      unlockSession,
    ],
  },
  {
    name: 'tables-declined-payment',
    params: listParameters('sessionId', 'tableName', 'waiterId', 'amount'),
    needs: JOURNEY_NEEDS.PayAtTable,
    whyNotOverOrders:
      'Where orders stand for sessions an attempt that took no money is not sent: an order could not list it.',
    steps: () => [chooseSession, lockSession, recordDeclined, checkBalance('record.unsuccessful'), unlockSession],
  },
];
