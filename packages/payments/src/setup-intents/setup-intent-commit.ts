import type { SetupDecision, SetupIntent } from '@pos/core/setup-intents';
import type { Tx } from '@pos/store/database';
import { type LockedSetupIntent, updateSetupIntent } from '@pos/store/payments';
import { cancelTimer, schedule } from '@pos/store/queues';
import { eraseCardsOfOwner } from '../customers/card-erasure.js';

/**
 * Stores a decision about a locked setup intent with everything that belongs to it: the row, the history in its hash
 * chain, its deadlines, and the erasure of a card that it no longer keeps. It is the only writer of a stored setup intent
 * (ADR 0145).
 */
export async function commitSetupIntent(
  tx: Tx,
  locked: LockedSetupIntent,
  decision: SetupDecision,
): Promise<SetupIntent> {
  const setup = updateSetupIntent(tx, decision, locked);
  const expiry = { kind: 'setup-expiry', subject: setup.id } as const;
  if (locked.setup.status === 'Created' && setup.status !== 'Created') cancelTimer(tx, expiry);
  const cardExpiry = { kind: 'setup-card-expiry', subject: setup.id } as const;
  const [before, after] = [locked.setup.cardExpireAt, setup.cardExpireAt];
  if (after === null && before !== null) {
    cancelTimer(tx, cardExpiry);
    await eraseCardsOfOwner(tx, setup.id);
  }
  if (after !== null && after.getTime() !== before?.getTime()) schedule(tx, { ...cardExpiry, dueAt: after });
  return setup;
}
