import type { AccountId, Environment } from './identity.js';
import { type Permission, ROLES } from './permissions.js';

/** What a user of the portal may be in one environment of one account. */
export const MEMBER_ROLES = ['viewer', 'support', 'developer', 'admin'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The role in which a user works: an operator is one in all accounts. */
export const PORTAL_ROLES = [...MEMBER_ROLES, 'operator'] as const;
export type PortalRole = (typeof PORTAL_ROLES)[number];

const READING = ROLES['read-only'];

/**
 * What the API permits a user of each role. `setup.card` is in none: the portal never sends a card number. API keys
 * need all permissions of `full`, so an admin or an operator creates them. Who changes the look in the portal may let a
 * key do so too.
 */
export const PORTAL_PERMISSIONS = {
  viewer: READING,
  support: [
    ...READING,
    'payments.write',
    'payments.capture',
    'payments.refund',
    'terminals.sessions',
    'bookings.write',
  ],
  developer: [...READING, 'payments.write', 'payments.online', 'webhooks.write', 'epos.write', 'tester.run'],
  admin: [...ROLES.full, 'branding.write'],
  operator: [...ROLES.full, 'branding.write'],
} as const satisfies Record<PortalRole, readonly Permission[]>;

/** One environment of one account, and the role in which a user works there. */
export interface PortalMembership {
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly role: PortalRole;
}

/** The role of a user in one environment of one account; null for none. */
export function findPortalRole(
  { isOperator, memberships }: { readonly isOperator: boolean; readonly memberships: readonly PortalMembership[] },
  { accountId, environment }: Omit<PortalMembership, 'role'>,
): PortalRole | null {
  if (isOperator) return 'operator';
  return memberships.find((each) => each.accountId === accountId && each.environment === environment)?.role ?? null;
}

/** A disabled user cannot sign in. */
export type PortalUserStatus = 'Active' | 'Disabled';
