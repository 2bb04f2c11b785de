import { CardNumber } from '@pos/core/card-number';
import type { Idempotency } from '@pos/service-kit/idempotency';

/**
 * An idempotency key whose fingerprint may be stored: of the card in the body only what may be known of it takes part,
 * so that neither the number nor the CV2 is kept in any form, a keyed hash included.
 */
export function cardFreeKey(idempotency: Idempotency): Idempotency {
  const sent: unknown = JSON.parse(idempotency.fingerprintInput);
  return { ...idempotency, fingerprintInput: JSON.stringify(withoutCards(sent)) };
}

/** Members are read whatever their case, and so they are looked for. */
function withoutCards(sent: unknown): unknown {
  if (!isObject(sent)) return null;
  return Object.entries(sent).map(([name, value]) =>
    name.toLowerCase() === 'card' ? [name, isObject(value) ? Object.entries(value).map(known) : null] : [name, value],
  );
}

function known([name, value]: [string, unknown]): unknown {
  switch (name.toLowerCase()) {
    case 'cardname':
    case 'expirydate':
      return [name, value];
    case 'cardnumber':
      return [name, typeof value === 'string' ? (CardNumber.read(value)?.masked ?? null) : null];
    default:
      return [];
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
