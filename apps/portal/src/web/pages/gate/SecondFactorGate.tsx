import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { SessionAnswer } from '../../client/answers.js';
import { FactorSections } from '../security/FactorSections.js';
import { AccountSwitcher } from '../../shell/AccountSwitcher.js';
import { FACTOR_MESSAGES } from '../../shell/factor-messages.js';
import { GateSignOut } from './GateSignOut.js';
import classes from './second-factor-gate.module.css';

/** In place of the pages, for a user who needs a second factor there and has given none. */
export function SecondFactorGate({ session }: { session: SessionAnswer }): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  return (
    <main className={classes['page']}>
      <h1 className={classes['title']}>{text('gateTitle')}</h1>
      <p className={classes['text']}>{text('gateText')}</p>
      <FactorSections />
      {session.current !== undefined && !session.user.isOperator && session.accounts.length > 1 && <AccountSwitcher />}
      <GateSignOut />
    </main>
  );
}
