import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { SessionAnswer } from '../../client/answers.js';
import classes from './password-change.module.css';
import { PasswordForm } from '../profile/PasswordForm.js';
import { PROFILE_MESSAGES } from '../profile/profile-messages.js';
import { GateSignOut } from './GateSignOut.js';

interface PasswordChangePageProps {
  readonly user: SessionAnswer['user'];
  readonly reason: NonNullable<SessionAnswer['passwordChange']>;
}

/** What a user sees who must change the password before anything else. */
export function PasswordChangePage({ user, reason }: PasswordChangePageProps): ReactNode {
  const text = useMessages(PROFILE_MESSAGES);
  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <title>{text('changeTitle')}</title>
        <h1 className={classes['title']}>{text('changeTitle')}</h1>
        <p className={classes['text']}>{text(reason)}</p>
        <PasswordForm email={user.email} />
        <GateSignOut />
      </div>
    </main>
  );
}
