import { useMessages } from '@pos/web-ui/messages/language-context';
import type { ReactNode } from 'react';
import type { OwnerAnswer } from './administration-answers.js';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';
import classes from './administration.module.css';

/** Whose row it is. */
export function Owner({ owner: { tradingName, environment } }: { owner: OwnerAnswer }): ReactNode {
  const text = useMessages(ADMINISTRATION_MESSAGES);
  return (
    <span className={classes['owner']}>
      <span>{tradingName}</span>
      <span className={classes['minor']}>{text(environment)}</span>
    </span>
  );
}
