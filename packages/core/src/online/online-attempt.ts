import type { AcquirerCall } from '../acquirer-calls/acquirer-call.js';
import type { SecretBearer } from '../payment-intents/client-secret.js';
import type { Address, IntentDetails, ShippingDetails } from '../payment-intents/intent-details.js';
import { METADATA_BYTES_MAX } from '../payment-intents/shared-violations.js';
import type { PaymentIntentStatus } from '../payment-intents/payment-intent.js';
import { Refusal, type RefusalMembers } from '../refusals/refusal.js';
import type { SetupIntentStatus } from '../setup-intents/setup-intent.js';

/** The result of an attempt for a payer's client, beside the refusals, which carry their HTTP status. */
const RESULT_CODES = {
  approved: 0,
  challenged: 3,
  referred: 4,
  declined: 5,
  duplicate: 20,
  failed: 30,
} as const;
type ResultCode = (typeof RESULT_CODES)[keyof typeof RESULT_CODES];

/** The outcome of a submission in the terms of the payer's client. */
export interface AttemptResult {
  readonly statusCode: ResultCode;
  readonly message: string;
  /** Empty before an approval. */
  readonly authCode: string;
  /** Empty where there is no transaction. */
  readonly transactionId: string;
  /** What the payer has to do before the issuer decides. */
  readonly challenge: { readonly stepUpUrl: string; readonly paReq: string; readonly md: string } | null;
}

/** The number of submissions of one intent within a time span; more would let it be used to try out stolen cards. */
const SUBMISSIONS_MAX = 10;
export const SUBMISSIONS_WINDOW_MS = 30 * 60 * 1000;

/** The intent is paid, or being paid, already: nothing was submitted. */
export const DUPLICATE: AttemptResult = createAttemptResult('duplicate', 'DUPLICATE');

/** The facts of a submission, read under the row lock of its intent. */
export interface SubmissionFacts {
  readonly now: Date;
  /** When the secret that was sent expires; null for one that is not of the intent, or was used. */
  readonly secretExpireAt: Date | null;
  /** An attempt that was begun with this very secret has not ended. */
  readonly isSecretAtWork: boolean;
  /** Any attempt or session on the intent has not ended. */
  readonly hasRunningAttempt: boolean;
  /** Recent submissions, not including this one. */
  readonly submissions: number;
}

const PAID: ReadonlySet<string> = new Set<PaymentIntentStatus | SetupIntentStatus>([
  'Authorized',
  'Captured',
  'Refunded',
  'Completed',
]);

/** Whether the intent is paid: every further submission to it is a duplicate, with any secret. */
export function isPaid({ status }: Pick<SecretBearer, 'status'>): boolean {
  return PAID.has(status);
}

/**
 * Whether an attempt may begin, or is a duplicate. Refuses a secret that is wrong, used or expired, and one try too
 * many.
 */
export function checkSubmission(
  intent: SecretBearer & { readonly expireAt: Date },
  facts: SubmissionFacts,
): 'begin' | 'duplicate' {
  const { now, secretExpireAt, isSecretAtWork, hasRunningAttempt, submissions } = facts;
  // A paid intent has no secrets any more, so any caller that names it is answered. Its public view shows that it is
  // paid, too.
  if (isPaid(intent) || isSecretAtWork) return 'duplicate';
  const isSecretUsable = intent.status === 'Created' && secretExpireAt !== null && now < secretExpireAt;
  if (!isSecretUsable || now >= intent.expireAt) throw createInvalidSecretRefusal();
  if (hasRunningAttempt) return 'duplicate';
  if (submissions >= SUBMISSIONS_MAX) {
    throw new Refusal('submissions_exhausted', `at most ${SUBMISSIONS_MAX} submissions in half an hour`);
  }
  return 'begin';
}

/** The same refusal for every unusable secret, so that the caller does not learn the reason. */
export function createInvalidSecretRefusal(): Refusal {
  return new Refusal('client_secret_invalid', 'the client session secret is wrong, was used, or has expired');
}

/** What the payer entered beside the card. */
export interface PayerContacts {
  readonly emailAddress?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly billingAddress?: Address | undefined;
  readonly shippingDetails?: ShippingDetails | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The resource that stores the payer's contacts: a payment intent or a setup intent. */
interface Contactable {
  readonly details: Pick<IntentDetails, 'customer' | 'billingAddress' | 'shippingDetails' | 'config'>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The intent with what the payer entered, which is stored only after the payment. A browser must not change what the
 * integrator has set, unless the integrator collects it.
 */
export function withContacts<T extends Contactable>(intent: T, contacts: PayerContacts): T {
  const { config, customer: existing, billingAddress: billing, shippingDetails: shipping } = intent.details;
  const emailAddress = chooseValue(existing?.emailAddress, contacts.emailAddress, config.customerEmail);
  const phoneNumber = chooseValue(existing?.phoneNumber, contacts.phoneNumber, { collectionRequired: false });
  const billingAddress = chooseValue(billing, contacts.billingAddress, config.billingAddress);
  const shippingDetails = chooseValue(shipping, contacts.shippingDetails, config.shippingDetails);
  const customer = {
    ...existing,
    ...(emailAddress !== undefined && { emailAddress }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
  const details = {
    ...intent.details,
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(billingAddress !== undefined && { billingAddress }),
    ...(shippingDetails !== undefined && { shippingDetails }),
  };
  return { ...intent, details, metadata: { ...contacts.metadata, ...intent.metadata } };
}

/** Refuses what the payer left out or made too large, together with other faults found before. */
export function requireFilledIn({ details, metadata }: Contactable, faults: RefusalMembers): void {
  const { config, customer, billingAddress, shippingDetails } = details;
  const members: RefusalMembers = {
    ...faults,
    ...findMissingMember('emailAddress', config.customerEmail, customer?.emailAddress),
    ...findMissingMember('billingAddress', config.billingAddress, billingAddress),
    ...findMissingMember('shippingDetails', config.shippingDetails, shippingDetails),
    ...(countBytes(metadata) > METADATA_BYTES_MAX && { metaData: ['Comes to more than 16 KiB as JSON.'] }),
  };
  if (Object.keys(members).length === 0) return;
  throw new Refusal('validation_failed', 'The payment cannot be made as it was filled in.', { members });
}

/** The result of an authorisation for the payer's client, from the stored row; null while its end is unknown. */
export function findAttemptResult(
  { state, outcome: end, result }: AcquirerCall,
  isHeld: boolean,
): AttemptResult | null {
  // The attempt is certainly over without money: undone, or never made.
  if (state === 'Settled' && (end === 'Reversed' || end === 'Canceled'))
    return createAttemptResult('failed', 'REVERSED');
  if (result === null) return null;
  switch (result.kind) {
    case 'approved': {
      if (state !== 'Settled') return null;
      const { authCode, transactionId } = result.approval;
      const message = isHeld ? 'AUTHORIZED' : 'DEPOSITED';
      return createAttemptResult('approved', message, { authCode, transactionId });
    }
    case 'declined': {
      const { message, said = message, transactionId } = result.decline;
      return createAttemptResult(DECLINED[message], said, { transactionId });
    }
    case 'challenged': {
      if (state !== 'Challenged') return null;
      const { transactionId, stepUpUrl, paReq, md } = result;
      const challenge = { stepUpUrl, paReq, md };
      return createAttemptResult('challenged', 'CHALLENGED', { transactionId, challenge });
    }
    case 'done':
    case 'refused':
      return null;
  }
}

const DECLINED = { DECLINED: 'declined', REFERRED: 'referred', FAILED: 'failed' } as const;

/** A result whose absent values are empty. */
function createAttemptResult(
  kind: keyof typeof RESULT_CODES,
  message: string,
  more: Partial<Pick<AttemptResult, 'authCode' | 'transactionId' | 'challenge'>> = {},
): AttemptResult {
  return { statusCode: RESULT_CODES[kind], message, authCode: '', transactionId: '', challenge: null, ...more };
}

function chooseValue<T>(
  held: T | undefined,
  given: T | undefined,
  { collectionRequired }: { readonly collectionRequired: boolean },
): T | undefined {
  return collectionRequired ? (given ?? held) : (held ?? given);
}

function findMissingMember(member: string, { collectionRequired }: { collectionRequired: boolean }, value: unknown) {
  return collectionRequired && value === undefined ? { [member]: ['Is required.'] } : {};
}

function countBytes(metadata: PayerContacts['metadata']): number {
  return new TextEncoder().encode(JSON.stringify(metadata)).length;
}
