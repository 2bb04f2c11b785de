import { requireValue } from '@pos/core/refusals';
import type { Approval, Decline } from '@pos/core/cards';
import type { PaymentIntentId, SetupIntentId } from '@pos/core/identity';
import { type PayerContacts, withContacts } from '@pos/core/online';
import {
  abandonAttempt,
  approve,
  approveCharge,
  type Attempt,
  challenge,
  decline,
  type IntentDecision,
  publishFailedCharge,
  undoLateApproval,
} from '@pos/core/payment-intents';
import {
  authoriseSetup,
  challengeSetup,
  completeSetup,
  declineSetup,
  abandonSetupAttempt,
  type SetupDecision,
  undoLateSetup,
} from '@pos/core/setup-intents';
import type { Tx } from '@pos/store/database';
import { lockIntent, lockSetupIntent, type OnlineAttempt } from '@pos/store/payments';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { commitSetupIntent } from '../setup-intents/setup-intent-commit.js';

/** The intent of an attempt, under its row lock, and what each result of the attempt does to it. */
export interface AttemptTarget {
  /** It still waits for an approval; otherwise an approval is undone. */
  readonly isOpen: boolean;
  readonly approve: (approval: Approval) => Promise<unknown>;
  /** The approval came too late, and is being undone. */
  readonly undo: (approval: Approval) => Promise<unknown>;
  readonly decline: (declineResult: Decline) => Promise<unknown>;
  readonly challenge: (attempt: Attempt) => Promise<unknown>;
  /** The result is unknown, and the attempt takes no money. */
  readonly giveUp: (attempt: Attempt) => Promise<unknown>;
}

/** Locks the intent of the attempt. An attempt without a payer's secret is a charge of a stored card. */
export async function lockAttemptTarget(tx: Tx, attempt: OnlineAttempt): Promise<AttemptTarget> {
  const { subject } = attempt;
  if (subject.setupIntentId !== null) return lockSetupTarget(tx, subject.setupIntentId, attempt);
  return lockPaymentTarget(tx, subject.paymentIntentId, attempt);
}

async function lockPaymentTarget(
  tx: Tx,
  id: PaymentIntentId,
  { secretHash, contacts }: OnlineAttempt,
): Promise<AttemptTarget> {
  const locked = requireValue(await lockIntent(tx, id), `intent ${id}`);
  const { intent } = locked;
  const charged = secretHash === null ? await lockChargedSetup(tx, intent.setupIntentId) : null;
  const change = (decision: IntentDecision) => commitIntent(tx, locked, decision);
  const changeWithoutMoney = (decision: IntentDecision) =>
    change(charged === null ? decision : publishFailedCharge(decision));
  return {
    isOpen: intent.status === 'Created',
    approve: async (approval) => {
      if (charged === null) return change(approve(withStoredContacts(intent, contacts), approval, tx.now));
      // Its card is erased before events are written: lanes are locked last.
      await commitSetupIntent(tx, charged, completeSetup(charged.setup, approval, tx.now));
      return change(approveCharge(intent, approval, tx.now));
    },
    undo: (approval) => change(undoLateApproval(intent, approval, tx.now)),
    decline: (declineResult) => changeWithoutMoney(decline(intent, declineResult, tx.now)),
    challenge: (attempt) => change(challenge(intent, attempt, tx.now)),
    giveUp: (attempt) => changeWithoutMoney(abandonAttempt(intent, attempt, tx.now)),
  };
}

async function lockChargedSetup(tx: Tx, id: SetupIntentId | null) {
  return requireValue(id === null ? null : await lockSetupIntent(tx, id), 'the setup intent whose card is charged');
}

async function lockSetupTarget(tx: Tx, id: SetupIntentId, { contacts }: OnlineAttempt): Promise<AttemptTarget> {
  const locked = requireValue(await lockSetupIntent(tx, id), `setup ${id}`);
  const { setup } = locked;
  const change = (decision: SetupDecision) => commitSetupIntent(tx, locked, decision);
  return {
    isOpen: setup.status === 'Created',
    approve: (approval) => change(authoriseSetup(withStoredContacts(setup, contacts), approval, tx.now)),
    undo: (approval) => change(undoLateSetup(setup, approval, tx.now)),
    decline: (declineResult) => change(declineSetup(setup, declineResult, tx.now)),
    challenge: (attempt) => change(challengeSetup(setup, attempt, tx.now)),
    giveUp: ({ transactionId }) => change(abandonSetupAttempt(setup, transactionId, tx.now)),
  };
}

/** A merchant's own attempt has no contacts, nor has one of a release that wrote them at once. */
function withStoredContacts<T extends Parameters<typeof withContacts>[0]>(
  intent: T,
  contacts: PayerContacts | null,
): T {
  return contacts === null ? intent : withContacts(intent, contacts);
}
