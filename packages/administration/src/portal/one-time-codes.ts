import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
const PERIOD_MS = PERIOD_S * 1_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks of phones may differ by one step in both directions. */
const WINDOW = 1;
const ISSUER = 'Payments portal';

/** A new secret in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that apps for one-time codes read from a QR code. */
export function formatTotpUri(secret: string, email: string): string {
  return createTotp(secret, email).toString();
}

/** The step of time that the code is of; null for a code of no step near this time. */
export function findTotpStep(secret: string, code: string, at: Date): number | null {
  const delta = createTotp(secret, 'user').validate({ token: code, timestamp: at.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(at.getTime() / PERIOD_MS) + delta;
}

function createTotp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S });
}
