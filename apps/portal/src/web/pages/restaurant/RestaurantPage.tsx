import { Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listTerminals, type Terminal } from '@pos/rest-contracts/accounts';
import { listTableLeases, type TableLease } from '@pos/rest-contracts/operators';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TABLES, TERMINALS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { TerminalStatusBadge } from '../terminals/TerminalStatusBadge.js';
import { ReleaseDialog } from './ReleaseDialog.js';
import { RESTAURANT_MESSAGES } from './restaurant-messages.js';
import parts from '../../components/page-parts.module.css';

const REFRESH_MS = 5_000;

/** The tables that are being paid, and the card machines. */
export function RestaurantPage(): ReactNode {
  const text = useMessages(RESTAURANT_MESSAGES);
  const [releasing, setReleasing] = useState<Readonly<TableLease> | null>(null);
  const leases = useQuery({
    queryKey: [TABLES, 'leases'],
    queryFn: ({ signal }) => callOperation(listTableLeases, { signal }),
    // No event says that a lease begins or ends.
    refetchInterval: REFRESH_MS,
  });
  const machines = useQuery({
    queryKey: [TERMINALS],
    queryFn: ({ signal }) => callOperation(listTerminals, { signal }),
  });
  return (
    <>
      <PageHeader title={text('restaurant')} />
      <div className={parts['parts']}>
        <section>
          <h2 className={parts['title']}>{text('leases')}</h2>
          <QueryBoundary query={leases} rows={3}>
            {(found) =>
              found.length === 0 ? (
                <EmptyState title={text('noLeasesTitle')}>{text('noLeasesText')}</EmptyState>
              ) : (
                <Leases leases={found} onRelease={setReleasing} />
              )
            }
          </QueryBoundary>
        </section>
        <section>
          <h2 className={parts['title']}>{text('machines')}</h2>
          <QueryBoundary query={machines} rows={4}>
            {(found) => (found.length === 0 ? <p>{text('noMachines')}</p> : <Machines machines={found} />)}
          </QueryBoundary>
        </section>
        {releasing !== null && <ReleaseDialog lease={releasing} onClose={() => setReleasing(null)} />}
      </div>
    </>
  );
}

interface LeasesProps {
  readonly leases: readonly Readonly<TableLease>[];
  readonly onRelease: (lease: Readonly<TableLease>) => void;
}

function Leases({ leases, onRelease }: LeasesProps): ReactNode {
  const text = useMessages(RESTAURANT_MESSAGES);
  const language = useLanguage();
  const columns = ['session', 'device', 'waiter', 'since', 'until', 'open'] as const;
  return (
    <DataTable label={text('leases')} columns={columns.map((name) => ({ name: text(name) }))} hasActions>
      {leases.map((lease) => (
        <tr key={lease.leaseId}>
          <td>
            <code>{lease.orderId ?? lease.sessionId}</code>
          </td>
          <td>{lease.owner}</td>
          <td>{lease.waiterId ?? '–'}</td>
          <td>{formatMoment(lease.acquiredAt, language)}</td>
          <td>{formatMoment(lease.expiresAt, language)}</td>
          <td>{lease.openPayments}</td>
          <td>
            <Button kind="quiet" onClick={() => onRelease(lease)}>
              {text('release')}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Machines({ machines }: { machines: readonly Readonly<Terminal>[] }): ReactNode {
  const text = useMessages(RESTAURANT_MESSAGES);
  const language = useLanguage();
  return (
    <DataTable
      label={text('machines')}
      columns={[{ name: text('tid') }, { name: text('status') }, { name: text('updated') }]}
    >
      {machines.map(({ id, properties, status, updatedAt }) => (
        <tr key={id}>
          <td>
            <Link to="/restaurant/terminals/$id" params={{ id }}>
              {properties.tid}
            </Link>
          </td>
          <td>
            <TerminalStatusBadge status={status} />
          </td>
          <td>{formatMoment(updatedAt, language)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
