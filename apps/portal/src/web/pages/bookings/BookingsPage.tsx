import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { usePermission, useWorkingAccount } from '../../client/session-query.js';
import { PageHeader } from '../../components/PageHeader.js';
import parts from '../../components/page-parts.module.css';
import { BookingDay, readToday } from './booking-day.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import classes from './bookings.module.css';
import { partiesQuery } from './booking-queries.js';
import { ReservationCreation } from './ReservationCreation.js';
import { Reservations } from './Reservations.js';
import { SeatedParties } from './SeatedParties.js';

/** The reservations of a day, and the parties that are at the tables now. */
export function BookingsPage(): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const navigate = useNavigate();
  const { timeZone, accountId, environment } = useWorkingAccount();
  const mayChange = usePermission('bookings.write');
  const search = BookingDay.parse(useSearch({ strict: false }));
  const today = readToday(timeZone);
  const day = search.day ?? today;
  const parties = useQuery(partiesQuery);
  // A discarded reservation ends its idempotency key with the state of the component.
  const [discarded, setDiscarded] = useState(0);
  const show = (change: BookingDay): void =>
    void navigate({ to: '/bookings', search: BookingDay.parse({ ...change }) });
  return (
    <>
      <PageHeader title={text('bookings')} intro={text('intro', { timeZone })} />
      <div className={classes['line']}>
        <TextField
          label={text('day')}
          type="date"
          value={day}
          onValueChange={(value) => {
            if (value !== '') show({ day: value });
          }}
        />
        {day !== today && <Button onClick={() => show({})}>{text('today')}</Button>}
        {mayChange && (
          <ReservationCreation
            key={`${accountId}/${environment}/${discarded}`}
            day={day}
            onDiscard={() => setDiscarded(discarded + 1)}
          />
        )}
      </div>
      <div className={parts['parts']}>
        <Reservations
          search={{ ...search, day }}
          parties={parties.data}
          onTurn={(cursor) => show({ day, ...cursor })}
        />
        <SeatedParties query={parties} />
      </div>
    </>
  );
}
