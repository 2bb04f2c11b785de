import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals/refusal';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { formatPortalToken, type PortalTokenSubject } from '@pos/service-kit/portal/portal-token';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Config } from '../config/config.js';

/** A request of the public API for a user of the portal. */
export interface ApiRequest extends PortalTokenSubject {
  /** Beside the credential and the names of the partners. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The portal is the software of these requests, and nobody resells it. */
const PARTNERS = { 'software-house-id': 'portal', 'reseller-id': 'portal' };

/** Sends requests to the API, each with a token that names the user and what the role permits (ADR 0094). */
@Injectable()
export class ApiSender {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The answer of the API, with any status. Refuses `service_unavailable` when there is none. */
  async send({ headers, ...subject }: ApiRequest): Promise<Response> {
    const { API_URL, API_DEADLINE_MS, PORTAL_KEY } = this.config;
    const { method, path, body } = subject;
    try {
      return await fetch(`${API_URL.replace(/\/$/, '')}${path}`, {
        method,
        headers: { ...headers, ...PARTNERS, authorization: formatPortalToken(subject, PORTAL_KEY, Date.now()) },
        redirect: 'error',
        signal: AbortSignal.timeout(API_DEADLINE_MS),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
    } catch (error) {
      this.log.warn('portal.api_unreachable', { path, error });
      const detail = 'The API has not answered. Read what happened, or repeat the action with the same key.';
      throw new Refusal('service_unavailable', detail);
    }
  }
}
