import { Button, EmptyState, TextField } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { searchCustomers } from '@pos/rest-contracts/accounts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { CustomerAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { CUSTOMERS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { PagedList } from '../../components/PagedList.js';
import { CUSTOMER_MESSAGES } from './customer-messages.js';
import { CustomerSearch } from './customer-search.js';
import classes from './customers.module.css';

const PAGE_SIZE = 50;

/** The customers of the account, newest first. */
export function CustomersPage(): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const navigate = useNavigate();
  const search = CustomerSearch.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [CUSTOMERS, 'list', search],
    queryFn: ({ signal }) => callOperation(searchCustomers, { body: CustomerSearch.toBody(search, PAGE_SIZE), signal }),
    placeholderData: keepPreviousData,
  });
  const show = (change: CustomerSearch): void => void navigate({ to: '/customers', search: change });
  const term = search.text === undefined ? {} : { text: search.text };
  return (
    <>
      <PageHeader title={text('customers')} />
      <SearchForm key={search.text ?? ''} term={search.text ?? ''} onSearch={show} />
      <PagedList
        query={query}
        rows={8}
        label={text('customers')}
        empty={
          <EmptyState
            title={text(search.text === undefined ? 'noneTitle' : 'noMatchTitle')}
            action={
              search.text === undefined && (
                <Link to="/reference/operations/createCustomer">{text('showOperation')}</Link>
              )
            }
          >
            {text(search.text === undefined ? 'noneText' : 'noMatchText')}
          </EmptyState>
        }
        onTurn={(cursor) => show({ ...term, ...cursor })}
      >
        {(elements) => <CustomerTable customers={elements} />}
      </PagedList>
    </>
  );
}

function SearchForm({ term, onSearch }: { term: string; onSearch: (search: CustomerSearch) => void }): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const [value, setValue] = useState(term);
  return (
    <form
      role="search"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(CustomerSearch.parse({ text: value.trim() }));
      }}
    >
      <TextField
        label={text('searchLabel')}
        hint={text('searchHint')}
        type="search"
        maxLength={100}
        value={value}
        onValueChange={setValue}
      />
      <div className={classes['buttons']}>
        <Button type="submit">{text('search')}</Button>
        {term !== '' && (
          <Button kind="quiet" onClick={() => onSearch({})}>
            {text('clear')}
          </Button>
        )}
      </div>
    </form>
  );
}

function CustomerTable({ customers }: { customers: readonly CustomerAnswer[] }): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const language = useLanguage();
  const columns = ['name', 'email', 'phone', 'created'] as const;
  return (
    <DataTable label={text('customers')} columns={columns.map((name) => ({ name: text(name) }))}>
      {customers.map(({ id, name, emailAddress, phoneNumber, createdAt }) => (
        <tr key={id}>
          <td className={classes['text']}>
            <Link to="/customers/$id" params={{ id }}>
              {name ?? text('unnamed')}
            </Link>
          </td>
          <td className={classes['text']}>{emailAddress ?? '–'}</td>
          <td>{phoneNumber ?? '–'}</td>
          <td>{formatMoment(createdAt, language)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
