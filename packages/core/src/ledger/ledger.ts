import { assert } from '../refusals/assert.js';
import { isPositive, type Money, negate } from '../money/money.js';

/**
 * The accounts of an intent's double entry. A hold is posted on the card's side and on the merchant's until it is
 * captured, undone or released. Captured money is receivable from the card's side and payable to the merchant until
 * it is refunded or reversed.
 */
export type LedgerAccount = 'card_hold' | 'merchant_hold' | 'card_receivable' | 'merchant_payable';

export type LedgerEntryKind = 'authorise' | 'capture' | 'refund' | 'reverse' | 'release';

/** One line of an entry: minor units, positive on the card's side for money that is owed by it. */
export interface LedgerPosting {
  readonly account: LedgerAccount;
  readonly amount: number;
}

/** An entry before it is numbered, dated and chained. Its postings add up to zero in its one currency. */
export interface LedgerEntryDraft {
  readonly kind: LedgerEntryKind;
  /** Our reference of the acquirer call that moved the money. */
  readonly reference: string;
  readonly currencyCode: string;
  readonly postings: readonly LedgerPosting[];
}

/** A hold on the card, or a raise of one. */
export function authoriseEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('authorise', { reference, amount }, [
    ['card_hold', amount],
    ['merchant_hold', negate(amount)],
  ]);
}

/** Held money becomes the merchant's. */
export function captureEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('capture', { reference, amount }, [
    ...createLiftLines(amount),
    ['card_receivable', amount],
    ['merchant_payable', negate(amount)],
  ]);
}

/** Money is given back to the card. An unlinked refund has no capture before it. */
export function refundEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('refund', { reference, amount }, createReturnLines(amount));
}

/** A refund that was booked, and that the acquirer does not have: the money is the merchant's again. */
export function reverseRefundEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('reverse', { reference, amount }, createReturnLines(negate(amount)));
}

/** A captured payment is completely undone. */
export function reverseCaptureEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('reverse', { reference, amount }, createReturnLines(amount));
}

/** A hold is undone before anything was captured. */
export function reverseHoldEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('reverse', { reference, amount }, createLiftLines(amount));
}

/** The rest of a hold ends. */
export function releaseEntry(reference: string, amount: Money): LedgerEntryDraft {
  return createEntry('release', { reference, amount }, createLiftLines(amount));
}

/** What the entries leave on each account. */
export function computeBalances(entries: readonly LedgerEntryDraft[]): Readonly<Record<LedgerAccount, number>> {
  const totals = { card_hold: 0, merchant_hold: 0, card_receivable: 0, merchant_payable: 0 };
  for (const posting of entries.flatMap((each) => each.postings)) totals[posting.account] += posting.amount;
  return totals;
}

/** How much a capture or refund moved between the card and the merchant, without a sign. */
export function getCardAmount(entry: LedgerEntryDraft): Money {
  return { value: Math.abs(computeBalances([entry]).card_receivable), currencyCode: entry.currencyCode };
}

/** The text of a posted entry as it goes into the hash chain of its subject; member order is fixed. */
export function formatChainRecord(
  draft: LedgerEntryDraft,
  place: { readonly subjectId: string; readonly number: number; readonly postedAt: Date },
): string {
  return JSON.stringify([
    place.subjectId,
    place.number,
    place.postedAt.toISOString(),
    draft.kind,
    draft.reference,
    draft.currencyCode,
    draft.postings.map(({ account, amount }) => [account, amount]),
  ]);
}

type LedgerLine = readonly [LedgerAccount, Money];

function createReturnLines(amount: Money): LedgerLine[] {
  return [
    ['card_receivable', negate(amount)],
    ['merchant_payable', amount],
  ];
}

function createLiftLines(amount: Money): LedgerLine[] {
  return [
    ['card_hold', negate(amount)],
    ['merchant_hold', amount],
  ];
}

function createEntry(
  kind: LedgerEntryKind,
  { reference, amount }: { readonly reference: string; readonly amount: Money },
  lines: readonly LedgerLine[],
): LedgerEntryDraft {
  assert(isPositive(amount), `a ${kind} of nothing`);
  const postings = lines.map(([account, line]) => ({ account, amount: line.value }));
  assert(postings.reduce((total, posting) => total + posting.amount, 0) === 0, `a ${kind} that does not balance`);
  return { kind, reference, currencyCode: amount.currencyCode, postings };
}
