import { expect, test } from '@jest/globals';
import { ROLE_NAMES, ROLES } from '@pos/core/identity';
import { findKeyRole } from './key-role.js';

test.each(ROLE_NAMES)('a key of the role %s is shown with this role, in any order of its permissions', (role) => {
  expect(findKeyRole([...ROLES[role]].reverse())).toEqual({ role, grants: [] });
});

test('a permission that no role has is shown beside the role', () => {
  expect(findKeyRole([...ROLES['read-only'], 'branding.write'])).toEqual({
    ...{ role: 'read-only', grants: ['branding.write'] },
  });
});

test.each([
  { says: 'one permission less than a role', permissions: ROLES['webhooks-only'].slice(1) },
  { says: 'one permission more than a role', permissions: [...ROLES['webhooks-only'], 'payments.read' as const] },
  { says: 'no permission', permissions: [] },
])('a key is shown without a role when it has $says', ({ permissions }) => {
  expect(findKeyRole(permissions)).toEqual({ role: null, grants: [] });
});
