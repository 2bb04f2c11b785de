import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { BillView } from '@pos/rest-contracts/sandbox';
import { GUEST_MESSAGES } from '../messages/guest-messages.js';
import classes from './guest-page.module.css';

/** The bill of the table, with what all devices have paid. */
export function GuestBill({ bill }: { bill: BillView }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: bill.currency }, language);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('bill')}</h2>
      <ul className={classes['lines']}>
        {bill.items.map(({ id, name, amount }) => (
          <li key={id}>
            <span>{name}</span>
            <span>{write(amount)}</span>
          </li>
        ))}
      </ul>
      <dl className={classes['sums']}>
        <Sum name={t('total')} value={write(bill.total)} />
        <Sum name={t('paid')} value={write(bill.paid)} />
        <Sum name={t('outstanding')} value={write(bill.outstanding)} />
      </dl>
      {bill.outstanding === 0 && (
        <p className={classes['done']} role="status">
          {t('paidUp')}
        </p>
      )}
    </section>
  );
}

function Sum({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
