import { expect, test } from '@jest/globals';
import { requirePermission } from '../accounts/caller.js';
import { PORTAL_PERMISSIONS } from './portal-role.js';
import {
  includesRole,
  NAMED_PERMISSIONS,
  parsePermissions,
  type Permission,
  ROLE_NAMES,
  ROLES,
} from './permissions.js';
import { getOutcome } from '../testing/builders.js';

test('no role but the one for the PCI host touches card numbers', () => {
  const withCards = Object.entries(ROLES).filter(([, permissions]) => parsePermissions(permissions).has('setup.card'));
  expect(withCards.map(([role]) => role)).toEqual(['pci']);
});

test('no role has a permission that is granted by name, so no key of a role changes what payers see', () => {
  const inRoles = Object.values(ROLES).flatMap((permissions) => [...parsePermissions(permissions)]);
  expect(NAMED_PERMISSIONS.filter((permission) => inRoles.includes(permission))).toEqual([]);
});

test('a read-only key writes nothing', () => {
  expect(ROLES['read-only'].join(' ')).toMatchInlineSnapshot(
    `"payments.read setup.read customers.read webhooks.read terminals.read transactions.read epos.read activities.read bookings.read branding.read"`,
  );
});

test('each role includes what it did when its keys were created', () => {
  const sizes = Object.entries(ROLES).map(([role, permissions]) => `${role} ${permissions.length}`);
  expect(sizes.join(', ')).toMatchInlineSnapshot(
    `"full 26, read-only 10, terminal-only 6, webhooks-only 2, epos-only 5, gateway 8, machines-only 1, pci 27"`,
  );
});

test.each([
  ['full', ROLES.full, true],
  ['pci', ROLES.pci, true],
  ['gateway', ROLES.gateway, false],
  ['full but for one', ROLES.full.slice(1), false],
  ['nothing', [], false],
])('who has the permissions of %s has the role full: %s %s', (_, permissions, is) => {
  expect(includesRole(new Set(permissions), 'full')).toBe(is);
});

test.each([
  ['admin', true],
  ['operator', true],
  ['developer', false],
  ['support', false],
  ['viewer', false],
] as const)('%s of the portal may let a key change the look: %s', (role, may) => {
  expect(new Set<Permission>(PORTAL_PERMISSIONS[role]).has('branding.write')).toBe(may);
});

test('every role can be named', () => {
  expect([...ROLE_NAMES].sort()).toEqual(Object.keys(ROLES).sort());
});

test('a permission that is unknown to this release grants nothing', () => {
  expect([...parsePermissions(['payments.read', 'payments.*', 'everything', ''])]).toEqual(['payments.read']);
});

test.each([
  ['payments.refund', 'permission_missing'],
  ['payments.read', 'done'],
] as const)('a read-only key asked for %s: %s', (permission, then) => {
  const permissions = parsePermissions(ROLES['read-only']);
  expect(getOutcome(() => requirePermission({ permissions }, permission))).toBe(then);
});
