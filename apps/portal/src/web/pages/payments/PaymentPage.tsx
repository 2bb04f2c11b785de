import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import type { PaymentAnswer } from '../../client/answers.js';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS } from '../../client/queries.js';
import { BackLink } from '../../components/BackLink.js';
import { Card, Facts } from '../../components/Card.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { formatCard } from './card-text.js';
import { PaymentActions } from './PaymentActions.js';
import { PaymentMoney } from './PaymentMoney.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import classes from './payment-page.module.css';
import { PaymentStatusBadge } from './PaymentStatusBadge.js';
import { PaymentTimeline } from './PaymentTimeline.js';

/** One payment: its money, its history, and what can be done with it. */
export function PaymentPage(): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [PAYMENTS, id],
    queryFn: ({ signal }) =>
      callOperation(readPaymentIntent, { params: { paymentIntentId: id }, query: { returnCanceled: true }, signal }),
  });
  return (
    <>
      <BackLink to="/payments">{text('back')}</BackLink>
      <QueryBoundary query={query}>{(payment) => <Payment payment={payment} />}</QueryBoundary>
    </>
  );
}

function Payment({ payment }: { payment: PaymentAnswer }): ReactNode {
  const language = useLanguage();
  const { totalAmount, status, reference } = payment;
  const amount = formatMoney(totalAmount, language);
  return (
    <>
      <header className={classes['header']}>
        <title>{`${amount} · ${reference}`}</title>
        <div>
          <h1 className={classes['title']}>
            {amount} <PaymentStatusBadge status={status} />
          </h1>
          <p className={classes['reference']}>{reference}</p>
        </div>
        <PaymentActions payment={payment} />
      </header>
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <PaymentMoney payment={payment} />
          <PaymentTimeline paymentIntentId={payment.id} />
        </div>
        <PaymentFacts payment={payment} />
      </div>
    </>
  );
}

function PaymentFacts({ payment }: { payment: PaymentAnswer }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const language = useLanguage();
  const { id, captureMode, paymentSource, paymentDetails, customer, createdAt, updatedAt, expireAt, status } = payment;
  const facts: (readonly [string, ReactNode])[] = [
    [text('id'), <code key="id">{id}</code>],
    [text('source'), text(paymentSource)],
    [text('captureMode'), text(captureMode)],
    ...(paymentDetails === undefined
      ? []
      : [
          [text('card'), formatCard(paymentDetails.card)] as const,
          [text('authCode'), paymentDetails.authCode] as const,
        ]),
    ...(customer?.emailAddress === undefined ? [] : [[text('payer'), customer.emailAddress] as const]),
    [text('created'), formatMoment(createdAt, language)],
    [text('updated'), formatMoment(updatedAt, language)],
    ...(status === 'Created' ? [[text('expires'), formatMoment(expireAt, language)] as const] : []),
  ];
  return (
    <Card title={text('details')}>
      <Facts facts={facts} />
    </Card>
  );
}
