import { secretExpiry } from './client-secret.js';
import { Faults, noteShared } from './faults.js';
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
import type { RefusalMembers } from './refusal.js';
import { DAY_MS } from './timespan.js';

/** How long an intent, also a setup intent, waits for its payer unless it is told otherwise. */
export const INTENT_LIFE_MS = 30 * DAY_MS;
/** Both exclusive. */
const AUTO_EXPIRE_MIN_MS = 30_000;
const AUTO_EXPIRE_MAX_MS = 7 * DAY_MS;

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

export const NOT_ENABLED = 'is not enabled for this account';

/** What a new intent is judged by and marked with. */
export interface IntentOrigin {
  readonly now: Date;
  readonly locationId: LocationId;
  readonly currencies: readonly string[];
  /** Members that name what there is not: known to whoever could look it up, refused together with the rest. */
  readonly unknown?: RefusalMembers;
}

/** A new intent, or one refusal that names every member that is wrong. */
export function createIntent(wish: NewPaymentIntent, origin: IntentOrigin): IntentDecision {
  faultsOf(wish, origin).refuse('the payment intent cannot be created as asked');
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
    clientSecretExpireAt: secretExpiry(wish.clientSecret, now),
    metadata: { ...wish.metadata, 'location-id': locationId },
    details: { ...wish.details, captures: [] },
    paymentDetails: null,
    createdAt: now,
    updatedAt: now,
  };
  return { intent, events: [], entries: [], tells: ['payment_intent.created'], transactions: [] };
}

/** Whether the amount may be asked of a cardholder. */
export function isPayableAmount({ value }: Money): boolean {
  return value >= 1 && value <= AMOUNT_MAX;
}

/** Whether the amount may be a tip, a cashback or a service charge. */
export function isExtraAmount({ value }: Money): boolean {
  return value >= 0 && value <= AMOUNT_MAX;
}

function faultsOf(wish: NewPaymentIntent, origin: IntentOrigin): Faults {
  const faults = new Faults(origin.unknown);
  const { currencyCode } = wish.amount;
  const { tipsAmount, cashbackAmount, serviceChargeAmount } = wish;
  const extras = Object.entries({ tipsAmount, cashbackAmount, serviceChargeAmount });
  if (!isPayableAmount(wish.amount)) faults.note('amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  if (!origin.currencies.includes(currencyCode)) faults.note('amount.currencyCode', NOT_ENABLED);
  for (const [member, extra] of extras) {
    if (extra === null) continue;
    if (!isExtraAmount(extra)) faults.note(`${member}.value`, `must be between 0 and ${AMOUNT_MAX}`);
    if (extra.currencyCode !== currencyCode) faults.note(`${member}.currencyCode`, `must be ${currencyCode}`);
  }
  for (const member of linesOfOtherCurrency(wish.details, currencyCode)) faults.note(member, `must be ${currencyCode}`);
  if (faults.areNone && !isPayableAmount(totalAmount(wish))) {
    faults.note('amount.value', `the total must not be above ${AMOUNT_MAX}`);
  }
  noteShared(faults, wish, origin.now);
  const { autoExpireInMs } = wish;
  if (wish.captureMode === 'Manual') {
    if (wish.setupIntentId !== null) {
      faults.note('captureMode', 'a payment intent with a setup intent is captured at once');
    }
    if (autoExpireInMs !== null && (autoExpireInMs <= AUTO_EXPIRE_MIN_MS || autoExpireInMs >= AUTO_EXPIRE_MAX_MS)) {
      faults.note('autoExpireIn', 'must be more than 30 seconds and less than 7 days');
    }
  }
  return faults;
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
