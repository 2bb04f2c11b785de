import { add, isZero, type Money, money } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';
import { setTimeout as pause } from 'node:timers/promises';
import {
  requireAnswer,
  callTables,
  checkSchema,
  type TablesCallRequest,
  buildRequestor,
} from '../flow-context/tables-calls.js';
import { chooseAmount, getSession } from './bill-steps.js';
import { type CardPaymentPart, type CapturedPayment, TESTER_TID } from '../drivers/card-payments.js';
import type { ClauseId } from '../checks/clauses.js';
import type { EposReply } from '../drivers/epos-driver.js';
import type { FlowStep } from '../flow-context/flow.js';
import type { RecordRepeater, RecordState, StepContext } from '../flow-context/flow-context.js';
import type { AnswerOf } from '../drivers/tables-wire.js';

const POLL_INTERVAL_MS = 100;
/** In a sandbox the last two digits of a total, from this value on, may trigger a result of the card. */
const STEERING_ENDING_MIN = 90;
const ENDINGS = 100;
const REFERENCE_LENGTH_MAX = 60;

/**
 * Takes a card payment on the sandbox machine: `share` of the bill, or all of it. Cashback is in minor units, and is
 * added.
 */
export function runPayStep(share: (context: StepContext) => Money = chooseAmount, cashback = 0): FlowStep {
  return {
    name: 'pay',
    act: async (context) => {
      const { id, name: title } = getSession(context);
      await payByCard(context, { base: share(context), id, title, captureMode: 'Auto', cashback });
    },
  };
}

/** Records the last card payment of the flow. */
export const recordPayment: FlowStep = runRecordStep('record.books');

/** The same for a payment that a payer made on their own device. */
export const recordRemotePayment: FlowStep = runRecordStep('record.remote');

function runRecordStep(clause: ClauseId): FlowStep {
  return {
    name: 'RecordPayment',
    act: async (context) => {
      const { flowContext } = context;
      const payment = lastPayment(context);
      const answer = requireAnswer(context, await sendPaymentRecord(context, payment), {
        name: 'recordPayment',
        clause,
      });
      checkSchema(context, 'recordPayment', answer);
      if (flowContext.expectedPaid !== null) flowContext.expectedPaid = add(flowContext.expectedPaid, payment.base);
    },
  };
}

/** Records a card payment at the EPOS and stores the result. May be repeated: the id stays the same. */
export async function sendPaymentRecord(
  context: StepContext,
  payment: CapturedPayment,
): Promise<EposReply<AnswerOf<'recordPayment'>>> {
  const { payments } = context.flowContext;
  const before = payments.get(payment) ?? 'no';
  const question = await buildRecordRequest(context, payment);
  // A step that is aborted during the call does not get its result.
  payments.set(payment, before === 'recorded' ? before : 'unknown');
  const received = await callTables(context, 'recordPayment', question);
  payments.set(payment, getRecordState(received, before));
  return received;
}

/** The message that records a card payment at the EPOS. */
export async function buildRecordRequest(
  { flowContext }: StepContext,
  payment: CapturedPayment,
): Promise<TablesCallRequest<'recordPayment'>> {
  const { cards, scope } = flowContext.parts;
  return { payment: (await cards.message(scope, payment, buildRequestor(flowContext))).payment };
}

/** The last card payment. */
export function lastPayment({ flowContext, step }: StepContext): CapturedPayment {
  return (
    [...flowContext.payments.keys()].at(-1) ??
    step.fail({ clause: 'sandbox.machine', member: 'payment', expected: 'a card payment', found: undefined })
  );
}

/** The amount for a card, and its session or order. */
interface CardPaymentRequest extends Pick<CardPaymentPart, 'base' | 'captureMode'> {
  readonly id: string;
  /** The title for staff. */
  readonly title: string;
  /** Minor units; the tip of the run when left out. */
  readonly tip?: number;
  /** Minor units in whole hundreds, so that the last two digits of the total stay the same; none when left out. */
  readonly cashback?: number;
  /** Repeats the record of this payment in the cleanup; by the pay-at-table contract when left out. */
  readonly repeatRecord?: RecordRepeater;
}

/** Takes a card payment on the sandbox machine. Ends the step when it fails. */
export async function payByCard(context: StepContext, request: CardPaymentRequest): Promise<void> {
  const { base, captureMode, id, title, tip = context.flowContext.params.gratuity } = request;
  const cashback = money(request.cashback ?? 0, base.currencyCode);
  const { flowContext, step } = context;
  const { runId, flowName, scope, cards } = flowContext.parts;
  const gratuity = chooseTip(context, base, tip);
  const reference = `${flowName} ${title}`.slice(0, REFERENCE_LENGTH_MAX);
  const payment = await startWhenTerminalIsFree(context, {
    base,
    gratuity,
    cashback,
    sessionId: id,
    reference,
    runId,
    captureMode,
  });
  flowContext.payments.set(payment, 'no');
  if (request.repeatRecord !== undefined) flowContext.recordRepeaters.set(payment, request.repeatRecord);
  const handed = isZero(cashback) ? '' : ` + ${cashback.value} cashback`;
  step.note(
    `payment: ${payment.paymentId}, intent ${payment.intentId}, ${base.value} + ${gratuity.value} tip${handed}`,
  );
  for (;;) {
    const state = await cards.readState(scope, payment);
    if (state.is === 'taken') {
      step.saw('sandbox.machine', { member: 'payment', what: 'an approval' });
      return;
    }
    if (state.is === 'ended') {
      step.fail({ clause: 'sandbox.machine', member: 'payment', expected: 'an approval', found: state.as });
    }
    await pause(POLL_INTERVAL_MS, undefined, { signal: step.signal });
  }
}

/** All runs share the one machine, so each waits for it. */
async function startWhenTerminalIsFree(
  { flowContext, step }: StepContext,
  part: CardPaymentPart,
): Promise<CapturedPayment> {
  let lastDetail = '';
  for (;;) {
    try {
      return await flowContext.parts.cards.start(flowContext.parts.scope, part);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'terminal_unavailable') {
        step.fail({ clause: 'sandbox.machine', member: TESTER_TID, expected: 'a payment', found: error.detail });
      }
      if (error.detail !== lastDetail) step.note(`${TESTER_TID}: ${error.detail}`);
      lastDetail = error.detail;
    }
    await pause(POLL_INTERVAL_MS, undefined, { signal: step.signal });
  }
}

/** The requested tip, or a few minor units more where the total would trigger the sandbox. */
function chooseTip({ flowContext, step }: StepContext, base: Money, asked: number): Money {
  const tip = money(asked, base.currencyCode);
  const ending = add(base, tip).value % ENDINGS;
  if (ending < STEERING_ENDING_MIN || !flowContext.parts.account.settings.hasAmountTriggers) return tip;
  const more = money(ENDINGS - ending, base.currencyCode);
  const why = `a total that ends in ${ending} may steer the sandbox`;
  step.note(`${isZero(tip) ? 'a tip' : 'more tip'} of ${more.value} was added: ${why}`);
  return add(tip, more);
}

function getRecordState(received: EposReply<unknown>, before: RecordState): RecordState {
  switch (received.outcome) {
    case 'answered':
      return 'recorded';
    case 'refused':
      if (received.code === 'PAYMENT_ALREADY_RECORDED') return 'recorded';
      // A refusal after a missing answer proves nothing: the first call may have booked it.
      return before === 'no' ? 'refused' : before;
    case 'noAnswer':
    case 'unreadable':
      return before === 'recorded' ? 'recorded' : 'unknown';
    case 'credentialsRefused':
    case 'notSent':
      return before;
  }
}
