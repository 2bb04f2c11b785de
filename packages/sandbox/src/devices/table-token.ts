import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the token of a payer's page names. */
export interface TableTokenContent {
  readonly accountId: string;
  readonly sessionId: string;
  /** Distinguishes the devices of one table. */
  readonly deviceId: string;
  readonly expiresAtMs: number;
}

/** Writes the content and its signature as text for an address. */
export function signTableToken(content: TableTokenContent, key: Uint8Array): string {
  const { accountId, sessionId, deviceId, expiresAtMs } = content;
  const payload = Buffer.from(JSON.stringify([accountId, sessionId, deviceId, expiresAtMs])).toString('base64url');
  return `${payload}.${computeSignature(payload, key)}`;
}

/** Reads a token. Null: it was not signed with this key, was changed, or has expired. */
export function readTableToken(token: string, key: Uint8Array, nowMs: number): TableTokenContent | null {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const expected = Buffer.from(computeSignature(payload, key));
  const received = Buffer.from(signature);
  const isGenuine = expected.length === received.length && timingSafeEqual(expected, received);
  if (!isGenuine || rest.length > 0) return null;
  // Only this process has signed it, so that it has the written form.
  const [accountId, sessionId, deviceId, expiresAtMs] = JSON.parse(
    Buffer.from(payload, 'base64url').toString('utf8'),
  ) as [string, string, string, number];
  return expiresAtMs <= nowMs ? null : { accountId, sessionId, deviceId, expiresAtMs };
}

function computeSignature(payload: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}
