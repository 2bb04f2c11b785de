import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import { ApiKeyAuthenticator, EposRegistration, PartnerDirectory } from '@pos/payments/accounts';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { SetupIntents } from '@pos/payments/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import type { Operation } from '@pos/rest-contracts/operation';
import { PortalAuthenticator } from '@pos/nest-modules';
import { CONFIG } from '@pos/service-kit/nest';
import { RegistrableAddressPolicy } from '@pos/service-kit/egress';
import type {
  ApiKeyHolder,
  Idempotency,
  MemberChecks,
  PortalTokenRequest,
  RequestChecks,
} from '@pos/service-kit/request-checks';
import { SharedRateLimiter } from '@pos/store/rate-limits';
import type { Config } from '../config/config.js';
import { ApiDatabase } from '../database/api-database.js';
import { createMemberChecks } from './member-checks.js';
import { type CountedRequest, RequestRateLimiter } from './request-rate-limiter.js';

/** What the API checks of each request before a controller receives it. */
@Injectable()
export class ApiRequestChecks implements RequestChecks {
  readonly memberChecks: MemberChecks;
  readonly #rateLimiter: RequestRateLimiter;

  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly database: ApiDatabase,
    limits: SharedRateLimiter,
    intents: PaymentIntents,
    setups: SetupIntents,
    sessions: TerminalSessions,
    addresses: RegistrableAddressPolicy,
    registration: EposRegistration,
    private readonly portal: PortalAuthenticator,
    private readonly partners: PartnerDirectory,
    @Inject(CONFIG) config: Config,
  ) {
    this.#rateLimiter = new RequestRateLimiter(config.RATE_LIMIT_PER_SECOND, limits);
    this.memberChecks = createMemberChecks({ database, intents, setups, sessions, addresses, registration });
  }

  authenticate(keyText: string, address: string): Promise<ApiKeyHolder | null> {
    return this.authenticator.authenticate(keyText, address);
  }

  authenticatePortal(request: PortalTokenRequest): Promise<ApiKeyHolder | null> {
    return this.portal.authenticate(request);
  }

  countRequest(request: CountedRequest, operation: Operation, holder: ApiKeyHolder | null): Promise<void> {
    return this.#rateLimiter.countRequest(request, operation, holder);
  }

  checkPartners(caller: Caller, { continuesPayment }: Operation, idempotency: Idempotency | null): Promise<void> {
    return this.partners.requireRegistered(caller, { continuesPayment, idempotency });
  }

  findStoredAnswer(caller: Caller, idempotency: Idempotency) {
    return this.database.findStoredAnswer(caller, idempotency);
  }
}
