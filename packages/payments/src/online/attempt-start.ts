import { applyCallMove, type CallMerchant, createAcquirerCall } from '@pos/core/acquirer-calls';
import { type AcquirerCapabilities, requireAuthorisable } from '@pos/core/acquirer';
import { createViolation, Refusal, type RefusalMembers, requireValue } from '@pos/core/refusals';
import { type CardDescription, findLastDay, isPast, type SavedCard } from '@pos/core/cards';
import { computeTotalAmount, consumeSecret, type IntentDetails, type PaymentIntent } from '@pos/core/payment-intents';
import type { CustomerId, PaymentIntentId, PaymentMethodId, SetupIntentId } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import { type PayerContacts, requireFilledIn, createInvalidSecretRefusal, withContacts } from '@pos/core/online';
import { consumeSetupSecret, type SetupIntent, storeSetupCard } from '@pos/core/setup-intents';
import {
  type AttemptSubject,
  insertAcquirerCall,
  insertOnlineAttempt,
  type LockedIntent,
  type LockedSetupIntent,
  lockIntent,
  lockSetupIntent,
  usePageSecret,
} from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { commitIntent } from '../payment-intents/intent-commit.js';
import type { AccountCache } from '../accounts/account-cache.js';
import { findKnownCustomer, findValidSecret } from '../customers/customer-secrets.js';
import { computeCallDeadline, getAccountAcquirer, requireAcquirer, scheduleFollowUp } from '../acquirer/money-call.js';
import { getCardAcquirer, planPayment, requireVerifiable } from './attempt-acquirer.js';
import type {
  Authorise,
  AuthorisationRequest,
  CardAccess,
  OpenSavedCard,
  PayerDevice,
  PayerSubmission,
  SavedCardSubmission,
  CardSubmission,
} from './card-submission.js';
import { type ValidSecret, proveSecret } from './payer-secret.js';
import { insertPendingCard } from '../customers/saved-cards.js';
import { lockCardOfCustomer } from '../customers/card-locks.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { computeVerificationAmount } from '../accounts/possible-intents.js';
import { commitSetupIntent } from '../setup-intents/setup-intent-commit.js';

// Everything that is stored before the call to the acquirer: the secret is used up, the attempt and its call are
// written. Null always means that the attempt would be a duplicate.

interface AttemptServices {
  readonly accounts: AccountCache;
  readonly settings: PaymentSettings;
}

/** A stored attempt, and the caller's part of it. */
export interface StartedAttempt {
  readonly request: AuthorisationRequest;
  readonly authorise: Authorise;
}

/** The payment under its row lock, if the secret is valid for it now. */
async function lockPaymentWithSecret(tx: Tx, id: PaymentIntentId, text: string) {
  const locked = await lockIntent(tx, id);
  if (locked === null) throw createInvalidSecretRefusal();
  const secret = await proveSecret(tx, { ...locked, total: computeTotalAmount(locked.intent) }, text);
  return secret === null ? null : { locked, secret };
}

/** The same of a setup intent. */
async function lockSetupWithSecret(tx: Tx, id: SetupIntentId, text: string) {
  const locked = await lockSetupIntent(tx, id);
  if (locked === null) throw createInvalidSecretRefusal();
  const secret = await proveSecret(tx, { intent: locked.setup, secretHash: locked.secretHash, total: null }, text);
  return secret === null ? null : { locked, secret };
}

/** Begins a payment with a card that its payer entered. */
export async function beginPayment(
  tx: Tx,
  { accounts, settings }: AttemptServices,
  params: { readonly id: PaymentIntentId; readonly submission: CardSubmission; readonly cardAccess: CardAccess },
): Promise<StartedAttempt | null> {
  const { submission, cardAccess } = params;
  const proven = await lockPaymentWithSecret(tx, params.id, submission.secret);
  if (proven === null) return null;
  requireAcquirer(tx, settings);
  const { locked, secret } = proven;
  const account = await accounts.getEnabled(tx);
  const { wallet, card } = submission;
  const isMethodAccepted = locked.intent.paymentMethods.includes(wallet === null ? 'Card' : 'Wallet');
  const { wallets } = account.settings.supportedPaymentMethods;
  const violations = collectViolations(tx, submission, {
    isTaken: isMethodAccepted && (wallet === null || wallets.includes(wallet)),
    isCv2Needed: wallet === null && !locked.intent.cardHolderNotPresent,
  });
  const intent = withContacts(locked.intent, submission.contacts);
  requireFilledIn(intent, violations);
  const { merchant, capabilities } = getAccountAcquirer(tx, account, settings);
  requireAuthorisable(capabilities, {
    ...planPayment(intent),
    ...{ scheme: card?.scheme ?? null, wallet, cardMember: wallet === null ? 'cardNumber' : 'token' },
  });
  const reference = await tx.newUuid();
  const cardId = await createSavedCardId(tx, intent, submission);
  await startAttempt(tx, settings, { locked, submission, attempt: { reference, merchant, secret, cardId } });
  if (cardId !== null && card !== null) {
    const customerId = intent.details.customer?.customerId ?? null;
    insertPendingCard(tx, { id: cardId, customerId, setupIntentId: null, acquirerReference: reference, card });
    cardAccess.storeCard(tx, cardId);
  }
  const request = buildPaymentRequest(tx, intent, { reference, settings, device: submission.device });
  return {
    request: { ...request, ...merchant, ...planChallenge(capabilities, intent) },
    authorise: cardAccess.authorise,
  };
}

/** Begins a payment with a saved card. */
export async function beginPaymentBySavedCard(
  tx: Tx,
  { accounts, settings }: AttemptServices,
  params: { readonly id: PaymentIntentId; readonly submission: SavedCardSubmission; readonly open: OpenSavedCard },
): Promise<StartedAttempt | null> {
  const { submission, open } = params;
  const proven = await lockPaymentWithSecret(tx, params.id, submission.secret);
  if (proven === null) return null;
  requireAcquirer(tx, settings);
  const { locked, secret } = proven;
  const account = await accounts.getEnabled(tx);
  const card = await lockAuthorisedCard(tx, locked.intent, submission);
  const violations = collectSavedCardViolations(tx, locked.intent, card);
  const intent = withContacts(locked.intent, submission.contacts);
  requireFilledIn(intent, violations);
  // Without a card there was a violation.
  if (card === null) throw createUnknownCardRefusal();
  const { merchant, capabilities } = await getCardAcquirer(tx, card, { account, settings });
  requireAuthorisable(capabilities, {
    ...planPayment(intent),
    ...{ scheme: card.scheme, wallet: null, cardMember: 'paymentMethodId' },
  });
  const reference = await tx.newUuid();
  await startAttempt(tx, settings, { locked, submission, attempt: { reference, merchant, secret, cardId: card.id } });
  const authorise = await open(tx, card);
  const request = buildPaymentRequest(tx, intent, { reference, settings, device: submission.device });
  return { request: { ...request, ...merchant, ...planChallenge(capabilities, intent) }, authorise };
}

/** Uses the secret up and writes the attempt. What the payer entered is not in the payment before it is approved. */
async function startAttempt(
  tx: Tx,
  settings: PaymentSettings,
  started: {
    readonly locked: LockedIntent;
    readonly submission: PayerSubmission;
    readonly attempt: Pick<Parameters<typeof writeAttempt>[2], 'reference' | 'merchant' | 'secret' | 'cardId'>;
  },
): Promise<void> {
  const { locked, submission, attempt } = started;
  const { intent } = locked;
  // The intent's own secret stays good: another page may hold it.
  if (attempt.secret?.pageSecret === null) await commitIntent(tx, locked, consumeSecret(intent, tx.now));
  const subject = { paymentIntentId: intent.id, setupIntentId: null };
  const { contacts } = submission;
  await writeAttempt(tx, settings, { ...attempt, subject, contacts, amount: computeTotalAmount(intent) });
}

/** Begins to authorise a card that its payer entered for a setup intent. */
export async function beginSetup(
  tx: Tx,
  { accounts, settings }: AttemptServices,
  params: { readonly id: SetupIntentId; readonly submission: CardSubmission; readonly cardAccess: CardAccess },
): Promise<StartedAttempt | null> {
  const { submission, cardAccess } = params;
  const proven = await lockSetupWithSecret(tx, params.id, submission.secret);
  if (proven === null) return null;
  requireAcquirer(tx, settings);
  const { locked, secret } = proven;
  const account = await accounts.getEnabled(tx);
  // The token of a wallet is for one payment, which does not exist yet.
  const isTaken = submission.wallet === null && locked.setup.paymentMethods.includes('Card');
  const violations = {
    ...collectViolations(tx, submission, { isTaken, isCv2Needed: true }),
    ...(!submission.isConsentGiven && isTaken && { mitConsentGiven: ['Must be true: a later payment is agreed to.'] }),
  };
  const { contacts } = submission;
  const filled = withContacts(locked.setup, contacts);
  requireFilledIn(filled, violations);
  const setup = secret.pageSecret === null ? consumeSetupSecret(locked.setup, tx.now).setup : locked.setup;
  const amount = computeVerificationAmount(setup, account.currencies);
  const card = requireValue(submission.card, 'the card that the payer entered');
  const planned = { settings, amount, scheme: card.scheme, isCardholderAbsent: false };
  const { merchant, capabilities } = requireVerifiable(tx, account, planned);
  const setupAttempt = { locked, merchant, setup, secret, contacts, amount, card, storeCard: cardAccess.storeCard };
  const reference = await writeSetupAttempt(tx, settings, setupAttempt);
  const request = buildSetupRequest(tx, filled, { reference, settings, device: submission.device });
  return {
    request: {
      ...{ ...request, ...merchant, amount, isCardholderAbsent: false },
      isChallengePossible: capabilities.can.challenge,
    },
    authorise: cardAccess.authorise,
  };
}

/** Refuses a saved card where a setup intent needs its own card. */
export async function refuseSavedCardForSetup(tx: Tx, id: SetupIntentId, secret: string): Promise<null> {
  if ((await lockSetupWithSecret(tx, id, secret)) === null) return null;
  throw createViolation('validation_failed', 'paymentMethodId', 'A setup intent takes no card that was saved before.');
}

/** Writes an attempt to authorise the card of a setup intent, with the card, and returns its reference. */
export async function writeSetupAttempt(
  tx: Tx,
  settings: PaymentSettings,
  setupAttempt: {
    readonly locked: LockedSetupIntent;
    readonly merchant: CallMerchant;
    readonly setup: SetupIntent;
    /** Null if the merchant entered the card with an API key. */
    readonly secret: ValidSecret | null;
    readonly contacts: PayerContacts | null;
    readonly amount: Money;
    readonly card: CardDescription;
    readonly storeCard: CardAccess['storeCard'];
  },
): Promise<string> {
  const { locked, merchant, setup, secret, contacts, amount, card } = setupAttempt;
  const reference = await tx.newUuid();
  const cardId = await tx.newId('paymentMethod');
  const expiryDate = findLastDay({ month: card.expiryMonth, year: card.expiryYear });
  await commitSetupIntent(tx, locked, storeSetupCard(setup, { expiryDate }, tx.now));
  const subject = { paymentIntentId: null, setupIntentId: setup.id };
  await writeAttempt(tx, settings, { reference, merchant, subject, secret, contacts, cardId, amount });
  // It belongs to the setup alone: a customer's saved cards are those that the customer chose to save.
  insertPendingCard(tx, { id: cardId, customerId: null, setupIntentId: setup.id, acquirerReference: reference, card });
  setupAttempt.storeCard(tx, cardId);
  return reference;
}

/** Writes an attempt with its call, which is sent right after the commit, and schedules a worker to follow it. */
export async function writeAttempt(
  tx: Tx,
  settings: PaymentSettings,
  attempt: {
    readonly reference: string;
    readonly merchant: CallMerchant;
    readonly subject: AttemptSubject;
    readonly secret: ValidSecret | null;
    /** What the payer entered; null if the merchant makes the attempt. */
    readonly contacts: PayerContacts | null;
    readonly cardId: PaymentMethodId | null;
    readonly amount: Money;
    /** The setup intent whose card is charged. */
    readonly chargedSetupId?: SetupIntentId;
  },
): Promise<void> {
  const { reference, merchant, subject, secret, contacts, cardId, amount } = attempt;
  insertOnlineAttempt(tx, {
    ...{ reference, subject, contacts, cardId, createdAt: tx.now },
    secretHash: secret?.hash ?? null,
    secretExpireAt: secret?.expireAt ?? null,
  });
  if (secret !== null && secret.pageSecret !== null) usePageSecret(tx, secret.pageSecret, reference);
  const call = createAcquirerCall({
    ...{ reference, kind: 'Authorise', ...merchant, originalReference: null, terminalSessionId: null, amount },
    paymentIntentId: subject.paymentIntentId,
    setupIntentId: subject.setupIntentId ?? attempt.chargedSetupId ?? null,
    deadlineAt: computeCallDeadline(tx, settings),
  });
  await insertAcquirerCall(tx, applyCallMove(call, 'send'));
  scheduleFollowUp(tx, reference, settings);
}

/** The request to authorise a setup intent's card, without the data of the account and the call. */
export function buildSetupRequest(
  { scope }: Pick<Tx, 'scope'>,
  { details }: SetupIntent,
  params: { readonly reference: string; readonly settings: PaymentSettings; readonly device: PayerDevice },
) {
  const { reference, settings, device } = params;
  return {
    ...{ scope, reference, isCapturing: false, deadlineMs: settings.acquirerDeadlineMs },
    billing: toBilling(details),
    device: toDevice(details, device),
  };
}

function buildPaymentRequest(
  { scope }: Tx,
  intent: PaymentIntent,
  params: { readonly reference: string; readonly settings: PaymentSettings; readonly device: PayerDevice },
) {
  const { reference, settings, device } = params;
  return {
    ...{ scope, reference, amount: computeTotalAmount(intent), deadlineMs: settings.acquirerDeadlineMs },
    isCapturing: intent.captureMode === 'Auto',
    isCardholderAbsent: intent.cardHolderNotPresent,
    billing: toBilling(intent.details),
    device: toDevice(intent.details, device),
  };
}

/** A card by letter or telephone has nobody who could answer. */
function planChallenge({ can }: AcquirerCapabilities, { cardHolderNotPresent }: PaymentIntent) {
  return { isChallengePossible: can.challenge && !cardHolderNotPresent };
}

function toBilling({ billingAddress }: Pick<IntentDetails, 'billingAddress'>) {
  return { line: billingAddress?.address1 ?? '', postcode: billingAddress?.postcode ?? '' };
}

function toDevice({ requestSecurity }: Pick<IntentDetails, 'requestSecurity'>, device: PayerDevice): PayerDevice {
  return {
    userAgent: requestSecurity?.userAgent ?? device.userAgent,
    ipAddress: requestSecurity?.ipAddress ?? device.ipAddress,
  };
}

function collectViolations(
  { now }: Tx,
  { wallet, card, hasCv2 }: CardSubmission,
  { isTaken, isCv2Needed }: { readonly isTaken: boolean; readonly isCv2Needed: boolean },
): RefusalMembers {
  const [carrier, expiry] = wallet === null ? ['cardNumber', 'expiryDate'] : ['wallet', 'token'];
  const hasPassed = card !== null && isPast({ month: card.expiryMonth, year: card.expiryYear }, now);
  return {
    ...(!isTaken && { [carrier]: ['Is no way to pay this payment.'] }),
    ...(isTaken && card?.scheme === null && { [carrier]: ['Is of a scheme that is not known here.'] }),
    ...(hasPassed && { [expiry]: ['Has passed.'] }),
    ...(isCv2Needed && !hasCv2 && { cV2: ['Is required.'] }),
  };
}

/** The save box counts only if the payment names the customer of the card. */
async function createSavedCardId(
  tx: Tx,
  { details }: PaymentIntent,
  submission: CardSubmission,
): Promise<PaymentMethodId | null> {
  const isKept = submission.isSavingAllowed && submission.wallet === null;
  return isKept && details.customer?.customerId !== undefined ? tx.newId('paymentMethod') : null;
}

/** The customer's named card, or null; refuses a customer secret that is not valid for the payment's customer. */
async function lockAuthorisedCard(
  tx: Tx,
  { details }: PaymentIntent,
  { customerSecret, paymentMethodId }: SavedCardSubmission,
): Promise<SavedCard | null> {
  if (customerSecret === null && details.customerSecretId === undefined) {
    throw new Refusal('client_secret_missing', 'The header customer-secret is needed.');
  }
  const customerId =
    customerSecret === null
      ? await findKnownCustomer(tx, details)
      : await findProvenCustomer(tx, details, customerSecret);
  if (customerId === null) {
    throw new Refusal('client_secret_invalid', 'the customer secret is wrong or has expired');
  }
  return lockCardOfCustomer(tx, { customerId, cardId: paymentMethodId });
}

async function findProvenCustomer(tx: Tx, { customer }: IntentDetails, text: string): Promise<CustomerId | null> {
  const customerId = customer?.customerId;
  const proof = customerId === undefined ? null : await findValidSecret(tx, { text, customerId });
  return proof?.customerId ?? null;
}

function collectSavedCardViolations(
  { now }: Tx,
  { paymentMethods }: PaymentIntent,
  card: SavedCard | null,
): RefusalMembers {
  if (!paymentMethods.includes('SavedCard')) return { paymentMethodId: ['Is no way to pay this payment.'] };
  if (card === null) return { paymentMethodId: [UNKNOWN_CARD] };
  const isOver = isPast({ month: card.expiryMonth, year: card.expiryYear }, now);
  return isOver ? { paymentMethodId: ['Has expired.'] } : {};
}

const UNKNOWN_CARD = 'Is not a saved card of the customer.';

function createUnknownCardRefusal(): Refusal {
  return createViolation('validation_failed', 'paymentMethodId', UNKNOWN_CARD);
}
