import { Inject, Injectable } from '@nestjs/common';
import { needsSecondFactor, type PortalMembership, type Scope, type SecondFactorMode } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { AccountCache } from '@pos/payments/accounts';
import { CONFIG } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { PortalSession, PortalUser } from '@pos/store/portal';
import { type Config, readSecondFactorMode } from '../config/config.js';

/** Decides who works only after a second factor: by role, and by the setting of the account. */
@Injectable()
export class SecondFactorRule {
  readonly #mode: SecondFactorMode;
  readonly #accounts = new AccountCache();

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.#mode = readSecondFactorMode(config);
  }

  /** Refuses `second_factor_missing`. `membership` is where the user works; null for what concerns no account. */
  async require(session: PortalSession, membership: PortalMembership | null): Promise<void> {
    if (await this.isMissing(session, membership))
      throw new Refusal(
        'second_factor_missing',
        'This needs a second factor. Set one up, or sign in again with yours.',
      );
  }

  async isMissing({ user, hasSecondFactor }: PortalSession, membership: PortalMembership | null): Promise<boolean> {
    if (hasSecondFactor) return false;
    if (needsSecondFactor(this.#mode, user, membership)) return true;
    return membership !== null && this.#isRequiredIn(membership);
  }

  /** Whether the user needs a second factor anywhere, so that the last one cannot be removed. */
  async isNeededBy(user: PortalUser): Promise<boolean> {
    if (needsSecondFactor(this.#mode, user, null)) return true;
    if (user.memberships.some((each) => needsSecondFactor(this.#mode, user, each))) return true;
    for (const membership of user.memberships) if (await this.#isRequiredIn(membership)) return true;
    return false;
  }

  async #isRequiredIn({ accountId, environment }: Scope): Promise<boolean> {
    const account = await this.database.read({ accountId, environment }, (reader) => this.#accounts.get(reader));
    return account.settings.requiresSecondFactor;
  }
}
