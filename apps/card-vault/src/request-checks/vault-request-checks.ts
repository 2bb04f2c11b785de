import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts/caller';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { PartnerDirectory } from '@pos/payments/accounts/partner-directory';
import { CardSetups, requireCardAttestation } from '@pos/payments/online/setups-with-card';
import { createSetupIntentWithCard } from '@pos/rest-contracts/card-vault/setup-with-card';
import type { Operation } from '@pos/rest-contracts/operation/operation';
import { listReadableSetupMembers } from '@pos/rest-contracts/setup-intents/read-setup-request';
import type { Idempotency } from '@pos/service-kit/request-checks/idempotency-key';
import { defineMemberCheck, type MemberChecks } from '@pos/service-kit/request-checks/member-checks';
import type { ApiKeyHolder, RequestChecks } from '@pos/service-kit/request-checks/request-admission';
import { Database } from '@pos/store/database/database';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { removeCardFromKey } from '../setups/idempotency-key.js';
import { PayerCallLimiter } from '../payments/payer-call-limiter.js';
import { VaultDatabase } from '../setups/vault-database.js';

/** How many requests a second a key may send for long; an account may have its own. */
const KEY_RATE_PER_SECOND = 200;

/** What the card vault checks of each request before a controller receives it. */
@Injectable()
export class VaultRequestChecks implements RequestChecks {
  readonly memberChecks: MemberChecks;
  readonly #payerCalls: PayerCallLimiter;

  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly database: Database,
    private readonly limits: SharedRateLimiter,
    private readonly store: VaultDatabase,
    private readonly partners: PartnerDirectory,
    setups: CardSetups,
  ) {
    this.#payerCalls = new PayerCallLimiter(database, limits);
    this.memberChecks = new Map([
      defineMemberCheck(createSetupIntentWithCard, ({ scope }, { card: { cardNumber, expiryDate } = {}, ...body }) =>
        database.read(scope, (reader) =>
          setups.requireSound(reader, listReadableSetupMembers(body), {
            scheme: cardNumber?.scheme,
            expiry: expiryDate,
          }),
        ),
      ),
    ]);
  }

  authenticate(keyText: string, address: string): Promise<ApiKeyHolder | null> {
    return this.authenticator.authenticate(keyText, address);
  }

  async checkPermission({ scope }: ApiKeyHolder, { permission }: Operation): Promise<void> {
    if (permission === 'setup.card') await this.database.transact(scope, requireCardAttestation);
  }

  checkPartners(caller: Caller, { continuesPayment }: Operation, idempotency: Idempotency | null): Promise<void> {
    const storedKey = idempotency === null ? null : removeCardFromKey(idempotency);
    return this.partners.requireRegistered(caller, { continuesPayment, idempotency: storedKey });
  }

  findStoredAnswer(caller: Caller, idempotency: Idempotency) {
    return this.store.findStoredAnswer(caller, idempotency);
  }

  /** A payer has no key: their calls are counted by address and client secret. */
  async countRequest(
    { ip, headers }: { readonly ip: string; readonly headers: IncomingHttpHeaders },
    operation: Operation,
    holder: ApiKeyHolder | null,
  ): Promise<void> {
    if (holder !== null) {
      const perSecond = holder.ratePerSecond ?? KEY_RATE_PER_SECOND;
      await this.limits.take(`key ${holder.keyId}`, { perSecond, burst: perSecond * 2 });
    }
    if (operation.clientSecret === true)
      await this.#payerCalls.countCall(operation, { ip, secret: headers['client-session-secret'] });
  }
}
