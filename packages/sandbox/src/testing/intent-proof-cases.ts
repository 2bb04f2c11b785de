import type { IntentProof } from '../epos-data/intent-reader.js';

const createReadProof = (status: string, value: number, currencyCode = 'GBP'): IntentProof => ({
  ...{ kind: 'read', status },
  charged: { value, currencyCode },
});

/** The service's record of a payment of five pounds with a tip of one pound, and the result at the EPOS. */
export const PROOF_ROWS: readonly (readonly [IntentProof, string])[] = [
  [{ kind: 'notAsked' }, 'ok'],
  // The sum decides, and not the tip of the intent: the waiter may have entered it as one amount.
  [createReadProof('Captured', 600), 'ok'],
  [createReadProof('Authorized', 600), 'ok'],
  [createReadProof('Captured', 601), 'ok'],
  [createReadProof('Captured', 599), 'InvalidRequest'],
  [createReadProof('Captured', 500), 'InvalidRequest'],
  [createReadProof('Created', 600), 'InvalidRequest'],
  [createReadProof('Reversed', 600), 'InvalidRequest'],
  [createReadProof('Refunded', 600), 'InvalidRequest'],
  [createReadProof('Captured', 600, 'EUR'), 'InvalidRequest'],
  [{ kind: 'absent' }, 'InvalidRequest'],
  [{ kind: 'unreadable', reason: 'no answer' }, 'UnexpectedError'],
];
