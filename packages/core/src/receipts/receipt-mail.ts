import { requireValue } from '../refusals/assert.js';
import type { CardPresentApproval } from '../cards/card.js';
import { add, isPositive, isSameAmount, subtract, sum, zeroMoney } from '../money/money.js';
import { formatAmount } from '../money/money-text.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import {
  createReceipt,
  type Receipt,
  type ReceiptCopy,
  type ReceiptHeading,
  type ReceiptKind,
  type ReceiptSubject,
  createRemark,
} from './receipt.js';

/** A receipt as a mail carries it. */
export interface ReceiptMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Where a payment was taken, and what a card machine has said about the card. */
export interface ReceiptPlace {
  readonly heading: ReceiptHeading;
  readonly merchantId: string;
  readonly chip?: Pick<CardPresentApproval, 'aid' | 'panSequence' | 'cardProduct'>;
  readonly sessionId?: string;
}

/** Creates a copy for a payment that no card machine has printed, or whose copy it kept. */
export function createReceiptCopy(
  intent: PaymentIntent,
  place: ReceiptPlace,
  { copy = 'customer', isCardHidden = false }: { readonly copy?: ReceiptCopy; readonly isCardHidden?: boolean } = {},
): Receipt {
  const details = requireValue(intent.paymentDetails, 'how the payment was taken');
  const parts = computeParts(intent);
  const chip = { aid: null, panSequence: null, cardProduct: null, ...place.chip };
  return createReceipt(copy, {
    heading: place.heading,
    approval: { ...details, ...place, amount: parts.amount, ...chip },
    isApproved: true,
    kind: findKind(intent),
    isSignatureWanted: false,
    sessionId: place.sessionId ?? '',
    isCardHidden,
    ...parts,
  });
}

/** Whether a copy of now says other than the one that was printed with the approval: a hold of which money was taken. */
export function isCompletion(intent: Pick<PaymentIntent, 'captureMode' | 'captured'>): boolean {
  return intent.captureMode === 'Manual' && isPositive(intent.captured);
}

function findKind(intent: PaymentIntent): ReceiptKind {
  if (intent.captureMode === 'Auto') return 'sale';
  return isCompletion(intent) ? 'completion' : 'preAuthorisation';
}

/** What the card pays for. A completion has what was captured, never what was held. */
function computeParts(intent: PaymentIntent): Pick<ReceiptSubject, 'amount' | 'gratuity' | 'cashback'> {
  const { amount, tipsAmount, cashbackAmount, serviceChargeAmount, captured, captures } = intent;
  const none = zeroMoney(amount.currencyCode);
  // The receipt has no line for a service charge: it is part of the price.
  const price = add(amount, serviceChargeAmount ?? none);
  const whole = [price, tipsAmount ?? none, cashbackAmount ?? none].reduce(add);
  if (!isCompletion(intent) || isSameAmount(captured, whole)) {
    return { amount: price, gratuity: tipsAmount, cashback: cashbackAmount };
  }
  const tips = sum(
    captures.filter(({ status }) => status === 'Successful').map((capture) => capture.tipsAmount),
    amount.currencyCode,
  );
  return { amount: subtract(captured, tips), gratuity: tips, cashback: null };
}

/**
 * Adds the later status. A copy shows the payment as it was taken, and a later reader must not assume that all of it
 * is still valid.
 */
export function markCopyStatus({ status, refunded }: PaymentIntent, copy: Receipt): Receipt {
  if (status === 'Reversed') return { lines: [...copy.lines, createRemark('THIS PAYMENT WAS REVERSED')] };
  return isPositive(refunded)
    ? { lines: [...copy.lines, createRemark(`Refunded since: ${formatAmount(refunded)}`)] }
    : copy;
}

/** The mail with the customer's copy and the later status of the payment. */
export function createReceiptMail(intent: PaymentIntent, copy: Receipt, merchantName: string): ReceiptMail {
  const lines = markCopyStatus(intent, copy).lines.map(formatLine);
  return {
    subject: removeLineBreaks(`Your receipt from ${merchantName}`),
    text: `${lines.map(({ text }) => text).join('\n')}\n`,
    html: renderPage(lines),
  };
}

interface MailLine {
  readonly text: string;
  readonly isBold: boolean;
}

function formatLine({ lineType, text }: Receipt['lines'][number]): MailLine {
  switch (lineType) {
    case 'Text':
      return { text: text === undefined ? '' : removeLineBreaks(text.value), isBold: text?.emphasisBold ?? false };
    case 'NewLine':
    case 'LogoImage':
      return { text: '', isBold: false };
    case 'SingleLineSeperator':
      return { text: '-'.repeat(RULE_LENGTH), isBold: false };
    case 'DoubleLineSeperator':
      return { text: '='.repeat(RULE_LENGTH), isBold: false };
  }
}

const RULE_LENGTH = 32;

function renderPage(lines: readonly MailLine[]): string {
  const body = lines
    .map(({ text, isBold }) => (isBold ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text)))
    .join('<br>\n');
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body style="font-family: monospace">\n${body}\n</body></html>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A merchant's name becomes part of a header: nothing in it may end one. */
function removeLineBreaks(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
