import type { OnlineCard } from './online-card.js';
import type { TestCard } from './test-cards.js';

const EXPIRY_YEARS = 20;

/** Creates the token of a simulated wallet for a test card: base64url of JSON, with an expiry far after `now`. */
export function createWalletToken({ number, cv2 }: TestCard, now: Date): string {
  const year = String((now.getUTCFullYear() + EXPIRY_YEARS) % 100).padStart(2, '0');
  const content = { cardNumber: number, expiryDate: `12/${year}`, cV2: cv2 };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Decrypts such a token, as the adapter of a real acquirer does with a real one. Null for any other text. */
export function readWalletToken(token: string): OnlineCard | null {
  const content = parseToken(token);
  if (typeof content !== 'object' || content === null) return null;
  const read = (name: string): unknown => Reflect.get(content, name);
  const [cardNumber, expiryDate, cV2] = [read('cardNumber'), read('expiryDate'), read('cV2')];
  const [, month, year] = typeof expiryDate === 'string' ? (/^(\d{2})\/(\d{2})$/.exec(expiryDate) ?? []) : [];
  if (typeof cardNumber !== 'string' || typeof cV2 !== 'string' || month === undefined) return null;
  return {
    number: cardNumber,
    expiryMonth: Number(month),
    expiryYear: 2_000 + Number(year),
    cv2: cV2,
    cardholderName: '',
  };
}

function parseToken(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
