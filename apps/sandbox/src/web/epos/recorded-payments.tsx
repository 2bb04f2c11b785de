import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { EposScreenView } from '@pos/rest-contracts/sandbox';
import { EPOS_MESSAGES } from '../messages/epos-messages.js';
import classes from './epos-page.module.css';

/** The payments that the service has recorded on bills, the newest first. */
export function RecordedPayments({ view }: { view: EposScreenView }): ReactNode {
  const t = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: view.currency }, language);
  return (
    <section className={classes['panel']}>
      <h2 className={classes['title']}>{t('payments')}</h2>
      {view.payments.length === 0 && <p className={classes['note']}>{t('noPayments')}</p>}
      <ol className={classes['payments']} aria-label={t('payments')}>
        {view.payments.map(({ paymentId, sessionId, amount, tips }) => {
          const party = view.parties.find((each) => each.sessionId === sessionId);
          return (
            <li key={paymentId}>
              <span>{[party?.tableName, party?.name].filter((part) => part !== undefined).join(' · ')}</span>
              <span>
                <strong>{write(amount)}</strong>
                {tips > 0 && <small> + {t('tips', { amount: write(tips) })}</small>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
