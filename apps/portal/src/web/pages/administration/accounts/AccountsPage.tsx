import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { ACCOUNT_MESSAGES } from './account-messages.js';
import type { AccountAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { CreateAccountDialog } from './CreateAccountDialog.js';
import { useAccounts } from '../TargetChoice.js';

/** All accounts of the service. */
export function AccountsPage(): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const [isCreating, setCreating] = useState(false);
  const [search, setSearch] = useState('');
  const query = useAccounts();
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {text('create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={text('accounts')}>{create}</PageHeader>
      <div className={classes['filters']}>
        <label className={classes['choice']}>
          {text('search')}
          <input
            type="search"
            value={search}
            placeholder={text('searchHint')}
            onChange={({ target }) => setSearch(target.value)}
          />
        </label>
      </div>
      <QueryBoundary query={query} rows={8}>
        {(accounts) =>
          accounts.length === 0 ? (
            <EmptyState title={text('noneTitle')} action={create}>
              {text('noneText')}
            </EmptyState>
          ) : (
            <AccountTable accounts={accounts.filter((account) => isFound(account, search))} />
          )
        }
      </QueryBoundary>
      {isCreating && <CreateAccountDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function isFound({ id, name, tradingName, merchantId }: AccountAnswer, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [id, name, tradingName, merchantId].some((each) => each.toLowerCase().includes(wanted));
}

function AccountTable({ accounts }: { accounts: readonly AccountAnswer[] }): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const language = useLanguage();
  if (accounts.length === 0) return <EmptyState title={text('noneFound')}>{text('noneFoundText')}</EmptyState>;
  const columns = (['tradingName', 'name', 'merchantId', 'currencies', 'status', 'created'] as const).map((name) => ({
    name: text(name),
  }));
  return (
    <DataTable label={text('accounts')} columns={columns}>
      {accounts.map(({ id, name, tradingName, merchantId, currencies, status, createdAt }) => (
        <tr key={id}>
          <td>
            <Link to="/operations/accounts/$id" params={{ id }}>
              {tradingName}
            </Link>
          </td>
          <td>{name}</td>
          <td>
            <code>{merchantId}</code>
          </td>
          <td>{currencies.join(', ')}</td>
          <td>
            <Badge tone={status === 'Active' ? 'positive' : 'negative'}>{text(status)}</Badge>
          </td>
          <td>{formatMoment(createdAt, language)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
