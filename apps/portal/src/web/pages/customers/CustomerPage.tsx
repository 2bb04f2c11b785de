import { EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readCustomers } from '@pos/rest-contracts/accounts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CustomerAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { CUSTOMERS } from '../../client/queries.js';
import { BackLink } from '../../components/BackLink.js';
import { Card, Facts } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { CUSTOMER_MESSAGES } from './customer-messages.js';
import { CustomerPayments } from './CustomerPayments.js';
import classes from './customers.module.css';
import { SavedCards } from './SavedCards.js';

/** One customer: who they are, their saved cards, and what they paid. */
export function CustomerPage(): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [CUSTOMERS, id],
    queryFn: ({ signal }) => callOperation(readCustomers, { params: { customerId: id }, signal }),
  });
  return (
    <>
      <BackLink to="/customers">{text('back')}</BackLink>
      <QueryBoundary query={query}>
        {([customer]) =>
          customer === undefined ? (
            <EmptyState title={text('gone')}>{text('goneText')}</EmptyState>
          ) : (
            <>
              <PageHeader title={customer.name ?? customer.emailAddress ?? text('unnamed')} />
              <div className={classes['columns']}>
                <div className={classes['column']}>
                  <SavedCards customerId={id} />
                  <CustomerPayments customerId={id} />
                </div>
                <CustomerFacts customer={customer} />
              </div>
            </>
          )
        }
      </QueryBoundary>
    </>
  );
}

function CustomerFacts({ customer }: { customer: CustomerAnswer }): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const language = useLanguage();
  const { id, name, emailAddress, phoneNumber, vatNumber, billingAddress, shippingAddress } = customer;
  const facts: (readonly [string, ReactNode])[] = [
    [text('name'), name ?? '–'],
    [text('email'), emailAddress ?? '–'],
    [text('phone'), phoneNumber ?? '–'],
    ...(vatNumber === undefined ? [] : [[text('vat'), vatNumber] as const]),
    ...(billingAddress === undefined ? [] : [[text('billing'), <PostalAddress address={billingAddress} />] as const]),
    ...(shippingAddress === undefined
      ? []
      : [[text('shipping'), <PostalAddress address={shippingAddress} />] as const]),
    [text('created'), formatMoment(customer.createdAt, language)],
    [text('updated'), formatMoment(customer.updatedAt, language)],
    [text('id'), <code>{id}</code>],
  ];
  return (
    <Card title={text('details')}>
      <Facts facts={facts} />
    </Card>
  );
}

function PostalAddress({ address }: { address: NonNullable<CustomerAnswer['billingAddress']> }): ReactNode {
  const { address1, address2, address3, address4, locality, city, county, state, postcode, countryCode } = address;
  const lines = [address1, address2, address3, address4, locality, city, county, state, postcode, countryCode];
  return <span className={classes['address']}>{lines.filter((line) => line !== undefined).join('\n')}</span>;
}
