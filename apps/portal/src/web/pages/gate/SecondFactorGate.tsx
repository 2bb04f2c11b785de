import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { signOut } from '../../client/endpoints.js';
import { SESSION } from '../../client/queries.js';
import { FactorSections } from '../security/FactorSections.js';
import { AccountSwitcher } from '../../shell/AccountSwitcher.js';
import { FACTOR_MESSAGES } from '../../shell/factor-messages.js';
import classes from './second-factor-gate.module.css';
import { SHELL_MESSAGES } from '../../shell/shell-messages.js';

/** In place of the pages, for a user who needs a second factor there and has given none. */
export function SecondFactorGate({ session }: { session: SessionAnswer }): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  const shell = useMessages(SHELL_MESSAGES);
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => callOperation(signOut, {}),
    onSuccess: () => client.setQueryData([SESSION], null),
    onError: () => client.invalidateQueries({ queryKey: [SESSION] }),
  });
  return (
    <main className={classes['page']}>
      <h1 className={classes['title']}>{text('gateTitle')}</h1>
      <p className={classes['text']}>{text('gateText')}</p>
      <FactorSections />
      {session.current !== undefined && !session.user.isOperator && session.accounts.length > 1 && <AccountSwitcher />}
      <div>
        <Button kind="quiet" isBusy={ending.isPending} onClick={() => ending.mutate()}>
          {shell('signOut')}
        </Button>
      </div>
    </main>
  );
}
