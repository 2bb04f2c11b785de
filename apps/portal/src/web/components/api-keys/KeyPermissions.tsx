import { NAMED_PERMISSIONS, type NamedPermission, type Role, ROLE_NAMES } from '@pos/core/identity';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useId } from 'react';
import { Choice } from '../Choice.js';
import { KEY_PERMISSION_MESSAGES } from './key-permission-messages.js';
import group from '../choice-group.module.css';
import classes from './key-permissions.module.css';

/** What a new API key may do. */
export interface KeyPermissionChoice {
  readonly role: Role;
  /** Permissions that no role has. */
  readonly grants: readonly NamedPermission[];
}

export const FULL_ROLE: KeyPermissionChoice = { role: 'full', grants: [] };

interface KeyPermissionsProps {
  readonly chosen: KeyPermissionChoice;
  readonly onChange: (chosen: KeyPermissionChoice) => void;
}

/** The role of a new API key, and a tick box for each permission that no role has. */
export function KeyPermissions({ chosen: { role, grants }, onChange }: KeyPermissionsProps): ReactNode {
  const text = useMessages(KEY_PERMISSION_MESSAGES);
  const id = useId();
  return (
    <>
      <Choice
        label={text('role')}
        value={role}
        options={ROLE_NAMES.map((each) => [each, text(each)])}
        onChange={(other) => onChange({ role: other, grants })}
      />
      <fieldset className={group['group']}>
        <legend>{text('grants')}</legend>
        {NAMED_PERMISSIONS.map((permission) => (
          <div key={permission} className={classes['grant']}>
            <input
              id={`${id}-${permission}`}
              type="checkbox"
              aria-describedby={`${id}-${permission}-help`}
              checked={grants.includes(permission)}
              onChange={({ target }) => {
                const granted = new Set<NamedPermission>(grants);
                if (target.checked) granted.add(permission);
                else granted.delete(permission);
                onChange({ role, grants: [...granted] });
              }}
            />
            <div>
              <label htmlFor={`${id}-${permission}`}>
                {text(permission)} <code className={classes['name']}>{permission}</code>
              </label>
              <p id={`${id}-${permission}-help`} className={classes['help']}>
                {text(`${permission}.help`)}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
    </>
  );
}
