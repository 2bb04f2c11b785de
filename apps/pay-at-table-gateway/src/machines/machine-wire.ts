import {
  ACQUIRER_TRANSACTION_ID_LENGTH_MAX,
  CARD_FUNDING_TYPES,
  CARD_SCHEMES,
  type CardDetails,
  type CardFundingType,
  CardNumber,
  type CardPresentApproval,
  type CardType,
  containsCardNumber,
  type DigitsViolation,
  type EntryMode,
  findLastDay,
  readShownDigits,
  SCHEMES,
  type VerificationMethod as Verification,
  type VisibleDigits,
} from '@pos/core/cards';
import type { AlarmDetails } from '@pos/core/operators';
import {
  findFirstDigits,
  type MachineReport,
  type NotificationType as Shown,
  type SessionType as Kind,
} from '@pos/core/terminals';
import { add, money } from '@pos/core/money';
import {
  type CardEntryMode,
  type FundingType,
  type NotificationType,
  Scheme,
  SessionType,
  type VerificationMethod,
  type CardPresentResult,
  type OriginalCard,
  type ConnectResponse,
  type Report,
  type Start,
} from '@pos/grpc-contracts/card-machine';
import { cutStorableText, toStorable } from '@pos/core/refusals';
import type { MachineCommand } from '@pos/payments/terminals';

/**
 * Decodes a report and makes its texts storable, so that no text prevents a captured payment from being stored. An
 * approval is never dropped for its form: what cannot be read of it is named.
 */
export function readReport(message: Report): MachineReport {
  const { number, event } = toStorable(message);
  if (event === undefined) return { number, kind: 'unreadable' };
  switch (event.$case) {
    case 'confirmed':
      return { number, kind: 'confirmed' };
    case 'notification': {
      const notificationType = NOTIFICATIONS[event.value.type] ?? null;
      return notificationType === null
        ? { number, kind: 'unreadable' }
        : { number, kind: 'notification', notificationType };
    }
    case 'approved': {
      const read = readResult(event.value.result);
      if (!('result' in read)) return { number, kind: 'unreadableApproval', ...read };
      const { result: approval, missing } = read;
      const isSignatureRequired = event.value.signatureRequired;
      return { number, kind: 'approved', approval, isSignatureRequired, ...(missing.length > 0 && { missing }) };
    }
    case 'declined': {
      const read = readResult(event.value.result);
      // The session has ended without a card and without money.
      if (!('result' in read) || read.missing.includes('card'))
        return { number, kind: 'unable', reason: 'declined, and the card is not known' };
      return { number, kind: 'declined', result: read.result };
    }
    case 'canceled':
      return { number, kind: 'canceled' };
    case 'unable':
      return { number, kind: 'unable', reason: readReason(event.value.reason) };
    case 'unknownSession':
      return { number, kind: 'unknownSession' };
  }
}

/** A command in the form of the contract. */
export function presentCommand(command: MachineCommand): ConnectResponse {
  const { sessionId: terminalSessionId } = command;
  switch (command.kind) {
    case 'start':
      return { message: { $case: 'start', value: presentStart(command) } };
    case 'cancel':
      return { message: { $case: 'cancel', value: { terminalSessionId } } };
    case 'signature':
      return { message: { $case: 'signatureDecision', value: { terminalSessionId, accepted: command.accepted } } };
    case 'stop':
      return { message: { $case: 'stop', value: { terminalSessionId } } };
  }
}

function presentStart(start: Extract<MachineCommand, { kind: 'start' }>): Start {
  const { base, tips, cashback, serviceCharge } = start.parts;
  return {
    terminalSessionId: start.sessionId,
    acquirerReference: start.acquirerReference,
    originalAcquirerReference: start.originalAcquirerReference ?? undefined,
    sessionType: SESSION_TYPES[start.sessionType],
    amount: {
      // For the machine the service charge is part of the base amount, and the parts sum to the charged amount.
      baseAmount: BigInt(add(base, serviceCharge).value),
      gratuityAmount: BigInt(tips.value),
      cashbackAmount: BigInt(cashback.value),
      serviceChargeAmount: BigInt(serviceCharge.value),
      totalAmount: BigInt(start.total.value),
    },
    currency: start.total.currencyCode,
    capture: start.capture,
    cardholderNotPresent: start.cardHolderNotPresent,
    secondsLeft: start.secondsLeft,
    reference: start.reference,
    originalCard: presentOriginalCard(start.originalCard),
    refuseOtherCard: start.refuseOtherCard,
  };
}

function presentOriginalCard(card: CardDetails | null): OriginalCard | undefined {
  if (card === null) return undefined;
  return { firstDigits: findFirstDigits(card), last4Pan: card.last4PAN };
}

const UNABLE_REASON_LENGTH_MAX = 500;
const REPORT_TEXT_LENGTH_MAX = 100;
/** The end of the year 9999, the maximum of a timestamp. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;
/** Decides about money, so nothing stands in for it. */
interface UnreadableResult {
  readonly problem: string;
  readonly details: AlarmDetails;
}

/** A result, and the members that cannot be read and are filled; an empty time is the time of the report. */
interface ReadResult {
  readonly result: CardPresentApproval;
  readonly missing: readonly string[];
}

function readResult(sent: CardPresentResult | undefined): ReadResult | UnreadableResult {
  if (sent === undefined) return { problem: 'result', details: {} };
  const value = Number(sent.amount);
  const currency = sent.currency.trim().toUpperCase();
  const isReadable = { amount: Number.isSafeInteger(value) && value >= 0, currency: /^[A-Z]{3}$/.test(currency) };
  if (!isReadable.amount || !isReadable.currency) {
    const problem = isReadable.amount ? 'currency' : 'amount';
    return { problem, details: describeResult(sent) };
  }
  const transactionDateTime = readTime(sent.transactionAt);
  const transactionId = readTransactionId(sent);
  const missing = [
    ...(sent.card === undefined ? ['card'] : []),
    ...(transactionDateTime === '' ? ['time'] : []),
    ...(transactionId === '' ? ['transaction id'] : []),
  ];
  const { card } = sent;
  const result: CardPresentApproval = {
    reference: cutShortText(sent.acquirerReference),
    transactionId,
    transactionDateTime,
    authCode: cutShortText(sent.authCode),
    amount: money(value, currency),
    card: readCard(sent),
    paymentMethodId: null,
    avsResult: null,
    merchantId: cutShortText(sent.merchantId),
    aid: toNullableText(card?.aid ?? ''),
    panSequence: toNullableText(card?.panSequence ?? ''),
    cardProduct: toNullableText(card?.product ?? ''),
  };
  return { result, missing };
}

function readCard({ card, entryMode, verificationMethod }: CardPresentResult): CardDetails {
  const { cardNumber, last4PAN } = card === undefined ? NO_DIGITS : readCardDigits(card);
  return {
    ...{ cardNumber, last4PAN },
    cardName: toNullableText(card?.cardholderName ?? ''),
    expiryDate: card === undefined ? null : findLastDay({ month: card.expiryMonth, year: card.expiryYear }),
    // An unknown scheme must not prevent the payment from being stored.
    cardType: card === undefined ? 'UNKNOWN' : readScheme(card.scheme),
    cardFundingType: (card === undefined ? null : FUNDING_TYPES[card.fundingType]) ?? UNKNOWN_FUNDING,
    entryMode: ENTRY_MODES[entryMode] ?? 'Unknown',
    verificationMethod: VERIFICATION_METHODS[verificationMethod] ?? 'None',
  };
}

/** Empty if the time is missing, or later than any that can be stored. Comparisons with an invalid date are false. */
function readTime(sent: Date | undefined): string {
  return sent !== undefined && Math.abs(sent.getTime()) <= LATEST_MS ? sent.toISOString() : '';
}

/** The acquirer's own text. One that is the number of the card is not stored. */
function readTransactionId({ transactionId, card }: CardPresentResult): string {
  const text = cutStorableText(transactionId, ACQUIRER_TRANSACTION_ID_LENGTH_MAX);
  const last4 = card?.last4Pan ?? '';
  return last4 !== '' && CardNumber.read(text)?.last4 === last4 ? '' : text;
}

/** What an operator sees of a result that cannot be read. */
function describeResult(sent: CardPresentResult): AlarmDetails {
  return {
    ...{ sentAmount: String(sent.amount), sentCurrency: cutShortText(sent.currency) },
    ...{ transactionId: readTransactionId(sent), authCode: cutShortText(sent.authCode) },
    last4: readCard(sent).last4PAN,
  };
}

/** Why the card digits of a report are left out; null if they are readable, or there is no card. */
export function findDigitsProblem(message: Report): DigitsViolation | null {
  const { event } = toStorable(message);
  if (event?.$case !== 'approved' && event?.$case !== 'declined') return null;
  const card = event.value.result?.card;
  return card === undefined ? null : readCardDigits(card).fault;
}

function readCardDigits({ maskedNumber, last4Pan }: NonNullable<CardPresentResult['card']>): VisibleDigits {
  return readShownDigits({ maskedNumber, last4: last4Pan });
}

/** A report is never refused for its texts, so one with a card number is left out. */
function readReason(reason: string): string {
  if (containsCardNumber(reason, 'any')) return 'left out, because it holds a card number';
  return cutStorableText(reason, UNABLE_REASON_LENGTH_MAX);
}

function cutShortText(text: string): string {
  return cutStorableText(text, REPORT_TEXT_LENGTH_MAX);
}

function toNullableText(text: string): string | null {
  return text === '' || containsCardNumber(text, 'any') ? null : cutShortText(text);
}

const NO_DIGITS = { cardNumber: '', last4PAN: '' } as const;
const UNKNOWN_FUNDING = CARD_FUNDING_TYPES[0];

const SESSION_TYPES = {
  Sale: SessionType.SESSION_TYPE_SALE,
  MatchedRefund: SessionType.SESSION_TYPE_MATCHED_REFUND,
  UnlinkedRefund: SessionType.SESSION_TYPE_UNLINKED_REFUND,
} as const satisfies Record<Kind, SessionType>;

const NOTIFICATIONS = {
  NOTIFICATION_TYPE_UNSPECIFIED: null,
  NOTIFICATION_TYPE_APPROVED: 'Approved',
  NOTIFICATION_TYPE_DECLINED: 'Declined',
  NOTIFICATION_TYPE_INSERT_CARD: 'InsertCard',
  NOTIFICATION_TYPE_ENTER_PIN: 'EnterPin',
  NOTIFICATION_TYPE_PLEASE_WAIT: 'PleaseWait',
  NOTIFICATION_TYPE_PRESENT_CARD: 'PresentCard',
  NOTIFICATION_TYPE_PRESENT_ONLY_ONE_CARD: 'PresentOnlyOneCard',
  NOTIFICATION_TYPE_REMOVE_CARD: 'RemoveCard',
  NOTIFICATION_TYPE_CARD_UNSUPPORTED: 'CardUnsupported',
  NOTIFICATION_TYPE_CARD_ERROR: 'CardError',
  NOTIFICATION_TYPE_RE_ENTER_CARD: 'ReEnterCard',
  UNRECOGNIZED: null,
} as const satisfies Record<NotificationType, Shown | null>;

function readScheme(sent: Scheme): CardType {
  return CARD_SCHEMES.find((scheme) => Scheme[SCHEMES[scheme].machineName] === sent) ?? 'UNKNOWN';
}

const FUNDING_TYPES = {
  FUNDING_TYPE_UNSPECIFIED: null,
  FUNDING_TYPE_CREDIT: 'Credit',
  FUNDING_TYPE_DEBIT: 'Debit',
  FUNDING_TYPE_PREPAID: 'Prepaid',
  FUNDING_TYPE_CHARGE: 'Charge',
  UNRECOGNIZED: null,
} as const satisfies Record<FundingType, CardFundingType | null>;

const ENTRY_MODES = {
  CARD_ENTRY_MODE_UNSPECIFIED: null,
  CARD_ENTRY_MODE_CONTACTLESS: 'Contactless',
  CARD_ENTRY_MODE_CONTACT_CHIP: 'ContactChip',
  CARD_ENTRY_MODE_MAGSTRIPE: 'Magstripe',
  CARD_ENTRY_MODE_MANUAL_ENTRY: 'ManualEntry',
  UNRECOGNIZED: null,
} as const satisfies Record<CardEntryMode, EntryMode | null>;

const VERIFICATION_METHODS = {
  VERIFICATION_METHOD_UNSPECIFIED: null,
  VERIFICATION_METHOD_PIN: 'Pin',
  VERIFICATION_METHOD_SIGNATURE: 'Signature',
  VERIFICATION_METHOD_DEVICE: 'Device',
  VERIFICATION_METHOD_NONE: 'None',
  UNRECOGNIZED: null,
} as const satisfies Record<VerificationMethod, Verification | null>;
