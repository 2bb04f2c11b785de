import { EmptyState } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listPendingPayments } from '@pos/rest-contracts/operators';
import { listTerminals } from '@pos/rest-contracts/accounts';
import { readPortalOverview } from '@pos/rest-contracts/portal';
import type { OverviewAnswer } from '../../client/answers.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { OVERVIEW, PENDING, TERMINALS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { Card } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { DayBars } from './DayBars.js';
import { OVERVIEW_MESSAGES } from './overview-messages.js';
import classes from './overview-page.module.css';
import { sumByCurrency } from './volume.js';

/** How the account is doing. */
export function OverviewPage(): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  const query = useQuery({
    queryKey: [OVERVIEW],
    queryFn: ({ signal }) => callOperation(readPortalOverview, { signal }),
  });
  return (
    <>
      <PageHeader title={text('overview')} />
      <QueryBoundary query={query} rows={3}>
        {(overview) => <Overview overview={overview} />}
      </QueryBoundary>
    </>
  );
}

function Overview({ overview }: { overview: OverviewAnswer }): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  const language = useLanguage();
  const { days, attempts, deliveries, isLimited } = overview;
  const { approved, declined } = attempts;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const sums = sumByCurrency(days);
  return (
    <>
      <div className={classes['tiles']}>
        <Tile title={text('volume')}>
          {sums.length === 0 ? (
            <strong>–</strong>
          ) : (
            sums.map(({ amount, payments }) => (
              <span key={amount.currencyCode} className={classes['sum']}>
                <strong>{formatMoney(amount, language)}</strong>{' '}
                <small>{text(payments === 1 ? 'onePayment' : 'payments', { count: payments })}</small>
              </span>
            ))
          )}
        </Tile>
        <Tile title={text('success')}>
          <strong>{approved + declined === 0 ? '–' : percent.format(approved / (approved + declined))}</strong>
          <small>{text('successText', { approved, declined })}</small>
        </Tile>
        <Tile title={text('webhooks')}>
          <strong>{deliveries.delivered}</strong>
          <small>{text('deliveriesText', { waiting: deliveries.waiting, dead: deliveries.deadLettered })}</small>
          {deliveries.medianMs !== undefined && (
            <small>{text('median', { ms: Math.round(deliveries.medianMs) })}</small>
          )}
        </Tile>
        <MachinesTile />
        <PendingTile />
      </div>
      {isLimited && <p className={classes['note']}>{text('limited')}</p>}
      {days.length === 0 ? (
        <EmptyState title={text('none')} action={<FirstStep />}>
          {text('noneText')}
        </EmptyState>
      ) : (
        <Card title={text('volume')}>
          <DayBars days={days} />
        </Card>
      )}
    </>
  );
}

/** What an account does before its first payment. */
function FirstStep(): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  return usePermission('payments.write') ? <Link to="/payment-links">{text('createLink')}</Link> : null;
}

function MachinesTile(): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  const { data } = useQuery({
    queryKey: [TERMINALS],
    queryFn: ({ signal }) => callOperation(listTerminals, { signal }),
  });
  if (data === undefined) return null;
  return (
    <Tile title={text('machines')}>
      <strong>{data.filter(({ status }) => status !== 'Offline').length}</strong>
      <small>{text('machinesText', { count: data.length })}</small>
    </Tile>
  );
}

function PendingTile(): ReactNode {
  const text = useMessages(OVERVIEW_MESSAGES);
  const isOperator = usePermission('tables.operate');
  const { data } = useQuery({
    queryKey: [PENDING],
    queryFn: ({ signal }) => callOperation(listPendingPayments, { signal }),
    enabled: isOperator,
  });
  if (data === undefined) return null;
  return (
    <Tile title={text('pending')}>
      <strong>{data.length}</strong>
      <small>{text('pendingText')}</small>
    </Tile>
  );
}

function Tile({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={classes['tile']}>
      <h2>{title}</h2>
      <div className={classes['value']}>{children}</div>
    </section>
  );
}
