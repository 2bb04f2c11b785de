import { useMessages } from '@pos/web-ui/messages';
import { readSignInOptions, listOwnSessions } from '@pos/rest-contracts/portal';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { OWN_SESSIONS, SIGN_IN_OPTIONS } from '../../client/queries.js';
import { sessionQuery } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { FactorSections } from '../security/FactorSections.js';
import { PasswordForm } from './PasswordForm.js';
import classes from './profile.module.css';
import { PROFILE_MESSAGES } from './profile-messages.js';
import { SessionTable } from './SessionTable.js';

/** The password, the second factors and the sessions of the user who is signed in. */
export function ProfilePage(): ReactNode {
  const text = useMessages(PROFILE_MESSAGES);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const query = useQuery({
    queryKey: [OWN_SESSIONS],
    queryFn: ({ signal }) => callOperation(listOwnSessions, { signal }),
  });
  const options = useQuery({
    queryKey: [SIGN_IN_OPTIONS],
    queryFn: ({ signal }) => callOperation(readSignInOptions, { signal }),
  });
  return (
    <>
      <PageHeader title={text('profile')} intro={text('intro')} />
      <div className={classes['page']}>
        {options.data?.acceptsPasswords !== false && (
          <Card title={text('changeTitle')}>
            <PasswordForm email={session?.user.email ?? ''} />
          </Card>
        )}
        <FactorSections />
        <Card title={text('sessions')}>
          <p className={classes['help']}>{text('sessionsHelp')}</p>
          <QueryBoundary query={query}>{(sessions) => <SessionTable sessions={sessions} />}</QueryBoundary>
        </Card>
      </div>
    </>
  );
}
