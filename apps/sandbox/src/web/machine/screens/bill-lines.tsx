import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { BillView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import classes from './screen.module.css';

/** The lines of a bill with its sums. */
export function BillLines({ bill }: { bill: BillView }): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: bill.currency }, language);
  return (
    <>
      <ul className={classes['list']}>
        {bill.items.map(({ id, name, quantity, amount, extras }) => (
          <li key={id} className={classes['line']}>
            <span>
              {quantity === 1 ? name : `${quantity} × ${name}`}
              {extras.length > 0 && <small>{extras.join(', ')}</small>}
            </span>
            <span>{write(amount)}</span>
          </li>
        ))}
      </ul>
      <hr className={classes['separator']} />
      {bill.serviceCharge !== undefined && <SumLine name={t('serviceCharge')} amount={write(bill.serviceCharge)} />}
      <SumLine name={t('total')} amount={write(bill.total)} />
      {bill.paid > 0 && <SumLine name={t('paid')} amount={write(-bill.paid)} />}
      <SumLine name={t('outstanding')} amount={write(bill.outstanding)} isStrong />
    </>
  );
}

function SumLine({ name, amount, isStrong = false }: { name: string; amount: string; isStrong?: boolean }): ReactNode {
  return (
    <div className={`${classes['line']} ${isStrong ? classes['strong'] : ''}`}>
      <span>{name}</span>
      <span>{amount}</span>
    </div>
  );
}
