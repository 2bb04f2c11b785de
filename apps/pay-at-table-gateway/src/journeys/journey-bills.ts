import { type Bill, checkBill, type UncheckedBill } from '@pos/core/bill';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import type { EposAnswer } from '@pos/core/ports';
import { Refusal } from '@pos/core/refusal';
import type { AccountCache } from '@pos/payments/accounts';
import { getJourneyView, type JourneyView } from '@pos/payments/journeys';
import { recordBillRead, findUnreadChange } from '@pos/payments/order-changes';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { failureOf } from './epos-failure.js';
import { type EposOf } from './session-locks.js';

/** Whose bill it is to be, and in which currency where that is settled. */
interface BillOf {
  readonly sessionId: string;
  readonly requestor: Requestor;
  readonly currencyCode?: string;
}

/** The bills of sessions, read at their EPOS. An EPOS's figures are used only when they make sense. */
export class JourneyBills {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly eposOf: EposOf;
      readonly callLimitMs: number;
      readonly log: Log;
    },
  ) {}

  /** Reads the bill. Rejects with how the EPOS failed, or refuses `bill_unusable`. */
  async read(scope: Scope, of: BillOf): Promise<Bill> {
    const answer = await this.#ask(scope, of);
    if (answer.outcome !== 'answered') throw failureOf(answer);
    return this.check(scope, of, answer.value);
  }

  /** Checks a bill that came with something else. Refuses `bill_unusable`. */
  async check(
    scope: Scope,
    { sessionId, currencyCode }: Omit<BillOf, 'requestor'>,
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

  /** The journey to be shown: on a bill read since the EPOS last said that its order has changed, if it can be read. */
  async fresh(scope: Scope, journeyId: string): Promise<JourneyView> {
    const { database } = this.parts;
    const { view, change } = await database.readSnapshot(scope, async (reader) => ({
      view: await getJourneyView(reader, journeyId),
      change: await findUnreadChange(reader, journeyId),
    }));
    if (change === null || view.journey.state !== 'OPEN') return view;
    const isRead = await this.#readAfter(scope, view, change);
    return isRead ? database.readSnapshot(scope, (reader) => getJourneyView(reader, journeyId)) : view;
  }

  /** False: nobody answered, so it is tried again when the journey is next shown. */
  async #readAfter(scope: Scope, { journey }: JourneyView, change: string): Promise<boolean> {
    const { database, log } = this.parts;
    const { id: journeyId, sessionId, requestor, currencyCode } = journey;
    const of = { sessionId, requestor, currencyCode };
    const answer = await this.#ask(scope, of);
    if (answer.outcome !== 'answered' && answer.outcome !== 'refused') return false;
    let bill: Bill | null = null;
    try {
      if (answer.outcome === 'answered') bill = await this.check(scope, of, answer.value);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Before a card is asked for, the bill is read again and this is refused.
      log.warn('journey.bill_unusable', { account_id: scope.accountId, journey_id: journeyId, reason: error.detail });
    }
    await database.transact(scope, (tx) => recordBillRead(tx, { journeyId, change, bill }));
    return true;
  }

  #ask(scope: Scope, { sessionId, requestor }: BillOf): Promise<EposAnswer<UncheckedBill>> {
    const { eposOf, callLimitMs } = this.parts;
    return eposOf(scope).getBill(sessionId, { requestor, deadlineMs: callLimitMs });
  }
}
