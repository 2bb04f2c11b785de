import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { OwnerAnswer } from './administration-answers.js';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';
import classes from './administration.module.css';

/** Whose row it is: an account's, or the service's, which has no name. */
export function Owner({ owner: { accountId, tradingName, environment } }: { owner: OwnerAnswer }): ReactNode {
  const text = useMessages(ADMINISTRATION_MESSAGES);
  return (
    <span className={classes['owner']}>
      <span>{accountId === SYSTEM_ACCOUNT_ID ? text('service') : tradingName}</span>
      <span className={classes['minor']}>{text(environment)}</span>
    </span>
  );
}
