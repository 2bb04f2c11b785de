import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@pos/service-kit/nest';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';
import type { Config } from '../config/config.js';
import { readCookie } from './session-cookie.js';

const Attempt = z.object({
  ...{ state: z.string(), nonce: z.string(), codeVerifier: z.string(), expiresAtMs: z.int() },
  /** The hash of the session that the user confirms at the provider, in hex; null for a sign-in. */
  sessionHash: z.string().nullable(),
});

/** One attempt to sign in at the identity provider, as the browser that makes it stores it. */
export type SignInAttempt = z.output<typeof Attempt>;

/** How long a user may take at the provider. */
export const ATTEMPT_AGE_MS = 600_000;
const NAME = '__Host-pos-portal-sign-in';
/** Lax, because the provider leads the browser back from another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Stores attempts in a signed cookie: only the browser that began one can end it. */
@Injectable()
export class SignInAttempts {
  readonly #key: Buffer;

  constructor(@Inject(CONFIG) { PORTAL_KEY }: Config) {
    this.#key = createHmac('sha256', PORTAL_KEY.reveal()).update('sign-in at an identity provider').digest();
  }

  create(nowMs: number, sessionHash: Buffer | null): SignInAttempt {
    return {
      ...{ state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() },
      ...{ expiresAtMs: nowMs + ATTEMPT_AGE_MS, sessionHash: sessionHash?.toString('hex') ?? null },
    };
  }

  /** The header `set-cookie` of an attempt. */
  formatCookie(attempt: SignInAttempt): string {
    const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
    return `${NAME}=${text}.${this.#sign(text)}; Max-Age=${ATTEMPT_AGE_MS / 1_000}; ${ATTRIBUTES}`;
  }

  /** The header `set-cookie` that deletes the cookie. */
  formatEndedCookie(): string {
    return `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
  }

  /** The attempt of the browser; null without one, for a changed one, and after its time. */
  read(headers: Pick<IncomingHttpHeaders, 'cookie'>, nowMs: number): SignInAttempt | null {
    const [text = '', signature = ''] = readCookie(headers, NAME)?.split('.') ?? [];
    const [expected, sent] = [Buffer.from(this.#sign(text)), Buffer.from(signature)];
    if (expected.length !== sent.length || !timingSafeEqual(expected, sent)) return null;
    const attempt = Attempt.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return attempt.expiresAtMs > nowMs ? attempt : null;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
