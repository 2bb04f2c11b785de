import type { PublicPaymentIntent } from '../gen/schemas.js';
import type { FlowOffer } from './flow-state.js';
import type { PaymentService, Refused, SavedCard } from './payment-service.js';
import { RESULT_CODES, type ResultCode, toResultCode } from './result-codes.js';
import { findAcceptedWallets, type Wallet } from './wallets.js';

/** What a flow pays, and who pays. */
export interface FlowSubject {
  readonly paymentIntentId: string;
  /** Offers the saved cards of the customer of the payment. */
  readonly customerSecret?: string | undefined;
  /** The wallets that can be displayed here; none when left out. */
  readonly wallets?: readonly Wallet[] | undefined;
}

/** The result of opening a payment: what is offered, or why nothing can be paid. */
export type Opening =
  | { readonly kind: 'offered'; readonly offer: FlowOffer }
  | { readonly kind: 'ended'; readonly code: ResultCode; readonly detail: string }
  | { readonly kind: 'unreachable' };

const UNREACHABLE = { kind: 'unreachable' } as const;

/** Reads the payment and what may pay it. Changes nothing where the payment has a secret that is not used up. */
export async function openPayment(service: PaymentService, subject: FlowSubject): Promise<Opening> {
  const answer = await service.readIntent(subject.paymentIntentId);
  if (answer.kind === 'unreachable') return UNREACHABLE;
  if (answer.kind === 'refused') return end(RESULT_CODES.invalidRequest, answer.detail);
  const { intent } = answer;
  if (intent.status !== 'Created') return end(RESULT_CODES.duplicate, `The payment is ${intent.status}.`);
  // Only the hosted page has fields for it.
  if (intent.config.shippingDetails.collectionRequired)
    return end(RESULT_CODES.invalidRequest, 'The payment requires shipping details; use its payment link.');
  const cards = await listSavedCards(service, intent, subject.customerSecret);
  if (cards.kind !== 'answered') return cards.kind === 'refused' ? endRefused(cards) : UNREACHABLE;
  const wallets = findAcceptedWallets(intent, subject.wallets ?? []);
  return openFields(service, intent, { savedCards: cards.cards, wallets });
}

async function openFields(
  service: PaymentService,
  intent: PublicPaymentIntent,
  { savedCards, wallets }: Pick<FlowOffer, 'savedCards' | 'wallets'>,
): Promise<Opening> {
  const acceptsCard = intent.paymentMethods.includes('Card');
  if (!acceptsCard && savedCards.length + wallets.length === 0)
    return end(RESULT_CODES.invalidRequest, 'The payment accepts no method that a flow has.');
  const secret = await getSecret(service, intent);
  if (typeof secret !== 'string') return secret;
  const answer = await service.openCardFields(secret);
  if (answer.kind === 'unreachable') return UNREACHABLE;
  // The secret is of this moment: another attempt has just ended or begun.
  if (answer.kind === 'refused') return endRefused(answer);
  const canSaveCard = acceptsCard && intent.customer?.customerId !== undefined;
  return {
    kind: 'offered',
    offer: { intent, fields: answer.addresses, acceptsCard, savedCards, canSaveCard, wallets },
  };
}

/** The secret that the payment has, or a new one after it was used. */
async function getSecret(service: PaymentService, intent: PublicPaymentIntent): Promise<string | Opening> {
  if (intent.clientSessionSecret !== undefined) return intent.clientSessionSecret;
  const answer = await service.startAttempt(intent.id);
  if (answer.kind === 'unreachable') return UNREACHABLE;
  if (answer.kind === 'answered')
    return answer.intent.clientSessionSecret ?? end(RESULT_CODES.invalidRequest, 'The payment cannot be paid online.');
  // 409: an attempt runs in another window, and may still pay.
  return answer.code === 409 ? end(RESULT_CODES.duplicate, answer.detail) : endRefused(answer);
}

async function listSavedCards(
  service: PaymentService,
  { customer, paymentMethods }: PublicPaymentIntent,
  secret: string | undefined,
): ReturnType<PaymentService['listSavedCards']> {
  if (secret === undefined) return { kind: 'answered', cards: [] };
  const customerId = customer?.customerId;
  if (customerId === undefined)
    return { kind: 'refused', code: 401, reason: null, detail: 'The payment names no customer.' };
  const answer = await service.listSavedCards(customerId, secret);
  if (answer.kind !== 'answered') return answer;
  return { kind: 'answered', cards: paymentMethods.includes('SavedCard') ? answer.cards.filter(isUnexpired) : [] };
}

/** The date is the last day of the card. */
function isUnexpired({ cardDetails: { expiryDate } }: SavedCard): boolean {
  return expiryDate >= new Date().toISOString().slice(0, 10);
}

function end(code: ResultCode, detail: string): Extract<Opening, { readonly kind: 'ended' }> {
  return { kind: 'ended', code, detail };
}

/** A refusal that is no result, such as 403 of an origin that is not registered, is an error of the integration. */
function endRefused({ code, detail }: Refused): Opening {
  return end(toResultCode(code), detail);
}
