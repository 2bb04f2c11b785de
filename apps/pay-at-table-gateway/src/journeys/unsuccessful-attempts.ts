import { meaningOf, type RecordAnswer } from '@pos/core/record-answer';
import type { TablePayment } from '@pos/core/table-payment';
import type { AccountCache } from '@pos/payments/accounts';
import { buildUnsuccessfulReport } from '@pos/payments/unsuccessful-attempt';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import type { ClaimedTimer, TimerQueue } from '@pos/store/timers';
import { AccountSeats } from './account-seats.js';
import { type EposOf } from './session-locks.js';

/** Fewer than the seats for payments, so that an EPOS which is silent about these leaves room for money. */
const TELLING_MAX = { all: 16, ofOne: 4 };
const TRIES_MAX = 5;
const FIRST_WAIT_MS = 1_000;

/**
 * Tells an EPOS of parts that ended without money, where its account asks for that (epos.md 8.7). Nothing waits for it and
 * nothing comes of it: what cannot be told in some tries, or not any more, is noted in the log and dropped.
 */
export class UnsuccessfulAttempts {
  readonly #seats = new AccountSeats(TELLING_MAX);

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly accounts: AccountCache;
      readonly eposOf: EposOf;
      readonly callLimitMs: number;
      readonly log: Log;
    },
  ) {}

  /** One try, by the runner that has the ended payment. Whether it may be told is looked up right before the call. */
  async tell(claimed: ClaimedTimer, payment: TablePayment): Promise<void> {
    const leave = this.#seats.take(claimed.scope);
    if (leave === null) return this.#again(claimed, payment, 'too many attempts are being told to this EPOS');
    try {
      await this.#try(claimed, payment);
    } finally {
      leave();
    }
  }

  async #try(claimed: ClaimedTimer, payment: TablePayment): Promise<void> {
    const { database, accounts, eposOf, callLimitMs, log } = this.parts;
    const { scope } = claimed;
    if (claimed.attempts > TRIES_MAX) return this.#drop(claimed, payment, 'its runners were killed');
    const attempt = await database.read(scope, (reader) => buildUnsuccessfulReport(reader, payment, accounts));
    if (!attempt.isReportable) return this.#drop(claimed, payment, attempt.reason);
    const { answer, reason } = await eposOf(scope).recordPayment(attempt.message, {
      requestor: attempt.lease.requestor,
      deadlineMs: callLimitMs,
      paymentId: payment.id,
      fence: BigInt(claimed.fence),
    });
    switch (nextOf(answer)) {
      case 'told':
        log.info('table_payment.attempt_told', { ...fieldsOf(payment), attempt_id: attempt.id });
        return this.#end(claimed);
      case 'again':
        return this.#again(claimed, payment, `${answer}: ${reason}`);
      case 'drop':
        return this.#drop(claimed, payment, `${answer}: ${reason}`);
    }
  }

  async #again(claimed: ClaimedTimer, payment: TablePayment, why: string): Promise<void> {
    if (claimed.attempts >= TRIES_MAX) return this.#drop(claimed, payment, why);
    const inMs = FIRST_WAIT_MS * 2 ** (claimed.attempts - 1);
    await this.#end(claimed, { inMs });
  }

  async #drop(claimed: ClaimedTimer, payment: TablePayment, why: string): Promise<void> {
    this.parts.log.warn('table_payment.attempt_untold', { ...fieldsOf(payment), tries: claimed.attempts, reason: why });
    await this.#end(claimed);
  }

  async #end(claimed: ClaimedTimer, next: { readonly inMs: number } | null = null): Promise<void> {
    const { database, queue } = this.parts;
    await database.transact(claimed.scope, (tx) => queue.complete(tx, claimed, next));
  }
}

/** The lock is the money's affair: for want of one an attempt is dropped, never locked for. */
function nextOf(answer: RecordAnswer): 'told' | 'again' | 'drop' {
  switch (meaningOf(answer, { isUnanswered: false, hasOrder: false })) {
    case 'recorded':
      return 'told';
    case 'unknown':
    case 'notDone':
      return 'again';
    case 'refused':
    case 'lockAgain':
    case 'credentials':
    case 'lookAtOrder':
    case 'lookAtBill':
    case 'operator':
      return 'drop';
  }
}

function fieldsOf({ id, journeyId, sessionId, intentId }: TablePayment) {
  return { payment_id: id, journey_id: journeyId, session_id: sessionId, intent_id: intentId };
}
