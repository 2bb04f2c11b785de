import { cutStorableText, requireValue } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import type { AcquirerAnswer, AcquirerPort } from '@pos/core/acquirer';
import { type DifferenceKind, type Finding, isSameFinding } from '@pos/core/ledger';
import { type DatedAcquirerCall, findListingMismatches, type ListingMismatch } from '@pos/store/payments';
import type { UncomparedReason } from '@pos/store/reconciliation';
import {
  type AcquirerBooks,
  type BooksServices,
  type ComparisonRange,
  findBooksOfAccount,
  readCompleteness,
  readBooksOf,
} from '../acquirer/acquirer-books.js';
import { formatBookedAmount } from './booking-check.js';
import { PROBLEM_LENGTH_MAX } from './check-report.js';
import type { ComparedBooks } from './compared-books.js';
import { compareWithFiles } from './file-comparison.js';
import { compareWithList } from './list-comparison.js';

const INQUIRY_DEADLINE_MS = 10_000;
/** A booking may be a little older or newer than our row for it: clocks differ, and a card machine takes its time. */
const SLACK_MS = 10 * 60 * 1000;

/** Answers to an inquiry that do not state whether the call is booked: no answer, and an acquirer that refuses us. */
const INCONCLUSIVE_OUTCOMES: ReadonlySet<AcquirerAnswer['outcome']> = new Set([
  'unknown',
  'accessRefused',
  'refused',
  'alreadyExists',
]);

/** The kinds of findings of a comparison with the acquirer's books. */
export const LISTED_DIFFERENCE_KINDS = [
  'NotAskedFor',
  'OtherKind',
  'OtherAmount',
  'SettledAmount',
  'NotApproved',
  'NotBooked',
  'ListingSum',
] as const satisfies DifferenceKind[];

/** An acquirer whose comparison of a span is incomplete. */
export interface IncompleteComparison {
  readonly acquirer: string;
  readonly reason: UncomparedReason;
  /** Why its books could not be read; null where its settlement files have not arrived. */
  readonly problem: string | null;
}

/** The result of a comparison of an account's books with those of its acquirers. */
export interface BooksComparison {
  readonly findings: readonly Finding[];
  /** The acquirers whose books were read. Files that have not arrived leave out calls, and what is there is compared. */
  readonly read: readonly string[];
  readonly incomplete: readonly IncompleteComparison[];
  /** The references of settlement lines that were compared. */
  readonly references: readonly string[];
}

/** What to compare. */
export interface ComparisonRequest {
  readonly span: ComparisonRange;
  /** These acquirers only; absent: all that the account called in the span. */
  readonly only?: readonly string[] | null;
  /** Acquirers that are compared although the account did not call them in the span. */
  readonly additional?: readonly string[];
  /** Acquirers that have failed just now, with the reason: they are not asked again. */
  readonly failed?: ReadonlyMap<string, string>;
}

/**
 * Compares what each acquirer booked for an account in a span of time with our calls to it, and the transaction lines of
 * their payments with the ledger. A call whose outcome is open is no difference, because inquiries run. Nor is one that
 * ends between the two reads: differences are compared once more, and count only if they are found twice. An acquirer
 * whose books cannot be read is named in the result, and the other ones are compared.
 */
export async function compareWithAcquirers(
  services: BooksServices,
  scope: Scope,
  request: ComparisonRequest,
): Promise<BooksComparison> {
  const first = await compareOnce(services, scope, request);
  if (first.findings.length === 0) return first;
  const second = await compareOnce(services, scope, request);
  return {
    findings: second.findings.filter((finding) => first.findings.some((each) => isSameFinding(each, finding))),
    read: second.read.filter((name) => first.read.includes(name)),
    incomplete: mergeIncomplete(second.incomplete, first.incomplete),
    references: second.references,
  };
}

/** One entry for each acquirer; the first list has precedence. */
function mergeIncomplete(
  entries: readonly IncompleteComparison[],
  more: readonly IncompleteComparison[],
): IncompleteComparison[] {
  return [...new Map([...more, ...entries].map((each) => [each.acquirer, each])).values()];
}

async function compareOnce(
  services: BooksServices,
  scope: Scope,
  { span, only = null, additional = [], failed = new Map() }: ComparisonRequest,
): Promise<BooksComparison> {
  const wide = { from: new Date(span.from.getTime() - SLACK_MS), to: new Date(span.to.getTime() + SLACK_MS) };
  const { names, findMerchantIds, calls } = await findBooksOfAccount(services, scope, wide);
  const ofSpan = calls.filter(({ createdAt }) => createdAt >= span.from && createdAt < span.to);
  const findings: Finding[] = only === null ? await compareListing(services, scope, ofSpan) : [];
  const read: string[] = [];
  const incomplete: IncompleteComparison[] = [];
  const references: string[] = [];
  for (const name of only ?? new Set([...names, ...additional])) {
    try {
      const known = failed.get(name);
      if (known !== undefined) throw new Error(known);
      const compared = await compareOne(services, scope, {
        name,
        merchantIds: findMerchantIds(name),
        span,
        wide,
        calls,
      });
      findings.push(...compared.findings);
      references.push(...compared.references);
      read.push(name);
      if (compared.isAwaited) incomplete.push({ acquirer: name, reason: 'WaitingForSettlement', problem: null });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const problem = cutStorableText(text, PROBLEM_LENGTH_MAX) || 'no reason was given';
      incomplete.push({ acquirer: name, reason: 'BooksUnread', problem });
    }
  }
  return { findings, read, incomplete, references };
}

/** Which acquirer is compared, and for which span; `wide` is the span with its slack. */
interface AcquirerSpan {
  readonly name: string;
  readonly merchantIds: readonly string[];
  readonly span: ComparisonRange;
  readonly wide: ComparisonRange;
  /** The calls of the account in the wide span. */
  readonly calls: readonly DatedAcquirerCall[];
}

async function compareOne(
  services: BooksServices,
  scope: Scope,
  { name, merchantIds, span, wide, calls }: AcquirerSpan,
): Promise<Omit<ComparedBooks, 'missing'>> {
  const books = await readBooksOf(services, { scope, name, merchantIds, range: wide });
  const ours = { acquirer: name, span, calls };
  const compared = await services.database.readSnapshot(scope, (reader) =>
    books.isList
      ? compareWithList(reader, books.bookings, ours)
      : compareWithFiles(reader, books.isCompleteBetween, ours),
  );
  const findings = [...compared.findings];
  let { isAwaited } = compared;
  for (const call of compared.missing) {
    const bookedAt = await inquireBookedAt(books.port, call);
    // A call that was repeated through an outage may have been booked much later, in another list or file than these.
    if (bookedAt === null || (bookedAt >= wide.from && bookedAt < wide.to)) {
      findings.push(toMissingFinding(call, books));
    } else if (!books.isList) {
      const range = { from: bookedAt, to: bookedAt };
      const isComplete = await services.database.read(scope, (reader) => readCompleteness(reader, name, range));
      if (isComplete(bookedAt, bookedAt)) findings.push(toMissingFinding(call, books));
      else isAwaited = true;
    }
  }
  return { ...compared, findings, isAwaited };
}

/** Asks the acquirer when it booked a call that its books lack; null where it did not. */
async function inquireBookedAt(port: AcquirerPort, { reference }: DatedAcquirerCall): Promise<Date | null> {
  const answer = await port.inquire({ reference, deadlineMs: INQUIRY_DEADLINE_MS });
  if (INCONCLUSIVE_OUTCOMES.has(answer.outcome)) throw new Error(`the acquirer has no outcome for ${reference}`);
  return findBookedAt(answer);
}

function toMissingFinding(
  { reference, kind, amount, createdAt, paymentIntentId, acquirer }: DatedAcquirerCall,
  { isList }: AcquirerBooks,
): Finding {
  const says = isList
    ? `we count a ${kind} that the acquirer has not booked`
    : `we count a ${kind} that no settlement file of the acquirer names`;
  return {
    ...{ kind: 'NotBooked', reference, paymentIntentId, acquirer, amount, happenedAt: createdAt },
    ...{ ours: `${kind} of ${formatBookedAmount(amount)}`, theirs: null, says },
  };
}

/** The payments of these calls whose transaction lines do not sum to what the ledger keeps. */
async function compareListing(
  { database }: BooksServices,
  scope: Scope,
  calls: readonly DatedAcquirerCall[],
): Promise<Finding[]> {
  const lastCalls = new Map(calls.flatMap((call) => (call.paymentIntentId ? [[call.paymentIntentId, call]] : [])));
  const mismatches = await database.read(scope, (reader) => findListingMismatches(reader, [...lastCalls.keys()]));
  return mismatches.map((mismatch) =>
    toListingFinding(mismatch, requireValue(lastCalls.get(mismatch.intentId), 'a call about the payment').createdAt),
  );
}

function toListingFinding({ intentId, kept, listed, currency }: ListingMismatch, happenedAt: Date): Finding {
  return {
    ...{ kind: 'ListingSum', reference: intentId, paymentIntentId: intentId, amount: null, happenedAt },
    ...{ ours: `${kept} ${currency}`, theirs: `${listed} ${currency}` },
    says: `the ledger keeps ${kept} ${currency}, the transactions sum to ${listed}`,
  };
}

function findBookedAt(answer: AcquirerAnswer): Date | null {
  if (answer.outcome === 'done') return new Date(answer.transactionDateTime);
  return answer.outcome === 'approved' ? new Date(answer.approval.transactionDateTime) : null;
}
