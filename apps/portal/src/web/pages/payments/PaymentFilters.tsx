import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { PAYMENT_STATUSES, PaymentFilter } from './payment-filter.js';
import classes from './payment-filters.module.css';
import { PAYMENT_MESSAGES } from './payment-messages.js';

interface PaymentFiltersProps {
  readonly filter: PaymentFilter;
  readonly onChange: (filter: PaymentFilter) => void;
}

/** The filters of the list. A change begins at the newest page again. */
export function PaymentFilters({ filter, onChange }: PaymentFiltersProps): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const { before: _before, after: _after, ...kept } = filter;
  const change = (name: 'status' | 'from' | 'to', value: string): void =>
    onChange(PaymentFilter.parse({ ...kept, [name]: value }));
  return (
    <div className={classes['filters']}>
      <label className={classes['filter']}>
        <span>{text('status')}</span>
        <select value={filter.status ?? ''} onChange={({ target }) => change('status', target.value)}>
          <option value="">{text('allStatuses')}</option>
          {PAYMENT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {text(status)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={classes['filter']}>
          <span>{text(name)}</span>
          <input type="date" value={filter[name] ?? ''} onChange={({ target }) => change(name, target.value)} />
        </label>
      ))}
      {Object.keys(kept).length > 0 && (
        <Button kind="quiet" onClick={() => onChange({})}>
          {text('clear')}
        </Button>
      )}
    </div>
  );
}
