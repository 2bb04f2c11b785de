import { JOURNEY_NEEDS } from '@pos/core/tables';
import { money } from '@pos/core/money';
import { randomUUID } from 'node:crypto';
import { callTables, getResponse, getRefused } from '../flow-context/tables-calls.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { probePayment } from '../drivers/probe-payment.js';
import { listParameters } from '../flow-context/run-params.js';

const NO_SESSION = { codes: ['SESSION_NO_SUCH_SESSION'], clause: 'unknown.session' } as const;
const SESSIONS_LOOKED_AT_MAX = 20;

const unknownSession: FlowStep = {
  name: 'unknown session',
  act: async (context) => {
    const question = { sessionId: randomUUID() };
    await getRefused(context, 'getSession', { question, ...NO_SESSION });
    await getRefused(context, 'getBillItems', { question, ...NO_SESSION });
    await getRefused(context, 'getFullBill', { question, ...NO_SESSION });
    await getRefused(context, 'lockSession', { question, ...NO_SESSION });
    await getRefused(context, 'unlockSession', { question, ...NO_SESSION });
    const { account, scope, cards } = context.flowContext.parts;
    const payment = probePayment({
      ...question,
      base: money(1, account.currencies[0] ?? 'GBP'),
      merchantId: account.merchantId,
      attemptedAt: await cards.now(scope),
      isSuccessful: true,
    });
    await getRefused(context, 'recordPayment', { question: { payment }, ...NO_SESSION });
  },
};

const unknownTable: FlowStep = {
  name: 'unknown table',
  act: async (context) => {
    await getRefused(context, 'getTable', {
      question: { name: `no table ${randomUUID()}` },
      codes: ['SESSION_NO_SUCH_SESSION', 'TABLE_NO_SUCH_TABLE'],
      clause: 'unknown.table',
    });
  },
};

/** A party that has not ordered has no bill. An EPOS where every party has a bill cannot break this clause. */
const unknownBill: FlowStep = {
  name: 'unknown bill',
  act: async (context) => {
    const { step } = context;
    const question = { isFinished: false, isPayable: false, tableNames: [] };
    const { sessions } = await getResponse(context, 'listSessions', { question });
    for (const { id } of sessions.slice(0, SESSIONS_LOOKED_AT_MAX)) {
      const received = await callTables(context, 'getBillItems', { sessionId: id });
      if (received.outcome !== 'refused') continue;
      step.check(received.code === 'BILL_NO_SUCH_BILL', {
        clause: 'unknown.bill',
        member: 'GetBillItems',
        expected: 'BILL_NO_SUCH_BILL',
        found: received.code,
      });
      await getRefused(context, 'getFullBill', {
        question: { sessionId: id },
        codes: ['BILL_NO_SUCH_BILL'],
        clause: 'unknown.bill',
      });
      return;
    }
    step.note('every session has a bill, so none could be asked for that does not exist');
  },
};

/** Calls about things that do not exist. */
export const UNKNOWN_FLOWS: readonly Flow[] = [
  {
    name: 'tables-unknown',
    params: listParameters('waiterId'),
    needs: JOURNEY_NEEDS.PayAtTable,
    whyNotOverOrders: 'If orders represent sessions, the gateway knows the sessions; unknown-order tests it.',
    steps: () => [unknownSession, unknownTable, unknownBill],
  },
];
