import { type Bill, checkBill, type EposAnswer, type Requestor, type UncheckedBill } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { AccountCache } from '@pos/payments/accounts';
import { getJourneyView, type JourneyView } from '@pos/payments/tables';
import { recordBillRead, findUnreadChange } from '@pos/payments/orders';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { toGrpcFailure } from '../epos-calls/epos-failure.js';
import type { EposResolver } from '../session-locks/epos-resolver.js';

/** The expected session of a bill, and its currency if it is known. */
interface BillRequest {
  readonly sessionId: string;
  readonly requestor: Requestor;
  readonly currencyCode?: string;
}

/** Reads the bills of sessions at their EPOS, and checks their figures. */
export class JourneyBillReader {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
      readonly log: Log;
    },
  ) {}

  /** Reads the bill. Throws the failure of the EPOS, or refuses `bill_unusable`. */
  async readBill(scope: Scope, billRequest: BillRequest): Promise<Bill> {
    const answer = await this.#requestBill(scope, billRequest);
    if (answer.outcome !== 'answered') throw toGrpcFailure(answer);
    return this.validateBill(scope, billRequest, answer.value);
  }

  /** Checks a bill of another answer. Refuses `bill_unusable`. */
  async validateBill(
    scope: Scope,
    { sessionId, currencyCode }: Omit<BillRequest, 'requestor'>,
    unchecked: UncheckedBill,
  ): Promise<Bill> {
    const { database, accounts } = this.parts;
    const { currencies } = await database.read(scope, (reader) => accounts.get(reader));
    const expected = { sessionId, currencies, ...(currencyCode !== undefined && { currencyCode }) };
    const checked = checkBill(unchecked, expected);
    if (checked.outcome === 'sound') return checked.bill;
    throw new Refusal(
      'bill_unusable',
      `the EPOS sent a bill that cannot be used: ${checked.fault} (${checked.detail})`,
    );
  }

  /** Returns the journey. If the EPOS has reported a change of its order, the bill is read again first, if possible. */
  async getFreshView(scope: Scope, journeyId: string): Promise<JourneyView> {
    const { database } = this.parts;
    const { view, change } = await database.readSnapshot(scope, async (reader) => ({
      view: await getJourneyView(reader, journeyId),
      change: await findUnreadChange(reader, journeyId),
    }));
    if (change === null || view.journey.state !== 'OPEN') return view;
    const isRead = await this.#refreshBill(scope, view, change);
    return isRead ? database.readSnapshot(scope, (reader) => getJourneyView(reader, journeyId)) : view;
  }

  /** False: there was no answer, so the next view of the journey tries again. */
  async #refreshBill(scope: Scope, { journey }: JourneyView, change: string): Promise<boolean> {
    const { database, log } = this.parts;
    const { id: journeyId, sessionId, requestor, currencyCode } = journey;
    const billRequest = { sessionId, requestor, currencyCode };
    const answer = await this.#requestBill(scope, billRequest);
    if (answer.outcome !== 'answered' && answer.outcome !== 'refused') return false;
    let bill: Bill | null = null;
    try {
      if (answer.outcome === 'answered') bill = await this.validateBill(scope, billRequest, answer.value);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Before the next payment the bill is read again, and this is refused.
      log.warn('journey.bill_unusable', { account_id: scope.accountId, journey_id: journeyId, reason: error.detail });
    }
    await database.transact(scope, (tx) => recordBillRead(tx, { journeyId, change, bill }));
    return true;
  }

  #requestBill(scope: Scope, { sessionId, requestor }: BillRequest): Promise<EposAnswer<UncheckedBill>> {
    const { getEpos, callLimitMs } = this.parts;
    return getEpos(scope).getBill(sessionId, { requestor, deadlineMs: callLimitMs });
  }
}
