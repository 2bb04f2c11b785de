import type { Finding } from '@pos/core/ledger';
import type { DatedAcquirerCall } from '@pos/store/payments';
import type { ComparisonRange } from '../acquirer/acquirer-books.js';

/** The calls of an account that are compared with the books of one acquirer. */
export interface CallsOfSpan {
  readonly acquirer: string;
  readonly span: ComparisonRange;
  /** Our calls to all acquirers: those of the span, and of a slack around it. */
  readonly calls: readonly DatedAcquirerCall[];
}

/** Our calls to the acquirer that were written in the span. */
export function selectCallsOfSpan({ acquirer, span, calls }: CallsOfSpan): readonly DatedAcquirerCall[] {
  return calls.filter((call) => call.acquirer === acquirer && call.createdAt >= span.from && call.createdAt < span.to);
}

/** What a comparison with the books of one acquirer has shown. */
export interface ComparedBooks {
  readonly findings: readonly Finding[];
  /** Approved calls that the books should hold and do not. */
  readonly missing: readonly DatedAcquirerCall[];
  /** References of settlement lines that were compared. */
  readonly references: readonly string[];
  /** Settlement files that have not arrived may name what is missing. */
  readonly isAwaited: boolean;
}
