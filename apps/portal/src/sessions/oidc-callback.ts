import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { PortalSignIn } from '@pos/administration/portal';
import {
  OIDC_CALLBACK_PATH,
  SIGN_IN_PROBLEM,
  SIGN_IN_SECOND_FACTOR,
  type SignInProblem,
} from '@pos/rest-contracts/portal';
import type { RawRoute } from '@pos/service-kit/http';
import { LOG } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBrowser } from './browser.js';
import { formatSessionCookie } from './session-cookie.js';
import { formatStepCookie } from './sign-in-cookie.js';
import { OidcClient, type VerifiedClaims } from './oidc-client.js';
import { redirectToSignIn } from './sign-in-redirect.js';
import { ATTEMPT_AGE_MS, type SignInAttempt, SignInAttempts } from './sign-in-attempts.js';

/**
 * Receives a browser from the identity provider and signs its user in. The user must exist already, with the e-mail
 * address that the provider has verified. Everything else leads back to the sign-in page; the log has the reason.
 */
@Injectable()
export class OidcCallback implements RawRoute {
  readonly path = OIDC_CALLBACK_PATH;
  readonly methods = ['GET'] as const;

  constructor(
    private readonly provider: OidcClient,
    private readonly attempts: SignInAttempts,
    private readonly signIns: PortalSignIn,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const ended = this.attempts.formatEndedCookie();
    try {
      const { location, cookies } = await this.#continue(request);
      await reply
        .status(303)
        .headers({ location, 'cache-control': 'no-store', 'set-cookie': [...cookies, ended] })
        .send();
    } catch (error) {
      this.#logRefusal(error);
      await redirectToSignIn(reply, findProblem(error), [ended]);
    }
  }

  /** Anybody can call this without an attempt, so what is expected is one line without a stack. */
  #logRefusal(error: unknown): void {
    const isExpected = error instanceof CallbackError || error instanceof Refusal;
    if (isExpected) this.log.info('portal.provider_sign_in_refused', { reason: error.message });
    else this.log.warn('portal.provider_sign_in_refused', { error });
  }

  /** Where the browser continues: signed in, at the second factor, or confirmed in its session. */
  async #continue(
    request: FastifyRequest,
  ): Promise<{ readonly location: string; readonly cookies: readonly string[] }> {
    await this.signIns.countAttempt(request.ip);
    const attempt = this.attempts.read(request.headers, Date.now());
    if (attempt === null) throw new CallbackError('the browser has no attempt that could end');
    const claims = await this.#verify(request.url, attempt);
    if (typeof claims.email !== 'string' || !claims.isEmailVerified) {
      throw new Refusal('sign_in_refused', 'The provider has not verified the e-mail address.');
    }
    const { authenticatedAt, isBothFactors } = claims;
    const { ip: address } = request;
    const browser = readBrowser(request.headers);
    const identity = { email: claims.email, address, browser, authenticatedAt, isBothFactors };
    if (attempt.sessionHash !== null) {
      requireFresh(authenticatedAt, attempt);
      await this.signIns.reauthenticateVerified(Buffer.from(attempt.sessionHash, 'hex'), identity);
      return { location: '/', cookies: [] };
    }
    const { kind, id } = await this.signIns.signInVerified(identity);
    return kind === 'session'
      ? { location: '/', cookies: [formatSessionCookie(id)] }
      : { location: `/?${SIGN_IN_PROBLEM}=${SIGN_IN_SECOND_FACTOR}`, cookies: [formatStepCookie(id)] };
  }

  async #verify(url: string, attempt: SignInAttempt): Promise<VerifiedClaims> {
    const place = url.indexOf('?');
    const query = place === -1 ? '' : url.slice(place);
    // Before anything is exchanged. Only the text of the right attempt is stored, so nobody fills the relation.
    if (new URLSearchParams(query).get('state') !== attempt.state) throw new CallbackError('the state is another');
    if (!(await this.signIns.claimOnce(`sign-in ${attempt.state}`, ATTEMPT_AGE_MS))) {
      throw new CallbackError('the state was used before');
    }
    return this.provider.verifyCallback(query, attempt);
  }
}

/** The parts of a callback that differ from its attempt. */
class CallbackError extends Error {
  override readonly name = 'CallbackError';
}

/** Clocks of the provider and the portal may differ by this much. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Refuses an answer that is about an older sign-in at the provider than the attempt: nobody was asked for anything. */
function requireFresh(authenticatedAt: Date | null, { expiresAtMs }: SignInAttempt): void {
  const beganAtMs = expiresAtMs - ATTEMPT_AGE_MS;
  if (authenticatedAt !== null && authenticatedAt.getTime() >= beganAtMs - CLOCK_DIFFERENCE_MS) return;
  throw new CallbackError('the provider has not authenticated the user again, or does not state when');
}

function findProblem(error: unknown): SignInProblem {
  if (!(error instanceof Refusal)) return 'failed';
  return error.code === 'rate_limited' ? 'tooMany' : 'notAllowed';
}
