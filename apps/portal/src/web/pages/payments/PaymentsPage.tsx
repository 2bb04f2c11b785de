import { Button } from '@pos/web-ui/components/button';
import { EmptyState } from '@pos/web-ui/components/page-state';
import { formatMoney } from '@pos/web-ui/format/format-money';
import { formatMoment } from '@pos/web-ui/format/format-time';
import { useLanguage, useMessages } from '@pos/web-ui/messages/language-context';
import type { PaymentAnswer } from '../../client/answers.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { searchPaymentIntents } from '../../client/endpoints.js';
import { PAYMENTS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { formatCard } from './card-text.js';
import { downloadPayments } from './payment-export.js';
import { PaymentFilter } from './payment-filter.js';
import { PaymentFilters } from './PaymentFilters.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import { PaymentStatusBadge } from './PaymentStatusBadge.js';
import classes from './payments-page.module.css';

const PAGE_SIZE = 50;

/** The payments of the account, newest first. */
export function PaymentsPage(): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const navigate = useNavigate();
  const filter = PaymentFilter.parse(useSearch({ strict: false }));
  const query = useQuery({
    queryKey: [PAYMENTS, filter],
    queryFn: ({ signal }) =>
      callOperation(searchPaymentIntents, { body: PaymentFilter.toSearch(filter, PAGE_SIZE), signal }),
    placeholderData: keepPreviousData,
  });
  const show = (change: PaymentFilter): void => void navigate({ to: '/payments', search: change });
  return (
    <>
      <PageHeader title={text('payments')}>
        <Button onClick={() => void downloadPayments(filter)}>{text('exportCsv')}</Button>
      </PageHeader>
      <PaymentFilters filter={filter} onChange={show} />
      <QueryBoundary query={query} rows={10}>
        {({ data, before, after }) =>
          data.length === 0 ? (
            <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
          ) : (
            <>
              <PaymentTable payments={data} />
              <nav className={classes['pages']} aria-label={text('payments')}>
                <Button
                  disabled={before === null}
                  onClick={() => before !== null && show(turnPage(filter, { before }))}
                >
                  {text('newer')}
                </Button>
                <Button disabled={after === null} onClick={() => after !== null && show(turnPage(filter, { after }))}>
                  {text('older')}
                </Button>
              </nav>
            </>
          )
        }
      </QueryBoundary>
    </>
  );
}

function turnPage({ status, from, to }: PaymentFilter, cursor: Pick<PaymentFilter, 'before' | 'after'>): PaymentFilter {
  return {
    ...(status !== undefined && { status }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...cursor,
  };
}

function PaymentTable({ payments }: { payments: readonly PaymentAnswer[] }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const language = useLanguage();
  const columns = [
    { name: text('amount'), isNumber: true },
    { name: text('status') },
    { name: text('reference') },
    { name: text('card') },
    { name: text('source') },
    { name: text('created') },
  ];
  return (
    <DataTable label={text('payments')} columns={columns}>
      {payments.map(({ id, totalAmount, status, reference, paymentDetails, paymentSource, createdAt }) => (
        <tr key={id}>
          <td className={classes['amount']}>
            <Link to="/payments/$id" params={{ id }}>
              {formatMoney(totalAmount, language)}
            </Link>
          </td>
          <td>
            <PaymentStatusBadge status={status} />
          </td>
          <td className={classes['reference']}>{reference}</td>
          <td>{paymentDetails === undefined ? '–' : formatCard(paymentDetails.card)}</td>
          <td>{text(paymentSource)}</td>
          <td>{formatMoment(createdAt, language)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
