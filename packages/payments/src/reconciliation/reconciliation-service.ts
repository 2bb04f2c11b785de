import type { Caller } from '@pos/core/accounts';
import { isUuid } from '@pos/core/ids';
import { acknowledgeDifference, type Difference, type DifferenceState } from '@pos/core/ledger';
import { createViolation, Refusal } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import type { Reader, Tx } from '@pos/store/database';
import { insertOperatorCall } from '@pos/store/repositories';
import {
  findReconciliationProgress,
  listDifferences,
  listUncomparedDays,
  lockDifference,
  RECONCILIATION_SUBJECTS,
  type ReconciliationProgress,
  type StoredUncomparedDay,
  updateDifference,
  updateReconciliationProgress,
} from '@pos/store/reconciliation';
import { schedule } from '@pos/store/queues';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import { requireAcquirer } from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** The longest span that an operator may request at once. */
const SPAN_MAX_MS = 31 * DAY_MS;

/** The operator and the reason of a decision; stored as it was given. */
interface OperatorNote {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly note: string;
}

/** The span to compare with the acquirer's list now; `to` is exclusive. */
export interface ReconciliationRequest extends OperatorNote {
  readonly from: Date;
  readonly to: Date | null;
}

/** The difference that an operator has checked. */
export interface AnswerDifferenceRequest extends OperatorNote {
  readonly id: string;
}

/** How far the checks of an account have come. */
export interface ReconciliationState {
  readonly progress: ReconciliationProgress;
  readonly uncomparedDays: readonly StoredUncomparedDay[];
}

/** A page of differences. */
export interface DifferencePage extends PageCursors {
  readonly differences: readonly Difference[];
}

/** The operators' requests about the checks of an account's books, and their decisions about the findings. */
export class ReconciliationService {
  constructor(private readonly settings: PaymentSettings) {}

  /**
   * Requests a comparison of the account's books with the acquirer's list for a span, and a check of all chains of
   * its records; a worker runs them as soon as possible. A waiting request is replaced. Refuses
   * `acquirer_not_configured`, and a span that is empty, longer than 31 days or in the future.
   */
  async requestReconciliation(
    tx: Tx,
    { caller, note, from, to: requestedTo }: ReconciliationRequest,
  ): Promise<ReconciliationState> {
    requireAcquirer(tx, this.settings);
    const to = requestedTo ?? tx.databaseNow;
    if (from >= to)
      throw createViolation('validation_failed', 'from', 'must be before the end of the span, and in the past');
    if (to.getTime() - from.getTime() > SPAN_MAX_MS) {
      throw createViolation('validation_failed', 'from', 'must be at most 31 days before the end of the span');
    }
    if (from > tx.databaseNow) throw createViolation('validation_failed', 'from', 'must be in the past');
    const progress = await updateReconciliationProgress(tx, () => ({
      requested: { from, to },
      chainCursor: '',
      auditCursor: null,
    }));
    for (const subject of RECONCILIATION_SUBJECTS) {
      schedule(tx, { kind: 'reconciliation', subject, dueInMs: 0, isRepeat: true });
    }
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'StartReconciliation', note, isConfirmed: false, outcome: 'Done' },
      ...{ subject: `${from.toISOString()}/${to.toISOString()}`, stateBefore: null, stateAfter: null },
    });
    return { progress, uncomparedDays: await listUncomparedDays(tx) };
  }

  /**
   * Stores that an operator has checked a difference. It moves no money; the row stays until the books agree again.
   * Refuses `difference_not_found` and `difference_not_answerable`.
   */
  async answerDifference(tx: Tx, { caller, note, id }: AnswerDifferenceRequest): Promise<Difference> {
    const before = isUuid(id) ? await lockDifference(tx, id) : null;
    if (before === null) throw new Refusal('difference_not_found', 'there is no such difference');
    const answered = acknowledgeDifference(before);
    await updateDifference(tx, answered);
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'AnswerDifference', note, isConfirmed: false, outcome: 'Done' },
      ...{ subject: id, stateBefore: before.state, stateAfter: answered.state },
    });
    return answered;
  }

  /**
   * Stores an answer that the state of the difference refused; the refusal undoes the transaction in which it was
   * thrown.
   */
  async recordRefusedAnswer(tx: Tx, { caller, note, id }: AnswerDifferenceRequest, { code }: Refusal): Promise<void> {
    if (code !== 'difference_not_answerable') return;
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'AnswerDifference', note, isConfirmed: false, outcome: code },
      ...{ subject: id, stateBefore: null, stateAfter: null },
    });
  }

  /** Differences of one state, or of all, newest first. */
  async list(
    reader: Reader,
    { limit, state, ...pageQuery }: PageQuery & { readonly state: DifferenceState | null },
  ): Promise<DifferencePage> {
    const page = await listDifferences(reader, { state, limit, ...readPosition(reader.scope, isUuid, pageQuery) });
    return { differences: page.elements, ...buildPageCursors(reader.scope, page) };
  }

  /** The progress of the checks, and the days whose comparison is incomplete. */
  async read(reader: Reader): Promise<ReconciliationState> {
    return {
      progress: await findReconciliationProgress(reader),
      uncomparedDays: await listUncomparedDays(reader),
    };
  }
}
