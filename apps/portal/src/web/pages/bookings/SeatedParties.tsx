import { chooseRegion, useLanguage, useMessages } from '@pos/web-ui/messages';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWorkingAccount } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { formatTimeOfDay, readToday } from './booking-day.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import classes from './bookings.module.css';
import { useTableNames } from './use-table-names.js';
import type { PartyAnswer } from '../../client/answers.js';

interface PartyPage {
  readonly data: readonly PartyAnswer[];
  readonly unreadableCount?: number | undefined;
}

/** The parties that are at the tables now, with a reservation or without. */
export function SeatedParties({ query }: { query: UseQueryResult<PartyPage> }): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  return (
    <Card title={text('parties')}>
      <QueryBoundary query={query} rows={3}>
        {({ data, unreadableCount }) => (
          <>
            {data.length === 0 ? <p className={classes['muted']}>{text('noParties')}</p> : <Parties parties={data} />}
            {unreadableCount !== undefined && <p role="status">{text('unreadable', { count: unreadableCount })}</p>}
          </>
        )}
      </QueryBoundary>
    </Card>
  );
}

function Parties({ parties }: { parties: readonly PartyAnswer[] }): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const region = chooseRegion(useLanguage(), navigator.languages);
  const { timeZone } = useWorkingAccount();
  const nameTables = useTableNames();
  const shown = { day: readToday(timeZone), timeZone, region };
  const columns = [
    ...[{ name: text('tables') }, { name: text('name') }, { name: text('covers'), isNumber: true }],
    ...[{ name: text('since') }, { name: text('status') }],
  ];
  return (
    <DataTable label={text('parties')} columns={columns}>
      {parties.map(({ id, tableIds, name, covers, startTime, status }) => (
        <tr key={id}>
          <td>{nameTables(tableIds)}</td>
          <td className={classes['text']}>{name ?? '–'}</td>
          <NumberCell>{covers ?? '–'}</NumberCell>
          <td>{formatTimeOfDay(startTime, shown)}</td>
          <td className={classes['text']}>{status}</td>
        </tr>
      ))}
    </DataTable>
  );
}
