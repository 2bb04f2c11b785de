import { Button, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listAdministeredTerminals } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { type Target, TargetSearch } from '../target.js';
import { TargetChoice, useAccounts } from '../TargetChoice.js';
import { ADMINISTERED_TERMINAL_MESSAGES } from './terminal-messages.js';
import { RegisterDialog, type TerminalChange, TerminalChangeDialog } from './TerminalDialogs.js';
import { TerminalTable } from './TerminalTable.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** The card machines of an account. */
export function AdministeredTerminalsPage(): ReactNode {
  const text = useMessages(ADMINISTERED_TERMINAL_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const navigate = useNavigate();
  const [isRegistering, setRegistering] = useState(false);
  const accounts = useAccounts();
  const search = TargetSearch.parse(useSearch({ strict: false }));
  const { account, environment = 'production' } = search;
  const target = account === undefined ? null : { account, environment };
  const register =
    target === null ? null : (
      <Button kind="primary" onClick={() => setRegistering(true)}>
        {text('register')}
      </Button>
    );
  return (
    <>
      <PageHeader title={text('terminals')} intro={text('intro')}>
        {register}
      </PageHeader>
      <div className={classes['filters']}>
        <TargetChoice
          target={search}
          emptyLabel={shared('chooseAccount')}
          onChange={(chosen) => void navigate({ to: '/operations/terminals', search: chosen })}
        />
      </div>
      <QueryBoundary query={accounts}>
        {() =>
          target === null ? (
            <EmptyState title={text('chooseTitle')}>{text('chooseText')}</EmptyState>
          ) : (
            <Terminals key={`${target.account}/${environment}`} target={target} register={register} />
          )
        }
      </QueryBoundary>
      {isRegistering && target !== null && <RegisterDialog target={target} onClose={() => setRegistering(false)} />}
    </>
  );
}

function Terminals({ target, register }: { target: Target; register: ReactNode }): ReactNode {
  const text = useMessages(ADMINISTERED_TERMINAL_MESSAGES);
  const [change, setChange] = useState<TerminalChange | null>(null);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'terminals', target],
    queryFn: ({ signal }) => callOperation(listAdministeredTerminals, { query: target, signal }),
  });
  return (
    <>
      <QueryBoundary query={query}>
        {(terminals) =>
          terminals.length === 0 ? (
            <EmptyState title={text('noneTitle')} action={register}>
              {text('noneText')}
            </EmptyState>
          ) : (
            <TerminalTable terminals={terminals} onChange={setChange} />
          )
        }
      </QueryBoundary>
      {change !== null && <TerminalChangeDialog change={change} target={target} onClose={() => setChange(null)} />}
    </>
  );
}
