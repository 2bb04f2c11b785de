/** Keys and customer secrets are shorter than this. */
const CREDENTIAL_LENGTH_MAX = 500;

/**
 * Reads the key or secret from the header `authorization`, or returns null. The documented form is the word `Basic`,
 * one space and the key itself. Two forms that HTTP tools produce are accepted too: `Bearer` and the key, and `Basic`
 * and the base64 of the key, a colon and no password (`curl -u <key>:`).
 */
export function parseBasicCredential(authorization: string | undefined): string | null {
  const [, scheme = '', credential = ''] = /^(Basic|Bearer) ([^\s]+)$/i.exec(authorization ?? '') ?? [];
  if (credential.length < 1 || credential.length > CREDENTIAL_LENGTH_MAX) return null;
  return scheme.toLowerCase() === 'basic' ? (parseUserWithoutPassword(credential) ?? credential) : credential;
}

/**
 * The user name of Basic credentials without a password. A key contains `_`, which base64 does not, so no key is
 * misread.
 */
function parseUserWithoutPassword(credential: string): string | null {
  if (credential.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(credential)) return null;
  return /^([!-9;-~]+):$/.exec(Buffer.from(credential, 'base64').toString('latin1'))?.[1] ?? null;
}
