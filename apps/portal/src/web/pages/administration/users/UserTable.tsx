import { Badge, Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../../client/session-query.js';
import { DataTable } from '../../../components/DataTable.js';
import type { UserAnswer } from '../administration-answers.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { useAccounts } from '../TargetChoice.js';
import { USER_MESSAGES } from './user-messages.js';
import type { UserChange } from './UserDialogs.js';

interface UserTableProps {
  readonly users: readonly UserAnswer[];
  readonly onChange: (change: UserChange) => void;
}

/** Users with their roles, and what an operator may do with each. */
export function UserTable({ users, onChange }: UserTableProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const language = useLanguage();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const columns = (['name', 'status', 'lastSignIn', 'roles'] as const).map((name) => ({ name: text(name) }));
  return (
    <DataTable label={text('users')} columns={columns} hasActions>
      {users.map((user) => {
        const isSelf = user.id === session?.user.id;
        return (
          <tr key={user.id}>
            <td>
              <span className={classes['owner']}>
                <span>
                  {user.name}
                  {isSelf && ` (${text('you')})`}
                </span>
                <span className={classes['minor']}>{user.email}</span>
              </span>
            </td>
            <td>
              <Badge tone={user.status === 'Active' ? 'positive' : 'negative'}>{text(user.status)}</Badge>
              {user.lockedUntil !== undefined && (
                <>
                  {' '}
                  <Badge tone="attention">{text('locked')}</Badge>
                </>
              )}
            </td>
            <td>{user.lastSignInAt === undefined ? text('never') : formatMoment(user.lastSignInAt, language)}</td>
            <td>
              <Roles user={user} onChange={onChange} />
            </td>
            <td>
              {/* Below each other: beside them the table is wider than a page. */}
              {!isSelf && (
                <span className={classes['owner']}>
                  <UserButtons user={user} onChange={onChange} />
                </span>
              )}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

interface UserRowProps {
  readonly user: UserAnswer;
  readonly onChange: (change: UserChange) => void;
}

function Roles({ user, onChange }: UserRowProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const { data: accounts } = useAccounts();
  if (user.isOperator) return <Badge tone="attention">{text('operator')}</Badge>;
  if (user.roles.length === 0) return text('noRoles');
  return (
    <span className={classes['owner']}>
      {user.roles.map(({ accountId, environment, role }) => {
        const name = accounts?.find(({ id }) => id === accountId)?.tradingName ?? accountId;
        return (
          <span key={`${accountId}/${environment}`}>
            {text(role)}, {name}, {shared(environment)}{' '}
            <Button
              kind="quiet"
              aria-label={text('removeRoleOf', { name: `${name} (${shared(environment)})`, email: user.email })}
              onClick={() => onChange({ kind: 'removeRole', user, target: { account: accountId, environment } })}
            >
              {text('removeRole')}
            </Button>
          </span>
        );
      })}
    </span>
  );
}

/** Nobody disables the own user, so that one operator stays. */
function UserButtons({ user, onChange }: UserRowProps): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const status = user.status === 'Active' ? 'disable' : 'enable';
  const shared = [status, 'password', 'factors', 'endSessions'] as const;
  const kinds = [
    ...(user.isOperator ? [] : (['addRole'] as const)),
    ...(user.lockedUntil === undefined ? [] : (['unlock'] as const)),
    ...shared,
  ];
  return kinds.map((kind) => (
    <Button
      key={kind}
      kind="quiet"
      aria-label={text(`${kind}Of`, { email: user.email })}
      onClick={() => onChange({ kind, user })}
    >
      {text(kind)}
    </Button>
  ));
}
