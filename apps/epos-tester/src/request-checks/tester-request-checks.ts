import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import { PortalAuthenticator } from '@pos/nest-modules';
import { ApiKeyAuthenticator } from '@pos/payments/accounts';
import type {
  ApiKeyHolder,
  Idempotency,
  PortalTokenRequest,
  RequestChecks,
  StoredAnswer,
} from '@pos/service-kit/request-checks';
import { Database } from '@pos/store/database';
import { findStoredAnswer } from '@pos/store/idempotency';

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
