import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import type { Journey } from '@pos/core/journeys';
import type { Lease } from '@pos/core/tables';
import type { Money } from '@pos/core/money';
import { toStorableText } from '@pos/core/refusals';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';

/** A part of a bill that is about to be paid; journey and lease are locked and have accepted it. */
export interface PaymentPart {
  readonly paymentId: string;
  readonly journey: Journey;
  readonly lease: Lease;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  /** The card machine that requests the card; null for a link that the payer opens. */
  readonly terminalId: string | null;
}

/** The order of the session, if its EPOS keeps orders, and the time. */
interface PaymentPartContext {
  readonly orderId: string | null;
  readonly now: Date;
}

/** A link that is never opened must not hold the session for ever. */
const LINK_LIFE_MS = 15 * 60 * 1000;
/** The limit of the REST API, in characters. */
const REFERENCE_LENGTH_MAX = 60;
const EXTERNAL_ID_LENGTH_MAX = 200;
/** A receipt's line is short, and an EPOS may name its tables in any way. */
const TABLE_NAME_LENGTH_MAX = 60;

/** The intent that takes the money of a part, by a card machine or by a link. */
export function buildIntentRequest(part: PaymentPart, { orderId, now }: PaymentPartContext): PaymentIntentRequest {
  const { journey, base, gratuity, cashback, terminalId } = part;
  const { requestor, sessionName, tableName, plan } = journey;
  const isWaiterKnown = requestor.type === 'cardMachine' && requestor.waiterId !== 0;
  return {
    amount: base,
    tipsAmount: gratuity,
    cashbackAmount: cashback,
    serviceChargeAmount: null,
    captureMode: 'Auto',
    reference: buildReference(sessionName, plan.partsPaid + 1),
    description: null,
    // Without a machine the payer types their card on their own device, so they can be challenged and give the code.
    cardHolderNotPresent: false,
    paymentMethods: ['Card', 'Wallet'],
    paymentSource: 'pay-at-table',
    setupIntentId: null,
    autoExpireAction: null,
    autoExpireInMs: null,
    expireAt: terminalId === null ? new Date(now.getTime() + LINK_LIFE_MS) : null,
    metadata: isWaiterKnown ? { waiterId: String(requestor.waiterId) } : {},
    details: {
      config: DEFAULT_INTENT_CONFIG,
      itemLines: [],
      taxLines: [],
      ...(tableName !== null && { tableName: Array.from(tableName).slice(0, TABLE_NAME_LENGTH_MAX).join('') }),
      orderDetails: { externalId: isPresentable(orderId) ? orderId : journey.sessionId },
    },
    isNotOnlineCheckout: false,
    generateRemoteToken: terminalId === null ? null : false,
  };
}

/** The name of the session, cut so that the number of the part has its place. */
function buildReference(sessionName: string, partNumber: number): string {
  const suffix = ` ${partNumber}`;
  const name = Array.from(toStorableText(sessionName)).slice(0, REFERENCE_LENGTH_MAX - suffix.length);
  return `${name.join('')}${suffix}`;
}

/** An EPOS may name its orders in any way; a name that is too long for an intent is left out. */
function isPresentable(orderId: string | null): orderId is string {
  return orderId !== null && orderId !== '' && orderId.length <= EXTERNAL_ID_LENGTH_MAX;
}
