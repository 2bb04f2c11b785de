import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { OIDC_REAUTHENTICATION, OIDC_START_PATH } from '@pos/rest-contracts/portal';
import type { RawRoute } from '@pos/service-kit/http';
import { LOG } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PortalSessions } from './portal-sessions.js';
import { requireSameOrigin } from './same-origin.js';
import { OidcClient } from './oidc-client.js';
import { redirectToSignIn } from './sign-in-redirect.js';
import { SignInAttempts } from './sign-in-attempts.js';

/** Leads a browser to the identity provider: from the sign-in page, or to confirm an action of an open session there. */
@Injectable()
export class OidcStart implements RawRoute {
  readonly path = OIDC_START_PATH;
  readonly methods = ['GET'] as const;

  constructor(
    private readonly provider: OidcClient,
    private readonly attempts: SignInAttempts,
    private readonly sessions: PortalSessions,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    requireSameOrigin(request.headers);
    if (!this.provider.isConfigured) throw new Refusal('path_unknown', 'This portal has no identity provider.');
    const isConfirming = new URL(request.url, 'http://portal').searchParams.has(OIDC_REAUTHENTICATION);
    const session = isConfirming ? await this.sessions.requireSession(request.headers) : null;
    const attempt = this.attempts.create(Date.now(), session?.idHash ?? null);
    try {
      const url = await this.provider.buildAuthorizationUrl(attempt);
      await reply
        .status(303)
        .headers({ location: url, 'set-cookie': this.attempts.formatCookie(attempt), 'cache-control': 'no-store' })
        .send();
    } catch (error) {
      this.log.warn('portal.provider_unreachable', { error });
      await redirectToSignIn(reply, 'failed', []);
    }
  }
}
