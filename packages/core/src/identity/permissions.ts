/** What an API key may be allowed to do. */
export const PERMISSIONS = [
  'payments.read',
  'payments.write',
  'payments.online',
  'payments.capture',
  'payments.refund',
  'payments.charge',
  'setup.read',
  'setup.write',
  'setup.card',
  'customers.read',
  'customers.write',
  'webhooks.read',
  'webhooks.write',
  'terminals.read',
  'terminals.sessions',
  'transactions.read',
  'epos.read',
  'epos.write',
  'epos.connect',
  'tables.use',
  'tables.operate',
  'machines.connect',
  'tester.run',
  'activities.read',
  'bookings.read',
  'bookings.write',
  'branding.read',
  'branding.write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** In no role, so a key has them by name only: with a lost key of a role nobody changes what payers see. */
export const NAMED_PERMISSIONS = ['branding.write'] as const satisfies readonly Permission[];
export type NamedPermission = (typeof NAMED_PERMISSIONS)[number];

const ROLE_PERMISSIONS = PERMISSIONS.filter((permission) => permission !== 'branding.write');

/** Presets: a key stores the list, not the name, so a later change of a role changes no key. */
export const ROLES = {
  full: ROLE_PERMISSIONS.filter((permission) => permission !== 'setup.card'),
  'read-only': ROLE_PERMISSIONS.filter((permission) => permission.endsWith('.read')),
  'terminal-only': [
    'payments.read',
    'payments.write',
    'payments.refund',
    'terminals.read',
    'terminals.sessions',
    'transactions.read',
  ],
  'webhooks-only': ['webhooks.read', 'webhooks.write'],
  'epos-only': ['epos.read', 'epos.write', 'epos.connect', 'payments.read', 'tester.run'],
  gateway: [
    'tables.use',
    'tables.operate',
    'terminals.read',
    'terminals.sessions',
    'payments.read',
    'payments.write',
    'payments.refund',
    'epos.read',
  ],
  /** For the key inside card machines: it opens their streams, and nothing else. */
  'machines-only': ['machines.connect'],
  pci: ROLE_PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = [
  'full',
  'read-only',
  'terminal-only',
  'webhooks-only',
  'epos-only',
  'gateway',
  'machines-only',
  'pci',
] as const satisfies readonly Role[];

/** Whether these include all that a role has. */
export function includesRole(permissions: ReadonlySet<Permission>, role: Role): boolean {
  return ROLES[role].every((permission) => permissions.has(permission));
}

/** Parses a stored list; a name that is unknown to this release grants nothing. */
export function parsePermissions(names: readonly string[]): ReadonlySet<Permission> {
  return new Set(PERMISSIONS.filter((permission) => names.includes(permission)));
}
