import { Inject, Injectable } from '@nestjs/common';
import {
  type AccountId,
  ENVIRONMENTS,
  findPortalRole,
  type PasswordChangeReason,
  PORTAL_PERMISSIONS,
  type PortalMembership,
} from '@pos/core/identity';
import { UTC } from '@pos/core/time';
import { PortalSignIn } from '@pos/administration/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/portal';
import { Database } from '@pos/store/database';
import type { PortalSession } from '@pos/store/portal';
import { findAdministeredAccount, listAdministeredAccounts, readTimeZone } from '@pos/store/repositories';
import { isReauthenticated } from './portal-sessions.js';
import { SecondFactorRule } from './second-factor-rule.js';

const ACCOUNTS_MAX = 500;

/** An account that is active, by its name for payers. */
interface NamedAccount {
  readonly id: AccountId;
  readonly tradingName: string;
}

/** Presents sessions with the accounts where their users may work. */
@Injectable()
export class SessionPresenter {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(PortalSignIn) private readonly signIns: PortalSignIn,
    @Inject(SecondFactorRule) private readonly secondFactors: SecondFactorRule,
  ) {}

  async present(session: PortalSession): Promise<rest.PortalSession> {
    const { user, chosen } = session;
    const named = await this.#listAccounts(session);
    const timeZone = chosen === null ? UTC : await this.database.read(chosen, readTimeZone);
    const role = chosen === null ? null : findPortalRole(user, chosen);
    const membership = chosen === null || role === null ? null : { ...chosen, role };
    const isSecondFactorMissing = await this.secondFactors.isMissing(session, membership);
    const passwordChange = this.signIns.findRequiredChange(session);
    return presentSession(session, { named, timeZone, passwordChange, isSecondFactorMissing });
  }

  /** Disabled accounts are left out: the API refuses all requests for them. */
  async #listAccounts({ user }: PortalSession): Promise<readonly NamedAccount[]> {
    if (user.isOperator) {
      const all = await this.database.readSystem((reader) => listAdministeredAccounts(reader, '', ACCOUNTS_MAX));
      return all.filter(({ status }) => status === 'Active');
    }
    const ids = [...new Set(user.memberships.map(({ accountId }) => accountId))];
    const found = await Promise.all(
      ids.map((accountId) => this.database.read({ accountId, environment: 'sandbox' }, findAdministeredAccount)),
    );
    return found.flatMap((account) => (account?.status === 'Active' ? [account] : []));
  }
}

/**
 * Presents a session with the accounts where its user may work, of those that there are, and the time zone of the chosen
 * one.
 */
function presentSession(
  session: PortalSession,
  {
    named,
    timeZone,
    passwordChange,
    isSecondFactorMissing,
  }: {
    readonly named: readonly NamedAccount[];
    readonly timeZone: string;
    readonly passwordChange: PasswordChangeReason | null;
    readonly isSecondFactorMissing: boolean;
  },
): rest.PortalSession {
  const { user, chosen, expiresAt } = session;
  const { id, email, name, isOperator } = user;
  const memberships: readonly PortalMembership[] = isOperator
    ? named.flatMap((account) =>
        ENVIRONMENTS.map((environment) => ({ accountId: account.id, environment, role: 'operator' as const })),
      )
    : user.memberships;
  const accounts = memberships.flatMap(({ accountId, environment, role }) => {
    const account = named.find((each) => each.id === accountId);
    return account === undefined ? [] : [{ accountId, tradingName: account.tradingName, environment, role }];
  });
  const current = accounts.find(
    ({ accountId, environment }) => accountId === chosen?.accountId && environment === chosen.environment,
  );
  return {
    user: { id, email, name, isOperator },
    accounts,
    ...(current !== undefined && {
      current: { ...current, permissions: [...PORTAL_PERMISSIONS[current.role]], timeZone },
    }),
    expiresAt: presentMoment(expiresAt),
    ...(passwordChange !== null && { passwordChange }),
    isReauthenticated: isReauthenticated(session),
    isSecondFactorMissing,
  };
}
