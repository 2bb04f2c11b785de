import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import { ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';
import { CardSetups, requireCardAttestation } from '@pos/payments/online';
import { createSetupIntentWithCard } from '@pos/rest-contracts/card-vault';
import type { Operation } from '@pos/rest-contracts/operation';
import { listReadableSetupMembers } from '@pos/rest-contracts/setup-intents';
import {
  type ApiKeyHolder,
  defineMemberCheck,
  type Idempotency,
  type MemberChecks,
  type RequestChecks,
} from '@pos/service-kit/request-checks';
import { Database } from '@pos/store/database';
import { SharedRateLimiter } from '@pos/store/rate-limits';
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
