import { useMessages } from '@pos/web-ui/messages';
import { searchPaymentIntents } from '@pos/rest-contracts/payment-intents';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS } from '../../client/queries.js';
import type { PageSearch } from '../../components/page-search.js';
import { PagedList } from '../../components/PagedList.js';
import { PAYMENT_STATUSES } from '../payments/payment-filter.js';
import { PaymentTable } from '../payments/PaymentTable.js';
import { CUSTOMER_MESSAGES } from './customer-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './customers.module.css';

const PAGE_SIZE = 20;

/** What a customer paid or should pay, newest first, charges of a saved card included. */
export function CustomerPayments({ customerId }: { customerId: string }): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const [cursor, setCursor] = useState<PageSearch>({});
  const query = useQuery({
    // A live event about a payment refreshes it.
    queryKey: [PAYMENTS, 'of-customer', customerId, cursor],
    queryFn: ({ signal }) =>
      callOperation(searchPaymentIntents, {
        body: { customerId, statuses: [...PAYMENT_STATUSES], cursor: { limit: PAGE_SIZE, ...cursor } },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <h2 className={parts['title']}>{text('payments')}</h2>
      <PagedList
        query={query}
        rows={4}
        label={text('payments')}
        empty={<p className={classes['muted']}>{text('noPayments')}</p>}
        onTurn={setCursor}
      >
        {(elements) => <PaymentTable payments={elements} />}
      </PagedList>
    </section>
  );
}
