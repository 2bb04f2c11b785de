import { getCurrentMerchant } from '@pos/core/accounts';
import { requireValue } from '@pos/core/refusals';
import { formatUuid } from '@pos/core/ids';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { isMoneyCertain, type Lease, type TablePayment } from '@pos/core/tables';
import {
  CardholderVerificationMethod,
  CardPresentPaymentStatus,
  EntryMode,
  PaymentMethod,
  type PaymentMethodDetails,
  RecordPaymentRequest,
  RemotePaymentStatus,
  RemoteVerificationMethod,
} from '@pos/grpc-contracts/tables';
import { findIntent, getAuthorisationState, getCallMerchant } from '@pos/store/payments';
import type { Reader } from '@pos/store/database';
import { findLease } from '@pos/store/tables';
import { findTerminal, findTerminalSession } from '@pos/store/terminals';
import { createHash } from 'node:crypto';
import type { AccountCache } from '../accounts/account-cache.js';
import { isLeaseOver } from './leases.js';
import { toRequestorInfo, getWaiterId } from './record-message.js';
import { type EndReason, getIntentEndReason, getSessionEndReason } from './table-payment-outcome.js';

/** An attempt that may be reported to an EPOS right now, or why it may not. */
export type UnsuccessfulAttemptReport =
  | { readonly isReportable: true; readonly id: string; readonly message: Uint8Array; readonly lease: Lease }
  | { readonly isReportable: false; readonly reason: string };

/**
 * The RecordPaymentRequest of a part that ended without money (epos.md 8.7), as long as it may be reported: the
 * account requires it, the session is locked under the part's own lease, and nothing of the part can be approved any
 * more. It is made of values that do not change after the end, so that every try has the same bytes; the merchant number
 * of a part without a card machine, which has no call, is the account's of now.
 */
export async function buildUnsuccessfulReport(
  reader: Reader,
  payment: TablePayment,
  accounts: Pick<AccountCache, 'get'>,
): Promise<UnsuccessfulAttemptReport> {
  const account = await accounts.get(reader);
  if (!account.settings.payAtTable.reportUnsuccessful) return createSkippedReport('the account does not ask for it');
  const isOfJourney = payment.origin === 'journey' && payment.orderId === null;
  if (payment.state !== 'Ended' || !isOfJourney) return createSkippedReport('it is no attempt of a journey');
  const intent = requireValue(await findIntent(reader, payment.intentId ?? ''), 'the intent of a part that ended');
  if (!UNPAID.has(intent.status) || !isMoneyCertain(await getAuthorisationState(reader, intent.id))) {
    return createSkippedReport('it may still be approved');
  }
  const session =
    payment.terminalSessionId === null ? null : await findTerminalSession(reader, payment.terminalSessionId);
  const terminal = session === null ? null : await findTerminal(reader, session.terminalId);
  const lease = payment.leaseId === null ? null : await findLease(reader, payment.leaseId);
  // Read last, so that it is as recent as possible when the call is sent.
  if (lease === null || isLeaseOver(lease) || lease.state !== 'Held' || !lease.eposLocked) {
    return createSkippedReport('the session is not locked under its lease any more');
  }
  const id = deriveAttemptId(payment.id);
  // The intent was canceled after its card, with any result of the card: the machine's result takes precedence.
  const endReason = (session === null ? null : getSessionEndReason(session)) ?? getIntentEndReason(intent) ?? 'expired';
  const merchantId =
    session === null
      ? getCurrentMerchant(account, reader.scope.environment).merchantId
      : (await getCallMerchant(reader, session.acquirerReference)).merchantId;
  const message = encodeAttemptMessage(payment, {
    ...{ id, lease, attemptedAt: session?.createdAt ?? intent.createdAt },
    methodDetails:
      terminal === null
        ? buildRemoteDetails(endReason, merchantId)
        : buildCardPresentDetails(endReason, { merchantId, tid: terminal.tid }),
  });
  return { isReportable: true, id, message, lease };
}

/** A separate id, always the same: if the part is paid after all, an EPOS must not take that for a repetition. */
export function deriveAttemptId(paymentId: string): string {
  return formatUuid(createHash('sha256').update(`unsuccessful attempt ${paymentId}`).digest().subarray(0, 16));
}

const UNPAID: ReadonlySet<PaymentIntent['status']> = new Set(['Canceled', 'Reversed', 'Refunded']);

function createSkippedReport(why: string): UnsuccessfulAttemptReport {
  return { isReportable: false, reason: why };
}

function encodeAttemptMessage(
  { sessionId, base, gratuity, cashback }: TablePayment,
  attempt: {
    readonly id: string;
    readonly lease: Lease;
    readonly attemptedAt: Date;
    readonly methodDetails: PaymentMethodDetails;
  },
): Uint8Array {
  const { id, lease, attemptedAt, methodDetails } = attempt;
  const request: RecordPaymentRequest = {
    payment: {
      ...{ id, sessionId, waiterId: getWaiterId(lease.requestor), currency: base.currencyCode },
      baseAmount: BigInt(base.value),
      gratuityAmount: BigInt(gratuity.value),
      cashbackAmount: BigInt(cashback.value),
      ...{ paymentSuccessful: false, attemptedAt, methodDetails },
    },
    requestorInfo: toRequestorInfo(lease.requestor),
  };
  return RecordPaymentRequest.encode(request).finish();
}

function buildCardPresentDetails(
  endReason: EndReason,
  { merchantId, tid }: { readonly merchantId: string; readonly tid: string },
): PaymentMethodDetails {
  return {
    method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
    cardPresentPaymentStatus: CARD_STATUSES[endReason],
    cardPresentPaymentInfo: {
      ...{ authCode: '', card: undefined, terminalId: tid, merchantId, acquirerTransactionId: '' },
      entryMode: EntryMode.ENTRY_MODE_UNKNOWN,
      cardholderVerificationMethod: CardholderVerificationMethod.CARDHOLDER_VERIFICATION_METHOD_UNKNOWN,
    },
    remotePaymentInfo: undefined,
  };
}

function buildRemoteDetails(endReason: EndReason, merchantId: string): PaymentMethodDetails {
  return {
    method: PaymentMethod.PAYMENT_METHOD_REMOTE,
    remotePaymentStatus: REMOTE_STATUSES[endReason],
    remotePaymentInfo: {
      ...{ acquirerTransactionId: '', authCode: '', merchantId, card: undefined },
      remoteVerificationMethod: RemoteVerificationMethod.REMOTE_VERIFICATION_METHOD_UNKNOWN,
    },
    cardPresentPaymentInfo: undefined,
  };
}

/** The result of an expired attempt is unknown: the acquirer only confirms that no money is held. */
const CARD_STATUSES = {
  declined: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_DECLINED,
  cancelled: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_CANCELLED,
  expired: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_UNKNOWN,
} as const satisfies Record<EndReason, CardPresentPaymentStatus>;

/** The contract has no value for a remote payment that was declined. */
const REMOTE_STATUSES = {
  declined: RemotePaymentStatus.REMOTE_PAYMENT_STATUS_UNKNOWN,
  cancelled: RemotePaymentStatus.REMOTE_PAYMENT_STATUS_CANCELLED,
  expired: RemotePaymentStatus.REMOTE_PAYMENT_STATUS_UNKNOWN,
} as const satisfies Record<EndReason, RemotePaymentStatus>;
