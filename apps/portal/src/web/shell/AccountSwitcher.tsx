import { useMessages } from '@pos/web-ui/messages';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery, useWorkingAccount } from '../client/session-query.js';
import classes from './account-switcher.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';
import { useAccountChoice } from './use-account-choice.js';

/** Shows the account and the environment, and switches to another one. */
export function AccountSwitcher(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { accountId, environment, tradingName } = useWorkingAccount();
  const navigate = useNavigate();
  const choice = useAccountChoice();
  return (
    <div className={classes['switcher']}>
      <label className={classes['label']} htmlFor="account">
        {text('account')}
      </label>
      {/* The value of a select cannot wrap, so its text is shown by an element below it. */}
      <div className={classes['chosen']}>
        <span aria-hidden="true" className={classes['name']}>
          {tradingName} · {text(environment)}
        </span>
        <select
          id="account"
          className={classes['select']}
          value={`${accountId}/${environment}`}
          onChange={({ target }) => {
            const chosen = session?.accounts.find((each) => `${each.accountId}/${each.environment}` === target.value);
            // A payment of one account is unknown in another, so the list is shown.
            if (chosen !== undefined) choice.mutate(chosen, { onSuccess: () => void navigate({ to: '/' }) });
          }}
        >
          {session?.accounts.map((each) => (
            <option key={`${each.accountId}/${each.environment}`} value={`${each.accountId}/${each.environment}`}>
              {each.tradingName} · {text(each.environment)}
            </option>
          ))}
        </select>
      </div>
      <span className={`${classes['environment']} ${classes[environment]}`}>
        {environment === 'sandbox' ? text('environmentNote') : text('production')}
      </span>
    </div>
  );
}
