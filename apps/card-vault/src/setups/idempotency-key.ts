import { CardNumber } from '@pos/core/cards';
import { normalizeBody } from '@pos/rest-contracts/shapes';
import { createSetupIntentWithCard } from '@pos/rest-contracts/card-vault';
import { splitFingerprintInput, toCanonicalJson, type Idempotency } from '@pos/service-kit/request-checks';

/**
 * Returns an idempotency key whose fingerprint may be stored. It contains only documented members, and only the masked
 * description of the card: no form of the number or the CV2, not even a keyed hash, wherever the caller put them.
 */
export function removeCardFromKey(idempotency: Idempotency): Idempotency {
  const { body, rest } = splitFingerprintInput(idempotency.fingerprintInput);
  return { ...idempotency, fingerprintInput: `${toCanonicalJson(removeCard(body))}${rest}` };
}

function removeCard(sent: unknown): unknown {
  const { value } = normalizeBody(createSetupIntentWithCard.body, sent);
  return isObject(value) ? { ...value, card: isObject(value['card']) ? describeCardInput(value['card']) : null } : null;
}

function describeCardInput({ cardNumber, cardName, expiryDate }: Readonly<Record<string, unknown>>): unknown {
  const number = typeof cardNumber === 'string' ? CardNumber.read(cardNumber) : null;
  return { cardName, expiryDate, cardNumber: number?.masked ?? null };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
