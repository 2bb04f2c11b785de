import type { TestCard } from './test-cards.js';

const EXPIRY_YEARS = 20;

/** Creates the token of a simulated wallet for a test card: base64url of JSON, with an expiry far after `now`. */
export function createWalletToken({ number, cv2 }: TestCard, now: Date): string {
  const year = String((now.getUTCFullYear() + EXPIRY_YEARS) % 100).padStart(2, '0');
  const content = { cardNumber: number, expiryDate: `12/${year}`, cV2: cv2 };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}
