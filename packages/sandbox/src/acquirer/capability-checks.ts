import type { AcquirerCapabilities, Capability } from '@pos/core/acquirer';
import { exceeds, isPositive, isSameAmount, isZero } from '@pos/core/money';
import { findTestCard } from '../cards/test-cards.js';
import { type AcquirerBooks, computeCapturable, computeRefundable } from './acquirer-books.js';
import { AcquirerError, type AuthorisationRequest, type FollowUpRequest } from './acquirer-call.js';

// The simulated acquirer holds to what it has declared: a call that it cannot make is refused before it is booked.

/** Refuses an authorisation that the acquirer has not declared. */
export function checkAuthorisation(declared: AcquirerCapabilities, request: AuthorisationRequest): void {
  const { amount, isPurchase, instrument } = request;
  const { currencies, cardSchemes } = declared;
  if (currencies !== null && !currencies.includes(amount.currencyCode)) throw createRefusal('currencies');
  if (isZero(amount)) requireDeclared(declared, 'card_verification');
  else if (!isPurchase) requireDeclared(declared, 'separate_capture');
  if (instrument.kind !== 'present' && instrument.isAbsent === true)
    requireDeclared(declared, 'cardholder_not_present');
  if (instrument.kind === 'stored' && instrument.isMerchantInitiated === true)
    requireDeclared(declared, 'merchant_initiated');
  const scheme = findTestCard(instrument.card.number.replaceAll(' ', ''))?.scheme ?? null;
  if (cardSchemes !== null && scheme !== null && !cardSchemes.includes(scheme)) throw createRefusal('card_schemes');
}

/** Refuses a capture, refund or increase that the acquirer has not declared. A repeat is answered from the books. */
export function checkFollowUp(
  declared: AcquirerCapabilities,
  books: AcquirerBooks,
  { kind, request }: { readonly kind: 'Increase' | 'Capture' | 'Refund'; readonly request: FollowUpRequest },
): void {
  const original = books.findCall(request.originalReference);
  if (books.findCall(request.reference) !== null || original === null) return;
  if (original.amount.currencyCode !== request.amount.currencyCode) return;
  const totals = books.computeTotals(original);
  switch (kind) {
    case 'Increase':
      requireDeclared(declared, 'incremental_authorisation');
      return;
    case 'Capture':
      if (isPositive(totals.captured)) requireDeclared(declared, 'multiple_captures');
      if (exceeds(computeCapturable(totals), request.amount)) requireDeclared(declared, 'partial_capture');
      return;
    case 'Refund': {
      if (isPositive(totals.refunded)) requireDeclared(declared, 'multiple_refunds');
      const isWhole = isSameAmount(totals.captured, request.amount);
      if (!isWhole && exceeds(computeRefundable(totals), request.amount)) requireDeclared(declared, 'partial_refund');
    }
  }
}

/** Refuses a reversal that the acquirer has not declared, and one of an unknown reference where it keeps none. */
export function checkReversal(
  declared: AcquirerCapabilities,
  books: AcquirerBooks,
  request: { readonly reference: string; readonly originalReference: string; readonly releaseRest: boolean },
): void {
  if (books.findCall(request.reference) !== null) return;
  const original = books.findCall(request.originalReference);
  if (original === null) {
    if (!declared.can.reversal_of_unknown_reference) throw new AcquirerError('NotFound', 'unknown reference');
    return;
  }
  if (request.releaseRest) requireDeclared(declared, 'partial_reversal');
  else if (original.isPurchase && original.outcome === 'Approved') requireDeclared(declared, 'reversal_after_capture');
}

/** Refuses a call that the acquirer has not declared. */
export function requireDeclared({ can }: AcquirerCapabilities, capability: Capability): void {
  if (!can[capability]) throw createRefusal(capability);
}

function createRefusal(what: string): AcquirerError {
  return new AcquirerError('Unimplemented', `not declared: ${what}`);
}
