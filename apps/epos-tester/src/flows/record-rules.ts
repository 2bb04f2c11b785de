import { JOURNEY_NEEDS } from '@pos/core/tables';
import { requireAnswer, callTables, checkSchema, getRefused } from '../flow-context/tables-calls.js';
import {
  chooseAmount,
  checkBalance,
  chooseSession,
  lockSession,
  getSession,
  unlockSession,
} from '../steps/bill-steps.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { lastPayment, runPayStep, recordPayment, buildRecordRequest } from '../steps/pay-steps.js';
import { probePayment } from '../drivers/probe-payment.js';
import { listParameters } from '../flow-context/run-params.js';

const recordAgain: FlowStep = {
  name: 'RecordPayment again',
  act: async (context) => {
    await getRefused(context, 'recordPayment', {
      question: await buildRecordRequest(context, lastPayment(context)),
      codes: ['PAYMENT_ALREADY_RECORDED'],
      clause: 'record.once',
    });
  },
};

const recordChanged: FlowStep = {
  name: 'RecordPayment changed',
  act: async (context) => {
    const { payment } = await buildRecordRequest(context, lastPayment(context));
    if (payment === undefined) return;
    await getRefused(context, 'recordPayment', {
      question: { payment: { ...payment, gratuityAmount: payment.gratuityAmount + 1n } },
      codes: ['PAYMENT_NOT_RECORDED'],
      clause: 'record.id-unique',
    });
  },
};

const recordDeclined: FlowStep = {
  name: 'RecordPayment declined',
  act: async (context) => {
    const { account, scope, cards } = context.flowContext.parts;
    const payment = probePayment({
      sessionId: getSession(context).id,
      base: chooseAmount(context),
      merchantId: account.merchantId,
      attemptedAt: await cards.now(scope),
      isSuccessful: false,
    });
    const received = await callTables(context, 'recordPayment', { payment });
    const answer = requireAnswer(context, received, { name: 'recordPayment', clause: 'record.unsuccessful' });
    checkSchema(context, 'recordPayment', answer);
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
    whyNotOverOrders: 'If orders represent sessions, an unsuccessful attempt is not sent: an order cannot list it.',
    steps: () => [chooseSession, lockSession, recordDeclined, checkBalance('record.unsuccessful'), unlockSession],
  },
];
