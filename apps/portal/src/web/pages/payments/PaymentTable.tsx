import { formatMoment, formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PaymentAnswer } from '../../client/answers.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { formatCard } from './card-text.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import classes from './payment-table.module.css';
import { PaymentStatusBadge } from './PaymentStatusBadge.js';

/** Payments in a table; each leads to its page. */
export function PaymentTable({ payments }: { payments: readonly PaymentAnswer[] }): ReactNode {
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
          <NumberCell>
            <Link to="/payments/$id" params={{ id }}>
              {formatMoney(totalAmount, language)}
            </Link>
          </NumberCell>
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
