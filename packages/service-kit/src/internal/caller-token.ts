import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.js';
import { SERVICE_APPS, type ServiceApp, type InternalApp } from './internal-callers.js';

/** What a token is valid for. */
export interface TokenSubject {
  readonly caller: ServiceApp;
  readonly audience: InternalApp;
  /** The path of the rpc, `/package.Service/Method`. */
  readonly path: string;
  /** When it was issued, in milliseconds since 1970. */
  readonly issuedAtMs: number;
}

/** How long a token is accepted after it was issued. It is issued for one call, right before it. */
const TOKEN_AGE_MS_MAX = 60_000;
/** How far the clock of the caller may be ahead. */
const CLOCK_AHEAD_MS_MAX = 30_000;

const SCHEME = 'Caller';

/** The text of the metadata `authorization` by which an app names itself. It does not reveal the key. */
export function formatCallerToken(subject: TokenSubject, key: Secret): string {
  const { caller, issuedAtMs } = subject;
  return `${SCHEME} ${caller}.${issuedAtMs}.${sign(subject, key).toString('base64url')}`;
}

/** Reads a token for one rpc of this app. Returns the caller, or why the token proves none. */
export function readCallerToken(
  text: string,
  expected: Pick<TokenSubject, 'audience' | 'path'> & { readonly keys: readonly Secret[]; readonly nowMs: number },
): { readonly caller: ServiceApp } | { readonly problem: string } {
  const [, name = '', time = '', signature = ''] = TOKEN.exec(text) ?? [];
  const caller = SERVICE_APPS.find((each) => each === name);
  if (caller === undefined) return { problem: 'metadata authorization is no token of an app' };
  const { audience, path, keys, nowMs } = expected;
  const issuedAtMs = Number(time);
  const given = Buffer.from(signature, 'base64url');
  const isSigned = keys.some((key) => {
    const signed = sign({ caller, audience, path, issuedAtMs }, key);
    return signed.length === given.length && timingSafeEqual(signed, given);
  });
  if (!isSigned) return { problem: 'metadata authorization is signed with another key, or for another app or rpc' };
  if (issuedAtMs < nowMs - TOKEN_AGE_MS_MAX) return { problem: 'the token in metadata authorization has ended' };
  if (issuedAtMs > nowMs + CLOCK_AHEAD_MS_MAX) {
    return { problem: 'the token in metadata authorization is from the future: the clocks differ' };
  }
  return { caller };
}

const TOKEN = new RegExp(`^${SCHEME} ([a-z-]{1,40})\\.(\\d{1,15})\\.([A-Za-z0-9_-]{43})$`);

/** Each caller has a key of its own, derived from the shared one. No member contains a line break. */
function sign({ caller, audience, path, issuedAtMs }: TokenSubject, key: Secret): Buffer {
  const callerKey = createHmac('sha256', key.reveal()).update(`internal call of ${caller}`).digest();
  return createHmac('sha256', callerKey).update([caller, audience, path, issuedAtMs].join('\n')).digest();
}
