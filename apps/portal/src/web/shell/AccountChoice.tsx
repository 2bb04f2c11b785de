import type { SessionAnswer } from '../client/answers.js';
import { Badge, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import classes from './account-choice.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';
import { useAccountChoice } from './use-account-choice.js';

/** Asks for the account after a sign-in with several. */
export function AccountChoice({ session }: { session: SessionAnswer }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const choice = useAccountChoice();
  if (session.accounts.length === 0) {
    return (
      <main className={classes['page']}>
        <EmptyState title={text('noAccountTitle')}>{text('noAccountText')}</EmptyState>
      </main>
    );
  }
  return (
    <main className={classes['page']}>
      <h1>{text('chooseTitle')}</h1>
      <p className={classes['hint']}>{text('chooseText')}</p>
      <ul className={classes['list']}>
        {session.accounts.map((each) => (
          <li key={`${each.accountId}/${each.environment}`}>
            <button type="button" className={classes['account']} onClick={() => choice.mutate(each)}>
              <span>{each.tradingName}</span>
              <Badge tone={each.environment === 'production' ? 'positive' : 'attention'}>
                {text(each.environment)}
              </Badge>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
