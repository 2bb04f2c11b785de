import type { AccountId } from '@pos/core/identity/identity';
import { ENVIRONMENTS } from '@pos/core/identity/identity';
import { PORTAL_PERMISSIONS, type PortalMembership } from '@pos/core/identity/portal-role';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import type * as rest from '@pos/rest-contracts/portal/portal-session';
import type { PasswordChangeReason } from '@pos/core/identity/password-rules';
import type { PortalSession } from '@pos/store/portal/portal-sessions';
import { isReauthenticated } from './portal-sessions.js';

/** An account that is active, by its name for payers. */
export interface NamedAccount {
  readonly id: AccountId;
  readonly tradingName: string;
}

/**
 * Presents a session with the accounts where its user may work, of those that there are, and the time zone of the chosen
 * one.
 */
export function presentSession(
  session: PortalSession,
  {
    named,
    timeZone,
    passwordChange,
  }: {
    readonly named: readonly NamedAccount[];
    readonly timeZone: string;
    readonly passwordChange: PasswordChangeReason | null;
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
  };
}
