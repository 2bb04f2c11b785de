import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { signOut } from '../../client/endpoints.js';
import { SESSION } from '../../client/queries.js';
import classes from './password-change.module.css';
import { PasswordForm } from './PasswordForm.js';
import { PROFILE_MESSAGES } from './profile-messages.js';

interface PasswordChangePageProps {
  readonly user: SessionAnswer['user'];
  readonly reason: NonNullable<SessionAnswer['passwordChange']>;
}

/** What a user sees who must change the password before anything else. */
export function PasswordChangePage({ user, reason }: PasswordChangePageProps): ReactNode {
  const text = useMessages(PROFILE_MESSAGES);
  const client = useQueryClient();
  const leaving = useMutation({
    mutationFn: () => callOperation(signOut, {}),
    onSuccess: () => client.setQueryData([SESSION], null),
  });
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <title>{text('changeTitle')}</title>
        <h1 className={classes['title']}>{text('changeTitle')}</h1>
        <p className={classes['text']}>{text(reason)}</p>
        <PasswordForm email={user.email} />
        <div>
          <Button kind="quiet" isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
            {text('signOut')}
          </Button>
        </div>
      </div>
    </main>
  );
}
