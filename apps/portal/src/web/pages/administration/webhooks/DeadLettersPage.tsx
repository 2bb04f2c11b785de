import { Button, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listDeadLetterAccounts } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { AccountDeadLetters } from './AccountDeadLetters.js';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { DEAD_LETTER_MESSAGES } from './dead-letter-messages.js';
import { Owner } from '../Owner.js';
import { type Target, TargetSearch, toTarget } from '../target.js';
import { TargetChoice } from '../TargetChoice.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** The accounts that have dead letters, or the dead letters of one. */
export function DeadLettersPage(): ReactNode {
  const text = useMessages(DEAD_LETTER_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const navigate = useNavigate();
  const target = TargetSearch.parse(useSearch({ strict: false }));
  const show = (search: Partial<Target>): void => void navigate({ to: '/operations/dead-letters', search });
  const { account, environment = 'production' } = target;
  return (
    <>
      <PageHeader title={text('deadLetters')} intro={text('intro')} />
      <div className={classes['filters']}>
        <TargetChoice target={target} emptyLabel={shared('allAccounts')} onChange={show} />
      </div>
      {account === undefined ? (
        <AllAccounts onShow={show} />
      ) : (
        <AccountDeadLetters key={`${account}/${environment}`} target={{ account, environment }} />
      )}
    </>
  );
}

function AllAccounts({ onShow }: { onShow: (target: Target) => void }): ReactNode {
  const text = useMessages(DEAD_LETTER_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'dead-letters'],
    queryFn: ({ signal }) => callOperation(listDeadLetterAccounts, { signal }),
  });
  const columns = [{ name: shared('account') }, { name: text('count'), isNumber: true }];
  return (
    <QueryBoundary query={query}>
      {(accounts) =>
        accounts.length === 0 ? (
          <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
        ) : (
          <DataTable label={text('deadLetters')} columns={columns} hasActions>
            {accounts.map((account) => (
              <tr key={`${account.accountId}/${account.environment}`}>
                <td>
                  <Owner owner={account} />
                </td>
                <NumberCell>{account.count}</NumberCell>
                <td>
                  <Button
                    kind="quiet"
                    aria-label={text('showOf', { name: account.tradingName })}
                    onClick={() => onShow(toTarget(account))}
                  >
                    {text('show')}
                  </Button>
                </td>
              </tr>
            ))}
          </DataTable>
        )
      }
    </QueryBoundary>
  );
}
