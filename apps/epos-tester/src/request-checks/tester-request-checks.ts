import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts/caller';
import { PortalAuthenticator } from '@pos/nest-modules/portal-authenticator';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import type { Idempotency } from '@pos/service-kit/request-checks/idempotency-key';
import type {
  ApiKeyHolder,
  PortalTokenRequest,
  RequestChecks,
  StoredAnswer,
} from '@pos/service-kit/request-checks/request-admission';
import { Database } from '@pos/store/database/database';
import { findStoredAnswer } from '@pos/store/idempotency/idempotency-keys';

/** What the tester checks of each request before a controller receives it. */
@Injectable()
export class TesterRequestChecks implements RequestChecks {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly portal: PortalAuthenticator,
    private readonly database: Database,
  ) {}

  authenticate(keyText: string, address: string): Promise<ApiKeyHolder | null> {
    return this.authenticator.authenticate(keyText, address);
  }

  /** Accepts the portal's token for a user, as the API does. */
  authenticatePortal(request: PortalTokenRequest): Promise<ApiKeyHolder | null> {
    return this.portal.authenticate(request);
  }

  async findStoredAnswer({ scope }: Caller, idempotency: Idempotency): Promise<StoredAnswer | null> {
    const answer = await this.database.read(scope, (reader) => findStoredAnswer(reader, idempotency));
    return answer === null ? null : { status: answer.status, body: JSON.stringify(answer.body) };
  }
}
