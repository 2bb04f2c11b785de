import { PORTAL_PERMISSIONS, type PortalMembership } from './portal-role.js';
import type { Permission } from './permissions.js';

/** Where a second factor is required beyond the accounts that require it. */
export const SECOND_FACTOR_MODES = ['required', 'optional'] as const;
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** What a user of the portal must hold to return money: refunds, machines that refund, and decided payments. */
const RETURNING: ReadonlySet<Permission> = new Set<Permission>([
  'payments.refund',
  'terminals.sessions',
  'tables.operate',
]);

/**
 * Whether a user may work there only after a second factor: operators of the service everywhere, and in production each
 * role that may return money. `membership` is where the user works; null for what concerns no account.
 */
export function needsSecondFactor(
  mode: SecondFactorMode,
  user: { readonly isOperator: boolean },
  membership: Pick<PortalMembership, 'environment' | 'role'> | null,
): boolean {
  if (mode === 'optional') return false;
  if (user.isOperator) return true;
  if (membership?.environment !== 'production') return false;
  return PORTAL_PERMISSIONS[membership.role].some((each: Permission) => RETURNING.has(each));
}
