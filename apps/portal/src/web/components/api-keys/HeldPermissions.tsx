import type { Permission } from '@pos/core/identity';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { KEY_PERMISSION_MESSAGES } from './key-permission-messages.js';
import { findKeyRole } from './key-role.js';

/** The role of an API key, and what it may do beside it. */
export function HeldPermissions({ permissions }: { permissions: readonly Permission[] }): ReactNode {
  const text = useMessages(KEY_PERMISSION_MESSAGES);
  const { role, grants } = findKeyRole(permissions);
  return [role ?? text('permissionCount', { count: permissions.length }), ...grants].join(' + ');
}
