import { secretExpiry } from './client-secret.js';
import { Faults, noteShared } from './faults.js';
import type { LocationId, PaymentIntentId, SetupIntentId } from './identity.js';
import type { IntentDetails } from './intent-details.js';
import { AMOUNT_MAX, type Money, money, sum, zero } from './money.js';
import type {
  AutoExpireAction,
  CaptureMode,
  IntentDecision,
  PaymentIntent,
  PaymentMethod,
  PaymentSource,
} from './payment-intent.js';
import type { Readable } from './readable.js';
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

/** What a new intent is judged by. */
export interface IntentJudge {
  readonly now: Date;
  readonly currencies: readonly string[];
  /** Members that name what there is not: known to whoever could look it up, refused together with the rest. */
  readonly unknown?: RefusalMembers;
}

/** What a new intent is judged by and marked with. */
export interface IntentOrigin extends IntentJudge {
  readonly locationId: LocationId;
}

/** A new intent, or one refusal that names every member that is wrong. */
export function createIntent(wish: NewPaymentIntent, origin: IntentOrigin): IntentDecision {
  requireSoundIntent(wish, origin);
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
export function isPayableAmount({ value }: Pick<Money, 'value'>): boolean {
  return value >= 1 && value <= AMOUNT_MAX;
}

/** Whether the amount may be a tip, a cashback or a service charge. */
export function isExtraAmount({ value }: Pick<Money, 'value'>): boolean {
  return value >= 0 && value <= AMOUNT_MAX;
}

/** Refuses the members of a wish that are wrong. Those that could not be read are left out, and are not judged. */
export function requireSoundIntent(wish: Readable<NewPaymentIntent>, origin: IntentJudge): void {
  const faults = new Faults(origin.unknown);
  noteAmounts(faults, wish, origin);
  noteShared(faults, wish, origin.now);
  const { autoExpireInMs = null, setupIntentId = null } = wish;
  if (wish.captureMode === 'Manual') {
    if (setupIntentId !== null) faults.note('captureMode', 'a payment intent with a setup intent is captured at once');
    if (autoExpireInMs !== null && (autoExpireInMs <= AUTO_EXPIRE_MIN_MS || autoExpireInMs >= AUTO_EXPIRE_MAX_MS)) {
      faults.note('autoExpireIn', 'must be more than 30 seconds and less than 7 days');
    }
  }
  faults.refuse('the payment intent cannot be created as asked');
}

/** Each amount by itself, then one currency for all, then their total. */
function noteAmounts(faults: Faults, wish: Readable<NewPaymentIntent>, { currencies }: IntentJudge): void {
  const { value, currencyCode } = wish.amount ?? {};
  const { tipsAmount, cashbackAmount, serviceChargeAmount } = wish;
  const extras = Object.entries({ tipsAmount, cashbackAmount, serviceChargeAmount });
  const amounts = new Faults();
  if (value !== undefined && !isPayableAmount({ value })) {
    amounts.note('amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  for (const [member, extra] of extras) {
    if (extra?.value !== undefined && !isExtraAmount({ value: extra.value })) {
      amounts.note(`${member}.value`, `must be between 0 and ${AMOUNT_MAX}`);
    }
    if (isOtherCurrency(extra, currencyCode)) amounts.note(`${member}.currencyCode`, `must be ${currencyCode ?? ''}`);
  }
  // Amounts of several currencies have no total. One that could not be read is left out: the others may be too much.
  if (amounts.areNone && value !== undefined && currencyCode !== undefined) {
    const values = [value, ...extras.map(([, extra]) => extra?.value)].filter((each) => each !== undefined);
    const total = sum(
      values.map((each) => money(each, currencyCode)),
      currencyCode,
    );
    if (!isPayableAmount(total)) amounts.note('amount.value', `the total must not be above ${AMOUNT_MAX}`);
  }
  if (currencyCode !== undefined && !currencies.includes(currencyCode)) faults.note('amount.currencyCode', NOT_ENABLED);
  faults.noteAll(amounts);
  for (const member of linesOfOtherCurrency(wish.details ?? {}, currencyCode)) {
    faults.note(member, `must be ${currencyCode ?? ''}`);
  }
}

/** Members of lines that are of another currency than the intent: one request has one currency. */
export function linesOfOtherCurrency(
  { itemLines = [], taxLines = [] }: Readable<Pick<IntentDetails, 'itemLines' | 'taxLines'>>,
  currencyCode: string | undefined,
): string[] {
  const named = [
    ...itemLines.map((line, index) => ({ member: `itemLines[${index}].amountTotal`, amount: line?.amountTotal })),
    ...itemLines.flatMap((line, index) =>
      (line?.modifiers ?? []).map((modifier, place) => ({
        member: `itemLines[${index}].modifiers[${place}].amountPerModifier`,
        amount: modifier?.amountPerModifier,
      })),
    ),
    ...taxLines.map((line, index) => ({ member: `taxLines[${index}].amountTotal`, amount: line?.amountTotal })),
  ];
  return named
    .filter(({ amount }) => isOtherCurrency(amount, currencyCode))
    .map(({ member }) => `${member}.currencyCode`);
}

function isOtherCurrency(amount: Readable<Money> | null | undefined, currencyCode: string | undefined): boolean {
  const own = amount?.currencyCode;
  return own !== undefined && currencyCode !== undefined && own !== currencyCode;
}
