import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { admitPortalRequest } from '@pos/payments/accounts';
import type { PortalKeySettings } from '@pos/service-kit/config';
import { CONFIG } from '@pos/service-kit/nest';
import { verifyPortalToken } from '@pos/service-kit/portal';
import type { ApiKeyHolder, PortalTokenRequest } from '@pos/service-kit/request-checks';
import { Database } from '@pos/store/database';

/** Accepts the requests that the portal makes for its users, each once. */
@Injectable()
export class PortalAuthenticator {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CONFIG) private readonly config: PortalKeySettings,
  ) {}

  /** Null for a token of another key, request or time, for one that was used, and where the app has no key. */
  async authenticate({ token, method, path }: PortalTokenRequest): Promise<ApiKeyHolder | null> {
    const { PORTAL_KEY: key, PORTAL_KEY_ACCEPTED: acceptedKey } = this.config;
    const keys = [key, acceptedKey].filter((each) => each !== undefined);
    const claims = verifyPortalToken(token, { method, path, keys, nowMs: Date.now() });
    if (claims === null) return null;
    const holder = await admitPortalRequest(this.database, { ...claims, method, path });
    if (holder === null) return null;
    return {
      ...holder,
      checkBody: (bytes) => {
        if (claims.isBody(bytes)) return;
        throw new Refusal('unauthenticated', 'The token of the portal is for another body.');
      },
    };
  }
}
