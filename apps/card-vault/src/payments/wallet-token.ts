import { CardNumber, Cv2, readExpiry } from '@pos/core/cards';
import { z } from 'zod';
import type { CardInput } from '../acquirer/card-input.js';

const TokenContent = z.object({ cardNumber: z.string(), expiryDate: z.string(), cV2: z.string() });

/**
 * Reads the card in a token of a sandbox: the base64url text of JSON with a test card, so that a wallet can have every
 * outcome. Null for any other token. In production the adapter of the acquirer decrypts tokens.
 */
export function readWalletToken(token: string): CardInput | null {
  const content = TokenContent.safeParse(parseTokenJson(token));
  if (!content.success) return null;
  const number = CardNumber.read(content.data.cardNumber);
  const expiry = readExpiry(content.data.expiryDate);
  const cv2 = Cv2.read(content.data.cV2);
  return number === null || expiry === null || cv2 === null ? null : { number, expiry, cv2, name: '' };
}

function parseTokenJson(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
