import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { PaymentAnswer } from '../../client/answers.js';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.js';
import { computeAmounts } from './payment-amounts.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import classes from './payment-money.module.css';

/** The amounts of a payment as bars of one scale. The numbers carry the meaning; the bars only repeat it. */
export function PaymentMoney({ payment }: { payment: PaymentAnswer }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const language = useLanguage();
  const { total, tips, captured, refunded, kept, held } = computeAmounts(payment);
  const { currencyCode } = payment.totalAmount;
  const rows = [
    { name: text('requested'), value: total, tone: 'neutral' },
    ...(tips > 0 ? [{ name: text('tips'), value: tips, tone: 'neutral' }] : []),
    { name: text('captured'), value: captured, tone: 'positive' },
    ...(refunded > 0 ? [{ name: text('refunded'), value: refunded, tone: 'attention' }] : []),
    ...(held > 0 ? [{ name: text('open'), value: held, tone: 'accent' }] : []),
    { name: text('kept'), value: kept, tone: 'positive' },
  ];
  return (
    <Card title={text('money')}>
      <dl className={classes['rows']}>
        {rows.map(({ name, value, tone }) => (
          <div key={name} className={classes['row']}>
            <dt>{name}</dt>
            <dd className={classes['amount']}>{formatMoney({ value, currencyCode }, language)}</dd>
            <dd className={classes['track']} aria-hidden="true">
              <span
                className={classes[tone]}
                style={{ width: `${total === 0 ? 0 : Math.min(100, (value / total) * 100)}%` }}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
