import { usePermission, useWorkingAccount } from '../../client/session-query.js';
import { Button, EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { searchPaymentIntents } from '@pos/rest-contracts/payment-intents';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS } from '../../client/queries.js';
import { PageHeader } from '../../components/PageHeader.js';
import { PagedList } from '../../components/PagedList.js';
import { downloadPayments } from './payment-export.js';
import { PaymentFilter } from './payment-filter.js';
import { PaymentFilters } from './PaymentFilters.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import { PaymentTable } from './PaymentTable.js';
import { SavedViews } from './SavedViews.js';

const PAGE_SIZE = 50;

/** The payments of the account, newest first. */
export function PaymentsPage(): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const navigate = useNavigate();
  const mayCreate = usePermission('payments.write');
  const filter = PaymentFilter.parse(useSearch({ strict: false }));
  const { timeZone } = useWorkingAccount();
  const query = useQuery({
    queryKey: [PAYMENTS, filter, timeZone],
    queryFn: ({ signal }) =>
      callOperation(searchPaymentIntents, {
        body: PaymentFilter.toSearch(filter, { limit: PAGE_SIZE, timeZone }),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const show = (change: PaymentFilter): void => void navigate({ to: '/payments', search: change });
  return (
    <>
      <PageHeader title={text('payments')}>
        <Button onClick={() => void downloadPayments(filter, { timeZone, endsEarly: text('exportEndsEarly') })}>
          {text('exportCsv')}
        </Button>
      </PageHeader>
      <SavedViews filter={filter} onChoose={show} />
      <PaymentFilters filter={filter} onChange={show} />
      <PagedList
        query={query}
        rows={10}
        label={text('payments')}
        empty={
          <EmptyState
            title={text('noneTitle')}
            action={mayCreate && <Link to="/payment-links">{text('createLink')}</Link>}
          >
            {text('noneText')}
          </EmptyState>
        }
        onTurn={(cursor) => show({ ...PaymentFilter.toView(filter), ...cursor })}
      >
        {(elements) => <PaymentTable payments={elements} />}
      </PagedList>
    </>
  );
}
