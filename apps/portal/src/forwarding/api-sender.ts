import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import { formatPortalToken, type PortalTokenSubject } from '@pos/service-kit/portal';
import type { Log } from '@pos/service-kit/telemetry';
import type { Config } from '../config/config.js';

/** A request of the public API or of the EPOS tester for a user of the portal. */
export interface ApiRequest extends PortalTokenSubject {
  /** The app that serves the operation. */
  readonly app: 'api' | 'epos-tester';
  /** Headers beside the credential and the names of the partners. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The portal is the software of these requests, and nobody resells it. */
const PARTNERS = { 'software-house-id': 'portal', 'reseller-id': 'portal' };

/** Sends requests to the API and the EPOS tester, each with a token that names the user and what the role permits (ADR 0094). */
@Injectable()
export class ApiSender {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  get hasTester(): boolean {
    return this.config.EPOS_TESTER_URL !== undefined;
  }

  /** The answer of the app, with any status. Refuses `service_unavailable` when there is none. */
  async send({ app, headers, ...subject }: ApiRequest): Promise<Response> {
    const { API_URL, API_DEADLINE_MS, EPOS_TESTER_URL = '', PORTAL_KEY } = this.config;
    const url = app === 'api' ? API_URL : EPOS_TESTER_URL;
    const { method, path, body } = subject;
    try {
      return await fetch(`${url.replace(/\/+$/, '')}${path}`, {
        method,
        headers: { ...headers, ...PARTNERS, authorization: formatPortalToken(subject, PORTAL_KEY, Date.now()) },
        redirect: 'error',
        signal: AbortSignal.timeout(API_DEADLINE_MS),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
    } catch (error) {
      this.log.warn('portal.api_unreachable', { app, path, error });
      const detail = 'The service has not answered. Read what happened, or repeat the action with the same key.';
      throw new Refusal('service_unavailable', detail);
    }
  }
}
