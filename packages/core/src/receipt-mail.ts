import { required } from './assert.js';
import { add, isPositive, zero } from './money.js';
import type { PaymentIntent } from './payment-intent.js';
import { receipt, type Receipt, type ReceiptCopy, type ReceiptHeading, remark, shownAmount } from './receipt.js';

/** A receipt as a mail carries it. */
export interface ReceiptMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A copy of a payment that no card machine has printed, or whose copy it kept. */
export function receiptOf(
  intent: PaymentIntent,
  place: { heading: ReceiptHeading; merchantId: string },
  copy: ReceiptCopy = 'customer',
): Receipt {
  const details = required(intent.paymentDetails, 'how the payment was taken');
  const { amount, tipsAmount, cashbackAmount, serviceChargeAmount } = intent;
  const price = add(amount, serviceChargeAmount ?? zero(amount.currencyCode));
  return receipt(copy, {
    heading: place.heading,
    approval: { ...details, ...place, amount: price, ...{ aid: null, panSequence: null, cardProduct: null } },
    isApproved: true,
    isRefund: false,
    isSignatureWanted: false,
    sessionId: '',
    amount: price,
    gratuity: tipsAmount,
    cashback: cashbackAmount,
  });
}

/** A copy is of the payment as it was taken; who asks for it later must not believe that all of it still stands. */
export function asItStands({ status, refunded }: PaymentIntent, copy: Receipt): Receipt {
  if (status === 'Reversed') return { lines: [...copy.lines, remark('THIS PAYMENT WAS REVERSED')] };
  return isPositive(refunded) ? { lines: [...copy.lines, remark(`Refunded since: ${shownAmount(refunded)}`)] } : copy;
}

/** The mail that brings the customer's copy, and says what has become of the payment since. */
export function receiptMail(intent: PaymentIntent, copy: Receipt, merchantName: string): ReceiptMail {
  const lines = asItStands(intent, copy).lines.map(shownLine);
  return {
    subject: oneLine(`Your receipt from ${merchantName}`),
    text: `${lines.map(({ text }) => text).join('\n')}\n`,
    html: page(lines),
  };
}

interface Line {
  readonly text: string;
  readonly isBold: boolean;
}

function shownLine({ lineType, text }: Receipt['lines'][number]): Line {
  switch (lineType) {
    case 'Text':
      return { text: text === undefined ? '' : oneLine(text.value), isBold: text?.emphasisBold ?? false };
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

function page(lines: readonly Line[]): string {
  const body = lines.map(({ text, isBold }) => (isBold ? `<b>${escaped(text)}</b>` : escaped(text))).join('<br>\n');
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head><body style="font-family: monospace">\n${body}\n</body></html>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** What a merchant calls himself becomes part of a header: nothing in it may end one. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
