import type { IntentProof } from '../epos-data/intent-reader.js';

const createProofAmount = (value: number, currencyCode = 'GBP') => ({ value, currencyCode });
const createReadProof = (status: string, value: number, tipsValue = 100): IntentProof => ({
  ...{ kind: 'read', status, tipsValue },
  amount: createProofAmount(value),
});

/** The service's record of a payment of five pounds with a tip of one pound, and the result at the EPOS. */
export const PROOF_ROWS: readonly (readonly [IntentProof, string])[] = [
  [{ kind: 'notAsked' }, 'ok'],
  [createReadProof('Captured', 500), 'ok'],
  [createReadProof('Authorized', 500), 'ok'],
  [createReadProof('Captured', 501), 'ok'],
  [createReadProof('Captured', 499), 'InvalidRequest'],
  [createReadProof('Captured', 500, 99), 'InvalidRequest'],
  [createReadProof('Created', 500), 'InvalidRequest'],
  [createReadProof('Reversed', 500), 'InvalidRequest'],
  [createReadProof('Refunded', 500), 'InvalidRequest'],
  [{ kind: 'read', status: 'Captured', amount: createProofAmount(500, 'EUR'), tipsValue: 100 }, 'InvalidRequest'],
  [{ kind: 'absent' }, 'InvalidRequest'],
  [{ kind: 'unreadable', reason: 'no answer' }, 'UnexpectedError'],
];
