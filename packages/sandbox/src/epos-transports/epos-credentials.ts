import { timingSafeEqual } from 'node:crypto';

/** User name and password of an `authorization: Basic` header; null when it has none. */
export function parseBasicCredentials(
  authorization: string,
): { readonly username: string; readonly password: string } | null {
  const encoded = /^basic (\S+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, password: password.join(':') };
}

/** Compares secrets in constant time, so that the duration does not reveal how much of them agrees. */
export function isEqualSecret(given: string, known: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(known)];
  return left.length === right.length && timingSafeEqual(left, right);
}
