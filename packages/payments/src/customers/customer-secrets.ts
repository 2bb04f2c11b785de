import { readCustomerSecret } from '@pos/core/ids';
import type { CustomerId, Scope } from '@pos/core/identity';
import type { IntentDetails } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import { getAccountTime } from '@pos/store/clock';
import { type CustomerSecret, findCustomerSecret, findCustomerSecretById } from '@pos/store/repositories';
import type { Database, Reader } from '@pos/store/database';

/** No secret is longer, so a longer text is not looked up. */
const TEXT_LENGTH_MAX = 500;

/**
 * The secret with this text, if it is valid for this customer at the account's time; null for any other text. The
 * reader's scope is the account of the customer.
 */
export async function findValidSecret(
  reader: Reader,
  { text, customerId }: { readonly text: string; readonly customerId: string },
): Promise<CustomerSecret | null> {
  const subject = readClaim(text);
  if (subject === null) return null;
  if (subject.accountId !== reader.scope.accountId || subject.environment !== reader.scope.environment) return null;
  const [secret, now] = await Promise.all([
    findCustomerSecret(reader, { id: subject.secretId, text }),
    getAccountTime(reader),
  ]);
  return secret !== null && isValid(secret, customerId, now) ? secret : null;
}

/**
 * The customer whose saved cards a payer of the intent may use without another proof, because the integrator gave
 * the intent a secret that is still valid; null otherwise.
 */
export async function findKnownCustomer(
  reader: Reader,
  { customer, customerSecretId }: Pick<IntentDetails, 'customer' | 'customerSecretId'>,
): Promise<CustomerId | null> {
  const customerId = customer?.customerId;
  if (customerId === undefined || customerSecretId === undefined) return null;
  const [secret, now] = await Promise.all([findCustomerSecretById(reader, customerSecretId), getAccountTime(reader)]);
  return secret !== null && isValid(secret, customerId, now) ? customerId : null;
}

/**
 * The customer of a caller without a key; the caller sends the customer's secret. Refuses with `unauthenticated`,
 * and always the same message, a text that is missing, unknown, expired or another customer's.
 */
export async function authenticateCustomer(
  database: Database,
  { text, customerId }: { readonly text: string | null; readonly customerId: string },
): Promise<{ readonly scope: Scope; readonly secret: CustomerSecret }> {
  const subject = text === null ? null : readClaim(text);
  if (text !== null && subject !== null) {
    const { accountId, environment } = subject;
    const scope = { accountId, environment };
    const secret = await database.read(scope, (reader) => findValidSecret(reader, { text, customerId }));
    if (secret !== null) return { scope, secret };
  }
  throw new Refusal('unauthenticated', 'A secret of this customer is needed that is not older than 15 minutes.');
}

function isValid(secret: CustomerSecret, customerId: string, now: Date): boolean {
  return secret.customerId === customerId && now < secret.expireAt;
}

function readClaim(text: string) {
  return text.length > TEXT_LENGTH_MAX ? null : readCustomerSecret(text);
}
