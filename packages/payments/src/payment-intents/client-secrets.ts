import { CLIENT_SECRET_RANDOM_BYTES, formatClientSecret } from '@pos/core/ids';
import type { PaymentIntentId, SetupIntentId } from '@pos/core/identity';
import type { Tx } from '@pos/store/database';

/** The text of a new client secret of the intent. */
export async function createClientSecret(tx: Tx, intentId: PaymentIntentId | SetupIntentId): Promise<string> {
  const random = await tx.randomBytes('clientSecret', CLIENT_SECRET_RANDOM_BYTES);
  return formatClientSecret({ ...tx.scope, intentId, random });
}
