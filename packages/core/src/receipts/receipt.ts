import { type CardPresentApproval, formatMaskedPan } from '../cards/card.js';
import { add, isZero, type Money } from '../money/money.js';
import { formatAmount } from '../money/money-text.js';
import { formatZonedTime } from '../time/time-zone.js';

/** Spelled as on the wire, one letter short. */
export const RECEIPT_LINE_TYPES = [
  'Text',
  'LogoImage',
  'NewLine',
  'SingleLineSeperator',
  'DoubleLineSeperator',
] as const;
export type ReceiptLineType = (typeof RECEIPT_LINE_TYPES)[number];

export const RECEIPT_TEXT_SIZES = ['SizeHeader1', 'SizeHeader2', 'SizeBody'] as const;
export type ReceiptTextSize = (typeof RECEIPT_TEXT_SIZES)[number];

export const RECEIPT_ALIGNS = ['AlignLeft', 'AlignCenter', 'AlignRight'] as const;
export type ReceiptAlign = (typeof RECEIPT_ALIGNS)[number];

/** One line; plain JSON. Text lines carry `text`, logo lines `imageLogo`, the others nothing. */
export interface ReceiptLine {
  readonly lineType: ReceiptLineType;
  readonly text?: {
    readonly value: string;
    readonly size: ReceiptTextSize;
    readonly align: ReceiptAlign;
    readonly emphasisBold: boolean;
  };
  readonly imageLogo?: { readonly value: string; readonly align: ReceiptAlign };
}

export interface Receipt {
  readonly lines: readonly ReceiptLine[];
}

export type ReceiptCopy = 'customer' | 'merchant';

/** The account, the machine and the table in the head of a receipt. */
export interface ReceiptHeading {
  readonly merchantName: string;
  readonly phoneNumber: string | null;
  readonly site: string | null;
  readonly tid: string;
  readonly table: string | null;
  readonly handset: string | null;
  /** The zone of the location: receipts have its time. */
  readonly timeZone: string;
}

/**
 * What was done with the card, in the words of the card schemes: a hold is no sale, and its completion has the captured
 * amount.
 */
export type ReceiptKind = 'sale' | 'preAuthorisation' | 'completion' | 'refund';

/** What was done with the card. */
export interface ReceiptSubject {
  readonly heading: ReceiptHeading;
  readonly approval: CardPresentApproval;
  readonly isApproved: boolean;
  readonly kind: ReceiptKind;
  readonly isSignatureWanted: boolean;
  readonly sessionId: string;
  readonly amount: Money;
  readonly gratuity: Money | null;
  readonly cashback: Money | null;
  /** For a reader who may not be the payer: nothing of the card, and no code of its issuer. */
  readonly isCardHidden?: boolean;
}

/** The lines of one copy, in their fixed order; a line without a value is left out. */
export function createReceipt(copy: ReceiptCopy, subject: ReceiptSubject): Receipt {
  const { heading, approval, isApproved, kind, isCardHidden = false } = subject;
  const { card } = approval;
  const isMerchantCopy = copy === 'merchant';
  const wantsSignature = isMerchantCopy && subject.isSignatureWanted && isApproved;
  const lines = [
    createCentredLine(heading.merchantName, 'SizeHeader2'),
    createCentredLine(heading.phoneNumber),
    createCentredLine(heading.site),
    createEmptyLine(),
    createLabelledLine('Merchant', getLastFour(approval.merchantId)),
    createLabelledLine('Terminal', getLastFour(heading.tid)),
    createLabelledLine('Scheme', isCardHidden ? null : card.cardType),
    createLabelledLine('Table', heading.table),
    createLabelledLine('Handset', withMaskedNumber(heading.handset, heading.tid)),
    ...(isCardHidden ? [] : createCardLines(approval)),
    createSeparator(),
    createCentredLine(KIND_TEXTS[kind], 'SizeHeader2'),
    ...createAmountLines(subject),
    createCentredLine(isApproved ? 'SUCCESSFUL' : 'DECLINED', 'SizeBody', true),
    ...(wantsSignature ? [createEmptyLine(), createTextLine('Signature: ______________________')] : []),
    createEmptyLine(),
    createCentredLine('Thank you'),
    createCentredLine(formatTime(approval.transactionDateTime, heading.timeZone)),
    createLabelledLine('Auth code', approval.authCode === '' || isCardHidden ? null : approval.authCode),
    ...(isMerchantCopy
      ? [
          createLabelledLine('Transaction', approval.acquirerTransactionId ?? approval.transactionId),
          createLabelledLine('Session', subject.sessionId),
        ]
      : []),
    createSeparator('DoubleLineSeperator'),
    createCentredLine(isMerchantCopy ? 'MERCHANT COPY' : 'CUSTOMER COPY'),
    createCentredLine(isMerchantCopy ? 'Please keep for your records' : 'Please keep this receipt'),
  ];
  return { lines: lines.filter((line) => line !== null) };
}

function createCardLines({ card, cardProduct, aid, panSequence }: CardPresentApproval): (ReceiptLine | null)[] {
  return [
    createSeparator(),
    createTextLine(cardProduct),
    createLabelledLine('AID', aid),
    createTextLine(card.cardType, { size: 'SizeHeader1' }),
    createTextLine(formatMaskedPan(card)),
    createLabelledLine('PAN SEQ', panSequence),
    createTextLine(ENTRY_MODE_TEXTS[card.entryMode]),
  ];
}

/** The remark below a copy, in bold. */
export function createRemark(value: string): ReceiptLine {
  const look = { size: 'SizeBody', align: 'AlignCenter', emphasisBold: true } as const;
  return { lineType: 'Text', text: { value, ...look } };
}

const KIND_TEXTS = {
  sale: 'SALE',
  preAuthorisation: 'PRE-AUTHORISATION',
  completion: 'COMPLETION',
  refund: 'REFUND',
} as const satisfies Record<ReceiptKind, string>;

const ENTRY_MODE_TEXTS = {
  Contactless: 'CONTACTLESS',
  ContactChip: 'CHIP',
  Magstripe: 'SWIPED',
  ManualEntry: 'KEYED',
  Unknown: null,
} as const satisfies Record<CardPresentApproval['card']['entryMode'], string | null>;

function createAmountLines({ amount, gratuity, cashback }: ReceiptSubject): (ReceiptLine | null)[] {
  const extras = [gratuity, cashback].filter((extra) => extra !== null && !isZero(extra));
  const total = extras.reduce<Money>((reached, extra) => (extra === null ? reached : add(reached, extra)), amount);
  return [
    createLabelledLine('Amount', formatAmount(amount), BIG),
    createLabelledLine('Gratuity', gratuity === null || isZero(gratuity) ? null : formatAmount(gratuity), BIG),
    createLabelledLine('Cashback', cashback === null || isZero(cashback) ? null : formatAmount(cashback), BIG),
    createLabelledLine('Total', formatAmount(total), BIG),
  ];
}

interface TextLook {
  readonly size?: ReceiptTextSize;
  readonly align?: ReceiptAlign;
  readonly emphasisBold?: boolean;
}

const BIG = { size: 'SizeHeader1', emphasisBold: true } as const satisfies TextLook;

function createTextLine(value: string | null, look: TextLook = {}): ReceiptLine | null {
  if (value === null || value === '') return null;
  const { size = 'SizeBody', align = 'AlignLeft', emphasisBold = false } = look;
  return { lineType: 'Text', text: { value, size, align, emphasisBold } };
}

function createCentredLine(
  value: string | null,
  size: ReceiptTextSize = 'SizeBody',
  emphasisBold = false,
): ReceiptLine | null {
  return createTextLine(value, { size, align: 'AlignCenter', emphasisBold });
}

function createLabelledLine(label: string, value: string | null, look: TextLook = {}): ReceiptLine | null {
  return value === null || value === '' ? null : createTextLine(`${label}: ${value}`, look);
}

function createEmptyLine(): ReceiptLine {
  return { lineType: 'NewLine' };
}

function createSeparator(lineType: ReceiptLineType = 'SingleLineSeperator'): ReceiptLine {
  return { lineType };
}

/** Card schemes require that neither number is readable on the paper that a payer takes home. */
function getLastFour(number: string): string | null {
  return number === '' ? null : `${'*'.repeat(Math.max(number.length - 4, 0))}${number.slice(-4)}`;
}

/** A machine may be named after its number. */
function withMaskedNumber(name: string | null, tid: string): string | null {
  const masked = getLastFour(tid);
  return name === null || masked === null ? name : name.replaceAll(tid, masked);
}

/** A time that is none is printed as the machine has sent it. */
function formatTime(iso: string, timeZone: string): string {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : formatZonedTime(moment, timeZone);
}
