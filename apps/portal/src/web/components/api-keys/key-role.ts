import {
  NAMED_PERMISSIONS,
  type NamedPermission,
  type Permission,
  type Role,
  ROLE_NAMES,
  ROLES,
} from '@pos/core/identity';

/** What a key may do, as people chose it. */
export interface KeyRole {
  /** The role whose permissions it has; null when they are those of no role. */
  readonly role: Role | null;
  /** Permissions that no role has. */
  readonly grants: readonly NamedPermission[];
}

/** Finds the role of a key by its list of permissions: a key stores the list and not the role. */
export function findKeyRole(permissions: readonly Permission[]): KeyRole {
  const ofRole = new Set<Permission>(permissions.filter((each) => !isNamed(each)));
  const role = ROLE_NAMES.find(
    (name) => ROLES[name].length === ofRole.size && ROLES[name].every((permission) => ofRole.has(permission)),
  );
  return { role: role ?? null, grants: permissions.filter(isNamed) };
}

function isNamed(permission: Permission): permission is NamedPermission {
  return NAMED_PERMISSIONS.some((each) => each === permission);
}
