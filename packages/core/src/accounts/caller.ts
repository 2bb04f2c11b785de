import type { ApiKeyId, PortalUserId, Scope } from '../identity/identity.js';
import type { Partners } from './partner-headers.js';
import type { Permission } from '../identity/permissions.js';
import { Refusal } from '../refusals/refusal.js';

/** The caller of a request: the key's tenant and permissions, and what came with the request. */
export interface Caller extends Partners {
  readonly scope: Scope;
  readonly keyId: ApiKeyId;
  readonly permissions: ReadonlySet<Permission>;
  /** The user of the portal on whose behalf the request is made; left out for a request by an API key. */
  readonly actor?: PortalUserId;
  readonly traceId: string;
  readonly version: string;
}

/** Refuses a caller whose key lacks the permission. */
export function requirePermission(caller: Pick<Caller, 'permissions'>, permission: Permission): void {
  if (!caller.permissions.has(permission)) {
    throw new Refusal('permission_missing', `this key lacks the permission ${permission}`);
  }
}
