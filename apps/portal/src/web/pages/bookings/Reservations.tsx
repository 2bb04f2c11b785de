import { Badge, Button, EmptyState, type Tone } from '@pos/web-ui/components';
import { chooseRegion, useLanguage, useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { usePermission, useWorkingAccount } from '../../client/session-query.js';
import { DataTable, NumberCell } from '../../components/DataTable.js';
import { PagedList } from '../../components/PagedList.js';
import type { PageSearch } from '../../components/page-search.js';
import parts from '../../components/page-parts.module.css';
import { type BookingDay, formatSpan } from './booking-day.js';
import { BOOKING_MESSAGES } from './booking-messages.js';
import classes from './bookings.module.css';
import { createReservationsQuery } from './booking-queries.js';
import { CancelReservationDialog } from './CancelReservationDialog.js';
import { ChangeReservationDialog } from './ChangeReservationDialog.js';
import { findReservationState, type ReservationState } from './reservation-state.js';
import { useTableNames } from './use-table-names.js';
import type { PartyAnswer, ReservationAnswer } from '../../client/answers.js';

const TONES = {
  expected: 'neutral',
  due: 'attention',
  seated: 'positive',
  over: 'neutral',
} as const satisfies Record<ReservationState, Tone>;

interface ReservationsProps {
  readonly search: BookingDay & { readonly day: string };
  /** A page of the parties at the tables; undefined while they are not known. */
  readonly parties: { readonly data: readonly PartyAnswer[]; readonly after: string | null } | undefined;
  readonly onTurn: (cursor: PageSearch) => void;
}

/** The reservations of a day, in the order of the EPOS. */
export function Reservations({ search, parties, onTurn }: ReservationsProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const { timeZone } = useWorkingAccount();
  const query = useQuery(createReservationsQuery(search, timeZone));
  const { unreadableCount } = query.data ?? {};
  return (
    <section>
      <h2 className={parts['title']}>{text('reservations')}</h2>
      <PagedList
        query={query}
        rows={6}
        label={text('reservations')}
        empty={<EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>}
        onTurn={onTurn}
      >
        {(elements) => (
          <ReservationTable
            reservations={elements}
            day={search.day}
            parties={parties?.after === null ? parties.data : null}
          />
        )}
      </PagedList>
      {unreadableCount !== undefined && <p role="status">{text('unreadable', { count: unreadableCount })}</p>}
    </section>
  );
}

interface ReservationTableProps {
  readonly reservations: readonly ReservationAnswer[];
  readonly day: string;
  /** Null: not all of them are known. */
  readonly parties: readonly PartyAnswer[] | null;
}

interface Opened {
  readonly kind: 'change' | 'cancel';
  readonly reservation: ReservationAnswer;
}

function ReservationTable({ reservations, day, parties }: ReservationTableProps): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  const region = chooseRegion(useLanguage(), navigator.languages);
  const { timeZone } = useWorkingAccount();
  const mayChange = usePermission('bookings.write');
  const nameTables = useTableNames();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const now = Date.now();
  const columns = [
    ...[{ name: text('time') }, { name: text('name') }, { name: text('covers'), isNumber: true }],
    ...[{ name: text('tables') }, { name: text('state') }, { name: text('notes') }],
  ];
  return (
    <>
      <DataTable label={text('reservations')} columns={columns} hasActions={mayChange}>
        {reservations.map((reservation) => {
          const { id, name, covers, tableIds, guestRequests, hostNotes } = reservation;
          return (
            <tr key={id}>
              <td>{formatSpan(reservation, { day, timeZone, region })}</td>
              <td className={classes['text']}>{name}</td>
              <NumberCell>{covers}</NumberCell>
              <td>{nameTables(tableIds)}</td>
              <td>
                <StateBadge state={findReservationState(reservation, { parties, now })} />
              </td>
              <td className={classes['text']}>{[guestRequests, hostNotes].filter(Boolean).join(' · ') || '–'}</td>
              {mayChange && (
                <td>
                  {(['change', 'cancel'] as const).map((kind) => (
                    <Button
                      key={kind}
                      kind="quiet"
                      aria-label={text(`${kind}Of`, { name })}
                      onClick={() => setOpened({ kind, reservation })}
                    >
                      {text(kind)}
                    </Button>
                  ))}
                </td>
              )}
            </tr>
          );
        })}
      </DataTable>
      {opened?.kind === 'change' && <ChangeReservationDialog reservation={opened.reservation} onClose={close} />}
      {opened?.kind === 'cancel' && <CancelReservationDialog reservation={opened.reservation} onClose={close} />}
    </>
  );
}

function StateBadge({ state }: { state: ReservationState | null }): ReactNode {
  const text = useMessages(BOOKING_MESSAGES);
  return state === null ? '–' : <Badge tone={TONES[state]}>{text(state)}</Badge>;
}
