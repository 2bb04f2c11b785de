import { Button, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listAdministeredUsers } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { USER_MESSAGES } from './user-messages.js';
import { CreateUserDialog, type UserChange, UserChangeDialog } from './UserDialogs.js';
import { UserTable } from './UserTable.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** The users of the portal. */
export function UsersPage(): ReactNode {
  const text = useMessages(USER_MESSAGES);
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<UserChange | null>(null);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'users'],
    queryFn: ({ signal }) => callOperation(listAdministeredUsers, { signal }),
  });
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {text('create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={text('users')} intro={text('intro')}>
        {create}
      </PageHeader>
      <QueryBoundary query={query}>
        {(users) =>
          users.length === 0 ? (
            <EmptyState title={text('noneTitle')} action={create}>
              {text('noneText')}
            </EmptyState>
          ) : (
            <UserTable users={users} onChange={setChange} />
          )
        }
      </QueryBoundary>
      {isCreating && <CreateUserDialog onClose={() => setCreating(false)} />}
      {change !== null && <UserChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}
