import { findRecordMeaning, type RecordAnswer, type TablePayment } from '@pos/core/tables';
import type { AccountCache } from '@pos/payments/accounts';
import { buildUnsuccessfulReport } from '@pos/payments/tables';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import type { ClaimedTimer, TimerQueue } from '@pos/store/queues';
import { AccountConcurrencyLimiter } from '@pos/service-kit/lifecycle';
import type { EposResolver } from '../session-locks/epos-resolver.js';

/** Fewer than the slots for payments, so that reports without an answer do not delay payments. */
const REPORT_SLOTS = { total: 16, perAccount: 4 };
const REPORT_TRIES_MAX = 5;
const FIRST_RETRY_DELAY_MS = 1_000;

/**
 * Reports unsuccessful parts to the EPOS if the account has switched that on. No other step depends on a report: after
 * several failures, or when it is too late, it is logged and dropped.
 */
export class UnsuccessfulAttemptReporter {
  readonly #slots = new AccountConcurrencyLimiter(REPORT_SLOTS);

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly queue: TimerQueue;
      readonly accounts: AccountCache;
      readonly getEpos: EposResolver;
      readonly callLimitMs: number;
      readonly log: Log;
    },
  ) {}

  /** Makes one attempt, by the runner with the ended payment. Right before the call it checks that the report is still allowed. */
  async reportAttempt(claimed: ClaimedTimer, payment: TablePayment): Promise<void> {
    const releaseSlot = this.#slots.tryAcquire(claimed.scope);
    if (releaseSlot === null)
      return this.#retryLater(claimed, payment, 'too many attempts are being reported to this EPOS');
    try {
      await this.#tryReport(claimed, payment);
    } finally {
      releaseSlot();
    }
  }

  async #tryReport(claimed: ClaimedTimer, payment: TablePayment): Promise<void> {
    const { database, accounts, getEpos, callLimitMs, log } = this.parts;
    const { scope } = claimed;
    if (claimed.attempts > REPORT_TRIES_MAX) return this.#dropReport(claimed, payment, 'its runners were killed');
    const attempt = await database.read(scope, (reader) => buildUnsuccessfulReport(reader, payment, accounts));
    if (!attempt.isReportable) return this.#dropReport(claimed, payment, attempt.reason);
    const { answer, reason } = await getEpos(scope).recordPayment(attempt.message, {
      requestor: attempt.lease.requestor,
      deadlineMs: callLimitMs,
      paymentId: payment.id,
      fence: BigInt(claimed.fence),
    });
    switch (decideNext(answer)) {
      case 'done':
        log.info('table_payment.attempt_reported', { ...buildLogFields(payment), attempt_id: attempt.id });
        return this.#completeTimer(claimed);
      case 'again':
        return this.#retryLater(claimed, payment, `${answer}: ${reason}`);
      case 'drop':
        return this.#dropReport(claimed, payment, `${answer}: ${reason}`);
    }
  }

  async #retryLater(claimed: ClaimedTimer, payment: TablePayment, failureReason: string): Promise<void> {
    if (claimed.attempts >= REPORT_TRIES_MAX) return this.#dropReport(claimed, payment, failureReason);
    const inMs = FIRST_RETRY_DELAY_MS * 2 ** (claimed.attempts - 1);
    await this.#completeTimer(claimed, { inMs });
  }

  async #dropReport(claimed: ClaimedTimer, payment: TablePayment, failureReason: string): Promise<void> {
    this.parts.log.warn('table_payment.attempt_not_reported', {
      ...buildLogFields(payment),
      tries: claimed.attempts,
      reason: failureReason,
    });
    await this.#completeTimer(claimed);
  }

  async #completeTimer(claimed: ClaimedTimer, next: { readonly inMs: number } | null = null): Promise<void> {
    const { database, queue } = this.parts;
    await database.transact(claimed.scope, (tx) => queue.complete(tx, claimed, next));
  }
}

/** A report never locks the session: if it needs a lock, it is dropped. */
function decideNext(answer: RecordAnswer): 'done' | 'again' | 'drop' {
  switch (findRecordMeaning(answer, { isUnanswered: false, hasOrder: false })) {
    case 'recorded':
      return 'done';
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

function buildLogFields({ id, journeyId, sessionId, intentId }: TablePayment) {
  return { payment_id: id, journey_id: journeyId, session_id: sessionId, intent_id: intentId };
}
