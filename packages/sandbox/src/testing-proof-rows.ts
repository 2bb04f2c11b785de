import type { IntentProof } from './intent-reader.js';

const amount = (value: number, currencyCode = 'GBP') => ({ value, currencyCode });
const read = (status: string, value: number, tipsValue = 100): IntentProof => ({
  ...{ kind: 'read', status, tipsValue },
  amount: amount(value),
});

/** What the service says of a payment of five pounds and one for the waiter, and what the EPOS makes of it. */
export const PROOF_ROWS: readonly (readonly [IntentProof, string])[] = [
  [{ kind: 'notAsked' }, 'ok'],
  [read('Captured', 500), 'ok'],
  [read('Authorized', 500), 'ok'],
  [read('Captured', 501), 'ok'],
  [read('Captured', 499), 'InvalidRequest'],
  [read('Captured', 500, 99), 'InvalidRequest'],
  [read('Created', 500), 'InvalidRequest'],
  [read('Reversed', 500), 'InvalidRequest'],
  [read('Refunded', 500), 'InvalidRequest'],
  [{ kind: 'read', status: 'Captured', amount: amount(500, 'EUR'), tipsValue: 100 }, 'InvalidRequest'],
  [{ kind: 'absent' }, 'InvalidRequest'],
  [{ kind: 'unreadable', reason: 'no answer' }, 'UnexpectedError'],
];
