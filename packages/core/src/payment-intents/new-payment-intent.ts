import { computeSecretExpiry } from './client-secret.js';
import { Violations } from '../refusals/violations.js';
import { addSharedViolations } from './shared-violations.js';
import type { LocationId, PaymentIntentId, SetupIntentId } from '../identity/identity.js';
import type { IntentDetails } from './intent-details.js';
import { AMOUNT_MAX, type Money, money, sum, zeroMoney } from '../money/money.js';
import type {
  AutoExpireAction,
  CaptureMode,
  IntentDecision,
  PaymentIntent,
  PaymentMethod,
  PaymentSource,
} from './payment-intent.js';
import type { Readable } from '../refusals/readable-value.js';
import type { RefusalMembers } from '../refusals/refusal.js';
import { DAY_MS } from '../time/timespan.js';

/** How long an intent, also a setup intent, waits for its payer by default. */
export const INTENT_LIFE_MS = 30 * DAY_MS;
/** Both exclusive. */
const AUTO_EXPIRE_MIN_MS = 30_000;
const AUTO_EXPIRE_MAX_MS = 7 * DAY_MS;

/** The request for a payment, already parsed and well formed; null means "not sent". */
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
  readonly details: IntentDetails;
}

export const NOT_ENABLED = 'is not enabled for this account';

/** What a new intent is checked against. */
export interface IntentChecks {
  readonly now: Date;
  readonly currencies: readonly string[];
  /** The account's own numbers may look like those of cards; false when left out. */
  readonly allowsBareCardNumbers?: boolean;
  /**
   * Members that name something that does not exist. The caller has looked them up; they are refused together with
   * the rest.
   */
  readonly unknown?: RefusalMembers;
}

/** What a new intent is checked against and marked with. */
export interface IntentOrigin extends IntentChecks {
  readonly locationId: LocationId;
}

/** Creates an intent, or throws one refusal that names every invalid member. */
export function createIntent(request: NewPaymentIntent, origin: IntentOrigin): IntentDecision {
  requireSoundIntent(request, origin);
  const { now, locationId } = origin;
  const none = zeroMoney(request.amount.currencyCode);
  const isManual = request.captureMode === 'Manual';
  const intent: PaymentIntent = {
    ...request,
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
    // Nothing can expire if the money is taken at once.
    autoExpireAction: isManual ? (request.autoExpireAction ?? 'Release') : null,
    autoExpireInMs: isManual ? request.autoExpireInMs : null,
    expireAt: request.expireAt ?? new Date(now.getTime() + INTENT_LIFE_MS),
    clientSecretExpireAt: computeSecretExpiry(request.clientSecret, now),
    metadata: { ...request.metadata, 'location-id': locationId },
    captures: [],
    paymentDetails: null,
    createdAt: now,
    updatedAt: now,
  };
  return { intent, events: [], entries: [], webhookEvents: ['payment_intent.created'], transactions: [] };
}

/** Whether a cardholder can pay the amount. */
export function isPayableAmount({ value }: Pick<Money, 'value'>): boolean {
  return value >= 1 && value <= AMOUNT_MAX;
}

/** Whether the amount may be a tip, a cashback or a service charge. */
export function isExtraAmount({ value }: Pick<Money, 'value'>): boolean {
  return value >= 0 && value <= AMOUNT_MAX;
}

/** Refuses a request with invalid members. Members that could not be parsed are absent and not checked. */
export function requireSoundIntent(request: Readable<NewPaymentIntent>, origin: IntentChecks): void {
  const faults = new Violations(origin.unknown);
  noteAmounts(faults, request, origin);
  addSharedViolations(faults, request, origin);
  const { autoExpireInMs = null, setupIntentId = null } = request;
  if (request.captureMode === 'Manual') {
    if (setupIntentId !== null) faults.add('captureMode', 'a payment intent with a setup intent is captured at once');
    if (autoExpireInMs !== null && (autoExpireInMs <= AUTO_EXPIRE_MIN_MS || autoExpireInMs >= AUTO_EXPIRE_MAX_MS)) {
      faults.add('autoExpireIn', 'must be more than 30 seconds and less than 7 days');
    }
  }
  faults.throwIfAny('the payment intent cannot be created as asked');
}

/** Each amount by itself, then one currency for all, then their total. */
function noteAmounts(faults: Violations, request: Readable<NewPaymentIntent>, { currencies }: IntentChecks): void {
  const { value, currencyCode } = request.amount ?? {};
  const { tipsAmount, cashbackAmount, serviceChargeAmount } = request;
  const extras = Object.entries({ tipsAmount, cashbackAmount, serviceChargeAmount });
  const amounts = new Violations();
  if (value !== undefined && !isPayableAmount({ value })) {
    amounts.add('amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  for (const [member, extra] of extras) {
    if (extra?.value !== undefined && !isExtraAmount({ value: extra.value })) {
      amounts.add(`${member}.value`, `must be between 0 and ${AMOUNT_MAX}`);
    }
    if (isOtherCurrency(extra, currencyCode)) amounts.add(`${member}.currencyCode`, `must be ${currencyCode ?? ''}`);
  }
  // Amounts of several currencies have no total. One that could not be read is left out: the others may be too much.
  if (amounts.isEmpty && value !== undefined && currencyCode !== undefined) {
    const values = [value, ...extras.map(([, extra]) => extra?.value)].filter((each) => each !== undefined);
    const total = sum(
      values.map((each) => money(each, currencyCode)),
      currencyCode,
    );
    if (!isPayableAmount(total)) amounts.add('amount.value', `the total must not be above ${AMOUNT_MAX}`);
  }
  if (currencyCode !== undefined && !currencies.includes(currencyCode)) faults.add('amount.currencyCode', NOT_ENABLED);
  faults.addAll(amounts);
  for (const member of findLinesOfOtherCurrency(request.details ?? {}, currencyCode)) {
    faults.add(member, `must be ${currencyCode ?? ''}`);
  }
}

/** Members of lines that are of another currency than the intent: one request has one currency. */
export function findLinesOfOtherCurrency(
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
