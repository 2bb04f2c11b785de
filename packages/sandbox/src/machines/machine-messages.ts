import {
  CardEntryMode,
  FundingType,
  NotificationType,
  Scheme,
  type SessionType,
  VerificationMethod,
  type CardPresentResult,
  type ConnectRequest,
  type ConnectResponse,
  type Report,
  type Start,
} from '@pos/grpc-contracts/card-machine';
import {
  type CardFundingType,
  type EntryMode,
  SCHEMES,
  type VerificationMethod as Verification,
} from '@pos/core/cards';
import { money } from '@pos/core/money';
import type { CardResult, ReceivedCommand, MachineEvent, SentReport, StartCommand } from './machine-commands.js';
import type { MachineNotification } from './machine-script.js';

const NOTIFICATION_TYPES = {
  Approved: NotificationType.NOTIFICATION_TYPE_APPROVED,
  Declined: NotificationType.NOTIFICATION_TYPE_DECLINED,
  EnterPin: NotificationType.NOTIFICATION_TYPE_ENTER_PIN,
  PleaseWait: NotificationType.NOTIFICATION_TYPE_PLEASE_WAIT,
  PresentCard: NotificationType.NOTIFICATION_TYPE_PRESENT_CARD,
  RemoveCard: NotificationType.NOTIFICATION_TYPE_REMOVE_CARD,
  PresentOnlyOneCard: NotificationType.NOTIFICATION_TYPE_PRESENT_ONLY_ONE_CARD,
  CardUnsupported: NotificationType.NOTIFICATION_TYPE_CARD_UNSUPPORTED,
  InsertCard: NotificationType.NOTIFICATION_TYPE_INSERT_CARD,
  ReEnterCard: NotificationType.NOTIFICATION_TYPE_RE_ENTER_CARD,
  CardError: NotificationType.NOTIFICATION_TYPE_CARD_ERROR,
} as const satisfies Record<MachineNotification, NotificationType>;

const FUNDING_TYPES = {
  Unknown: FundingType.FUNDING_TYPE_UNSPECIFIED,
  Debit: FundingType.FUNDING_TYPE_DEBIT,
  Credit: FundingType.FUNDING_TYPE_CREDIT,
  Charge: FundingType.FUNDING_TYPE_CHARGE,
  Prepaid: FundingType.FUNDING_TYPE_PREPAID,
} as const satisfies Record<CardFundingType, FundingType>;

const ENTRY_MODES = {
  Contactless: CardEntryMode.CARD_ENTRY_MODE_CONTACTLESS,
  ContactChip: CardEntryMode.CARD_ENTRY_MODE_CONTACT_CHIP,
  Magstripe: CardEntryMode.CARD_ENTRY_MODE_MAGSTRIPE,
  ManualEntry: CardEntryMode.CARD_ENTRY_MODE_MANUAL_ENTRY,
  Unknown: CardEntryMode.CARD_ENTRY_MODE_UNSPECIFIED,
} as const satisfies Record<EntryMode, CardEntryMode>;

const VERIFICATION_METHODS = {
  Pin: VerificationMethod.VERIFICATION_METHOD_PIN,
  Signature: VerificationMethod.VERIFICATION_METHOD_SIGNATURE,
  Device: VerificationMethod.VERIFICATION_METHOD_DEVICE,
  None: VerificationMethod.VERIFICATION_METHOD_NONE,
} as const satisfies Record<Verification, VerificationMethod>;

const SESSION_TYPES = {
  SESSION_TYPE_SALE: 'Sale',
  SESSION_TYPE_MATCHED_REFUND: 'MatchedRefund',
  SESSION_TYPE_UNLINKED_REFUND: 'UnlinkedRefund',
  SESSION_TYPE_UNSPECIFIED: null,
  UNRECOGNIZED: null,
} as const satisfies Record<SessionType, StartCommand['sessionType'] | null>;

/** Maps a report to a message of the stream. */
export function presentReport(report: SentReport): ConnectRequest {
  const value: Report = {
    terminalSessionId: report.sessionId,
    number: report.number,
    occurredAt: report.occurredAt,
    event: presentEvent(report.event),
  };
  return { message: { $case: 'report', value } };
}

/**
 * Parses a message of the stream that is about a session; null for a welcome, a heartbeat and an unreadable message.
 */
export function readCommand({ message }: ConnectResponse): ReceivedCommand | null {
  switch (message?.$case) {
    case 'start': {
      const start = readStartCommand(message.value);
      return start === null ? null : { kind: 'start', start };
    }
    case 'cancel':
    case 'stop':
      return { kind: message.$case, sessionId: message.value.terminalSessionId };
    case 'signatureDecision':
      return { kind: 'signature', sessionId: message.value.terminalSessionId, isAccepted: message.value.accepted };
    case 'ack': {
      const { terminalSessionId: sessionId, reportNumber, stop: isStop } = message.value;
      return { kind: 'ack', sessionId, reportNumber, isStop };
    }
    case 'welcome':
    case 'heartbeat':
    case undefined:
      return null;
  }
}

function readStartCommand(start: Start): StartCommand | null {
  const sessionType = SESSION_TYPES[start.sessionType];
  const total = Number(start.amount?.totalAmount ?? 0n);
  const isReadable = sessionType !== null && Number.isSafeInteger(total) && /^[A-Z]{3}$/.test(start.currency);
  if (!isReadable) return null;
  return {
    sessionId: start.terminalSessionId,
    acquirerReference: start.acquirerReference,
    originalReference: start.originalAcquirerReference ?? null,
    sessionType,
    total: money(total, start.currency),
    isPurchase: start.capture,
    isCardholderAbsent: start.cardholderNotPresent,
    secondsLeft: start.secondsLeft,
    onlyCard: readOnlyCard(start),
  };
}

function readOnlyCard({ refuseOtherCard, originalCard }: Start): StartCommand['onlyCard'] {
  if (!refuseOtherCard || originalCard === undefined) return null;
  return { firstDigits: originalCard.firstDigits, last4: originalCard.last4Pan };
}

function presentEvent(event: MachineEvent): Report['event'] {
  switch (event.kind) {
    case 'confirmed':
      return { $case: 'confirmed', value: {} };
    case 'notification':
      return { $case: 'notification', value: { type: NOTIFICATION_TYPES[event.shows] } };
    case 'approved':
      return {
        $case: 'approved',
        value: { result: presentResult(event.result), signatureRequired: event.isSignatureNeeded },
      };
    case 'declined':
      return { $case: 'declined', value: { result: presentResult(event.result) } };
    case 'canceled':
      return { $case: 'canceled', value: { byGateway: event.isByGateway } };
    case 'unable':
      return { $case: 'unable', value: { reason: event.reason } };
    case 'unknownSession':
      return { $case: 'unknownSession', value: {} };
  }
}

function presentResult({ acquirerReference, callState, card, merchantId }: CardResult): CardPresentResult {
  const { call } = callState;
  // A refund of a known payment goes to that payment's card, not to the card that was presented.
  const cardDetails = call?.card ?? null;
  const scheme = cardDetails?.scheme ?? null;
  return {
    acquirerReference,
    transactionId: call?.transactionId ?? '',
    authCode: callState.outcome === 'Approved' ? (call?.authCode ?? '') : '',
    transactionAt: call === null ? undefined : new Date(call.bookedAt),
    amount: BigInt(callState.amount?.value ?? 0),
    currency: callState.amount?.currencyCode ?? '',
    card: {
      maskedNumber: cardDetails?.maskedNumber ?? '',
      last4Pan: cardDetails?.last4 ?? '',
      scheme: scheme === null ? Scheme.SCHEME_UNSPECIFIED : Scheme[SCHEMES[scheme].machineName],
      fundingType: FUNDING_TYPES[cardDetails?.fundingType ?? 'Unknown'],
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      cardholderName: card.cardholderName,
      aid: card.aid,
      panSequence: card.panSequence,
      product: card.product,
    },
    entryMode: ENTRY_MODES[card.entryMode],
    verificationMethod: VERIFICATION_METHODS[card.verificationMethod],
    merchantId,
    message: call?.message ?? '',
  };
}
