import type { UncheckedBill } from '@pos/core/bill';
import type { Scope } from '@pos/core/identity';
import type { EposAnswer, EposCall, EposPort } from '@pos/core/ports';
import type { RecordAnswer } from '@pos/core/record-answer';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { presentRequestor } from '@pos/payments/record-message';
import type { EposRouter } from './epos-router.js';
import { silenceOf } from './epos-wire.js';
import type { EposOutcome, PaymentFence, TablesAnswer, TablesCall } from './tables-call.js';

/** The EPOS of one account, as a payment at a table asks of it. Bills are handed over as they came: unchecked. */
export class AccountEpos implements EposPort {
  constructor(
    private readonly router: EposRouter,
    private readonly scope: Scope,
  ) {}

  async getBill(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: presentRequestor(call.requestor) };
    return this.#asked({ $case: 'getBillItems', value }, call, billOf);
  }

  async lockSession(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: presentRequestor(call.requestor) };
    return this.#asked({ $case: 'lockSession', value }, call, billOf);
  }

  async unlockSession(sessionId: string, call: EposCall): Promise<EposAnswer<null>> {
    const value = { sessionId, requestorInfo: presentRequestor(call.requestor) };
    const answer = await this.#asked({ $case: 'unlockSession', value }, call, () => ({ is: 'unlocked' }));
    return answer.outcome === 'answered' ? { outcome: 'answered', value: null } : answer;
  }

  /** The message is an encoded RecordPaymentRequest, as it was stored. */
  async recordPayment(
    message: Uint8Array,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<{ readonly answer: RecordAnswer; readonly reason: string }> {
    const { paymentId } = call;
    // An attempt that took no money is told without a runner, so there is no fence to be held.
    const fence = paymentId === '' ? null : { paymentId, fence: Number(call.fence) };
    const value = RecordPaymentRequest.decode(message);
    const outcome = await this.#call({ $case: 'recordPayment', value }, call, fence);
    return recordAnswerOf(outcome);
  }

  async #asked<T>(asked: TablesCall, call: EposCall, read: (answer: TablesAnswer) => T | null): Promise<EposAnswer<T>> {
    const outcome = await this.#call(asked, call, null);
    switch (outcome.outcome) {
      case 'answered': {
        const value = read(outcome.answer);
        if (value !== null) return { outcome: 'answered', value };
        return { outcome: 'noAnswer', reason: 'the EPOS left the bill out of its answer' };
      }
      case 'refused':
        return outcome;
      case 'credentialsRefused':
      case 'notSent':
      case 'noAnswer':
        return { outcome: silenceOf(outcome.outcome), reason: outcome.reason };
    }
  }

  async #call(call: TablesCall, { deadlineMs }: EposCall, fence: PaymentFence | null): Promise<EposOutcome> {
    const { scope } = this;
    return (await this.router.call({ scope, call, waitMs: deadlineMs, fence, faults: null })).outcome;
  }
}

function billOf(answer: TablesAnswer): UncheckedBill | null {
  return answer.$case === 'lockSession' || answer.$case === 'getBillItems' ? (answer.value.billItems ?? null) : null;
}

function recordAnswerOf(outcome: EposOutcome): { readonly answer: RecordAnswer; readonly reason: string } {
  switch (outcome.outcome) {
    case 'answered':
      return { answer: 'Success', reason: '' };
    case 'refused':
      return { answer: outcome.code, reason: outcome.reason };
    case 'credentialsRefused':
      return { answer: 'CredentialsRefused', reason: outcome.reason };
    case 'notSent':
      return { answer: 'NotSent', reason: outcome.reason };
    case 'noAnswer':
      return { answer: 'NoAnswer', reason: outcome.reason };
  }
}
