import { formatMoney } from '@pos/web-ui/format';
import { chooseRegion, useLanguage, useMessages } from '@pos/web-ui/messages';
import type { OverviewAnswer } from '../../client/answers.js';
import type { ReactNode } from 'react';
import { OVERVIEW_MESSAGES } from './overview-messages.js';
import classes from './day-bars.module.css';

/** The days as a table whose amounts also have bars, each on the scale of its currency. */
export function DayBars({ days }: { days: OverviewAnswer['days'] }): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(chooseRegion(language, navigator.languages), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const largest = new Map<string, number>();
  for (const { amount } of days)
    largest.set(amount.currencyCode, Math.max(amount.value, largest.get(amount.currencyCode) ?? 1));
  return (
    <table className={classes['days']}>
      <caption className="visually-hidden">{text('days')}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{text('day')}</th>
          <th scope="col">{text('amount')}</th>
          <th scope="col">{text('count')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, amount, payments }) => (
          <tr key={`${day} ${amount.currencyCode}`}>
            <th scope="row">{format.format(new Date(`${day}T00:00:00Z`))}</th>
            <td className={classes['track']}>
              <span
                className={classes['bar']}
                style={{ width: `${(amount.value / (largest.get(amount.currencyCode) ?? 1)) * 100}%` }}
              />
              <span className={classes['amount']}>{formatMoney(amount, language)}</span>
            </td>
            <td>{text(payments === 1 ? 'onePayment' : 'payments', { count: payments })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
