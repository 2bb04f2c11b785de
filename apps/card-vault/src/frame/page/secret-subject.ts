/** Where a client secret names its environment, its kind of intent, and the 16 bytes of the intent's id. */
const ENVIRONMENT_AT = 1;
const KIND_AT = 2;
const INTENT_AT = 19;
const INTENT_END = 35;

/**
 * Whether a client secret names this intent. The vault proves the secret; this keeps a page that may embed the frame for its
 * own intent from charging the card for a payment of another merchant.
 */
export function isSecretOf(secret: string, intentId: string): boolean {
  const bytes = decodeBase64Url(secret);
  if (bytes === null || bytes.length < INTENT_END) return false;
  const kind = bytes.charCodeAt(KIND_AT) === 0 ? 'pi_' : 'si_';
  const environment = bytes.charCodeAt(ENVIRONMENT_AT) === 0 ? 'sandbox_' : '';
  return intentId === `${kind}${environment}${encodeBase64Url(bytes.slice(INTENT_AT, INTENT_END))}`;
}

function decodeBase64Url(text: string): string | null {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return null;
  }
}

function encodeBase64Url(bytes: string): string {
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
