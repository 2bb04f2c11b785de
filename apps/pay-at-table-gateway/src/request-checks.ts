import { Injectable } from '@nestjs/common';
import { ApiKeyAuthenticator } from '@pos/payments/accounts';
import type { ApiKeyHolder, RequestChecks } from '@pos/service-kit/request-checks';

/** The checks of each HTTP request before its controller. */
@Injectable()
export class GatewayRequestChecks implements RequestChecks {
  constructor(private readonly authenticator: ApiKeyAuthenticator) {}

  authenticate(keyText: string, address: string): Promise<ApiKeyHolder | null> {
    return this.authenticator.authenticate(keyText, address);
  }
}
