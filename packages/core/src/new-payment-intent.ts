import { SECRET_LIFE_MS } from './client-secret.js';
import type { LocationId, PaymentIntentId, SetupIntentId } from './identity.js';
import type { IntentDetails } from './intent-details.js';
import { AMOUNT_MAX, type Money, zero } from './money.js';
import type {
  AutoExpireAction,
  CaptureMode,
  IntentDecision,
  PaymentIntent,
  PaymentMethod,
  PaymentSource,
} from './payment-intent.js';
import { totalAmount } from './payment-intent.js';
import { Refusal } from './refusal.js';
import { DAY_MS } from './timespan.js';

const INTENT_LIFE_MS = 30 * DAY_MS;
/** Both exclusive. */
const AUTO_EXPIRE_MIN_MS = 30_000;
const AUTO_EXPIRE_MAX_MS = 7 * DAY_MS;
export const METADATA_BYTES_MAX = 16 * 1024;

/** The wish for a payment, already read and well formed; null means "not sent". */
export interface NewPaymentIntent {
  readonly id: PaymentIntentId;
  readonly amount: Money;
  readonly tipsAmount: Money | null;
  readonly cashbackAmount: Money | null;
  readonly serviceChargeAmount: Money | null;
  readonly captureMode: CaptureMode;
  readonly reference: string;
  readonly description: string | null;
  readonly cardHolderNotPresent: boolean;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly paymentSource: PaymentSource;
  readonly setupIntentId: SetupIntentId | null;
  readonly autoExpireAction: AutoExpireAction | null;
  readonly autoExpireInMs: number | null;
  readonly expireAt: Date | null;
  /** Issued at once, or null. */
  readonly clientSecret: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly details: Omit<IntentDetails, 'captures'>;
}

/** What a new intent is judged by and marked with. */
export interface IntentOrigin {
  readonly now: Date;
  readonly locationId: LocationId;
  readonly currencies: readonly string[];
}

/** A new intent, or one refusal that names every member that is wrong. */
export function createIntent(wish: NewPaymentIntent, origin: IntentOrigin): IntentDecision {
  const members = faults(wish, origin);
  if (Object.keys(members).length > 0) {
    throw new Refusal('validation_failed', 'the payment intent cannot be created as asked', { members });
  }
  const { now, locationId } = origin;
  const none = zero(wish.amount.currencyCode);
  const isManual = wish.captureMode === 'Manual';
  const intent: PaymentIntent = {
    ...wish,
    version: 1,
    status: 'Created',
    requestedAmount: null,
    authorized: none,
    pendingCapture: none,
    captured: none,
    pendingRefund: none,
    refunded: none,
    authorizedAt: null,
    capturedAt: null,
    // There is nothing to expire where the money is taken at once.
    autoExpireAction: isManual ? (wish.autoExpireAction ?? 'Release') : null,
    autoExpireInMs: isManual ? wish.autoExpireInMs : null,
    expireAt: wish.expireAt ?? new Date(now.getTime() + INTENT_LIFE_MS),
    clientSecretExpireAt: wish.clientSecret === null ? null : new Date(now.getTime() + SECRET_LIFE_MS),
    metadata: { ...wish.metadata, 'location-id': locationId },
    details: { ...wish.details, captures: [] },
    paymentDetails: null,
    createdAt: now,
    updatedAt: now,
  };
  return { intent, events: [], entries: [], tells: ['payment_intent.created'] };
}

/** Whether the amount may be asked of a cardholder. */
export function isPayableAmount({ value }: Money): boolean {
  return value >= 1 && value <= AMOUNT_MAX;
}

/** Whether the amount may be a tip, a cashback or a service charge. */
export function isExtraAmount({ value }: Money): boolean {
  return value >= 0 && value <= AMOUNT_MAX;
}

function faults(wish: NewPaymentIntent, origin: IntentOrigin): Record<string, string[]> {
  const members: Record<string, string[]> = {};
  const fault = (member: string, message: string): void => {
    members[member] = [...(members[member] ?? []), message];
  };
  const { currencyCode } = wish.amount;
  const { tipsAmount, cashbackAmount, serviceChargeAmount } = wish;
  const extras = Object.entries({ tipsAmount, cashbackAmount, serviceChargeAmount });
  if (!isPayableAmount(wish.amount)) fault('amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  if (!origin.currencies.includes(currencyCode)) fault('amount.currencyCode', 'is not enabled for this account');
  for (const [member, extra] of extras) {
    if (extra === null) continue;
    if (!isExtraAmount(extra)) fault(`${member}.value`, `must be between 0 and ${AMOUNT_MAX}`);
    if (extra.currencyCode !== currencyCode) fault(`${member}.currencyCode`, `must be ${currencyCode}`);
  }
  for (const member of linesOfOtherCurrency(wish.details, currencyCode)) fault(member, `must be ${currencyCode}`);
  if (Object.keys(members).length === 0 && !isPayableAmount(totalAmount(wish))) {
    fault('amount.value', `the total must not be above ${AMOUNT_MAX}`);
  }
  if (wish.expireAt !== null && wish.expireAt <= origin.now) fault('expireAt', 'must be in the future');
  const { autoExpireInMs } = wish;
  if (wish.captureMode === 'Manual') {
    if (wish.setupIntentId !== null) fault('captureMode', 'a payment intent with a setup intent is captured at once');
    if (autoExpireInMs !== null && (autoExpireInMs <= AUTO_EXPIRE_MIN_MS || autoExpireInMs >= AUTO_EXPIRE_MAX_MS)) {
      fault('autoExpireIn', 'must be more than 30 seconds and less than 7 days');
    }
  }
  if (new TextEncoder().encode(JSON.stringify(wish.metadata)).length > METADATA_BYTES_MAX) {
    fault('metadata', `must not be above ${METADATA_BYTES_MAX} bytes of JSON`);
  }
  return members;
}

/** Members of lines that are of another currency than the intent: one request has one currency. */
export function linesOfOtherCurrency(
  { itemLines, taxLines }: Pick<IntentDetails, 'itemLines' | 'taxLines'>,
  currencyCode: string,
): string[] {
  const named = [
    ...itemLines.map((line, index) => ({ member: `itemLines[${index}].amountTotal`, amount: line.amountTotal })),
    ...itemLines.flatMap((line, index) =>
      line.modifiers.map((modifier, place) => ({
        member: `itemLines[${index}].modifiers[${place}].amountPerModifier`,
        amount: modifier.amountPerModifier,
      })),
    ),
    ...taxLines.map((line, index) => ({ member: `taxLines[${index}].amountTotal`, amount: line.amountTotal })),
  ];
  return named
    .filter(({ amount }) => amount.currencyCode !== currencyCode)
    .map(({ member }) => `${member}.currencyCode`);
}
