import type { EposAnswer, EposCall, EposPort, RecordAnswer, UncheckedBill } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import type { TablesCall, TablesAnswer } from '@pos/grpc-contracts/tables-methods';
import { toRequestorInfo } from '@pos/payments/tables';
import { type EposSimulator } from '@pos/sandbox/epos-simulator';
import { serveTablesCall } from '@pos/sandbox/testing';
import type { Database } from '@pos/store/database';
import { assertFence, LeaseLost } from '@pos/store/queues';

export const rejectOrderCalls = () => Promise.reject(new Error('the sandbox keeps sessions here, no orders'));
/** The EPOS of the sandbox without a network. Calls without an answer end at once, like on a broken connection. */
export class SimulatedEposPort implements EposPort {
  constructor(
    private readonly simulator: EposSimulator,
    private readonly fenceContext: { readonly database: Database; readonly scope: Scope },
  ) {}

  getBill(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#callSimulator({ $case: 'getBillItems', value }, requireSimulatedBill);
  }

  lockSession(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#callSimulator({ $case: 'lockSession', value }, requireSimulatedBill);
  }

  unlockSession(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<null>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#callSimulator({ $case: 'unlockSession', value }, () => null);
  }

  async recordPayment(
    message: Uint8Array,
    { paymentId, fence }: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<{ readonly answer: RecordAnswer; readonly reason: string }> {
    const { database, scope } = this.fenceContext;
    const claimed = { kind: 'table-payment', subject: paymentId, fence: Number(fence) } as const;
    try {
      await database.read(scope, (reader) => assertFence(reader, claimed));
    } catch (error) {
      if (error instanceof LeaseLost) return { answer: 'NotSent', reason: 'fenced off' };
      throw error;
    }
    const answer = await this.#callSimulator(
      { $case: 'recordPayment', value: RecordPaymentRequest.decode(message) },
      () => null,
    );
    if (answer.outcome === 'answered') return { answer: 'Success', reason: '' };
    return answer.outcome === 'refused'
      ? { answer: answer.code, reason: answer.reason }
      : { answer: 'NoAnswer', reason: answer.reason };
  }

  recordOnOrder = rejectOrderCalls;
  isOnOrder = rejectOrderCalls;

  async #callSimulator<T>(call: TablesCall, extractValue: (answer: TablesAnswer) => T): Promise<EposAnswer<T>> {
    const served = await serveTablesCall(this.simulator, call, { transport: 'grpc', merchantName: 'The Oyster Shed' });
    switch (served.kind) {
      case 'answer':
        return { outcome: 'answered', value: extractValue(served.answer) };
      case 'refusal':
        return { outcome: 'refused', code: served.code, reason: served.reason };
      case 'silence':
      case 'broken':
        return { outcome: 'noAnswer', reason: served.kind };
    }
  }
}
function requireSimulatedBill(answer: TablesAnswer): UncheckedBill {
  const bill = answer.$case === 'lockSession' || answer.$case === 'getBillItems' ? answer.value.billItems : undefined;
  if (bill === undefined) throw new Error('an answer without a bill');
  return bill;
}
