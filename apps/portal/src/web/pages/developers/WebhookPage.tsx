import { Badge, type Tone } from '@pos/web-ui/components/badge';
import { Button } from '@pos/web-ui/components/button';
import { EmptyState } from '@pos/web-ui/components/page-state';
import { formatMoment } from '@pos/web-ui/format/format-time';
import { useLanguage, useMessages } from '@pos/web-ui/messages/language-context';
import type { Delivery } from '@pos/rest-contracts/webhooks/webhook-deliveries';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import {
  changeSubscription,
  listDeliveries,
  readSubscription,
  replayDelivery,
  replayEvents,
} from '../../client/endpoints.js';
import { WEBHOOKS } from '../../client/queries.js';
import { usePermission } from '../../client/session-query.js';
import { DataTable } from '../../components/DataTable.js';
import { PageHeader } from '../../components/PageHeader.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { useAction } from '../../components/use-action.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';
import classes from './developers.module.css';

const PAGE_SIZE = 50;
const TONES = {
  Pending: 'progress',
  Held: 'attention',
  Delivered: 'positive',
  DeadLettered: 'negative',
} as const satisfies Record<Delivery['state'], Tone>;

/** One subscription with its newest deliveries. */
export function WebhookPage(): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const params = { subscriptionId: id };
  const mayWrite = usePermission('webhooks.write');
  const [queued, setQueued] = useState<number | null>(null);
  const subscription = useQuery({
    queryKey: [WEBHOOKS, id],
    queryFn: ({ signal }) => callOperation(readSubscription, { params, signal }),
  });
  const deliveries = useQuery({
    queryKey: [WEBHOOKS, id, 'deliveries'],
    queryFn: ({ signal }) => callOperation(listDeliveries, { params, query: { limit: PAGE_SIZE }, signal }),
  });
  const refreshes = [[WEBHOOKS]];
  const pausing = useAction(
    (paused: boolean, idempotencyKey) =>
      callOperation(changeSubscription, { params, body: { paused }, idempotencyKey }),
    { refreshes },
  );
  const replaying = useAction(
    (_: null, idempotencyKey) => callOperation(replayEvents, { params, body: {}, idempotencyKey }),
    { refreshes, onDone: (result) => setQueued(result.queued) },
  );
  return (
    <>
      <Link to="/developers/webhooks" className={classes['back'] ?? ''}>
        ← {text('back')}
      </Link>
      <QueryBoundary query={subscription} rows={2}>
        {({ url, paused, events }) => (
          <>
            <PageHeader title={url}>
              {mayWrite && (
                <>
                  <Button isBusy={pausing.isBusy} onClick={() => void pausing.run(!paused)}>
                    {text(paused ? 'resume' : 'pause')}
                  </Button>
                  <Button isBusy={replaying.isBusy} onClick={() => void replaying.run(null)}>
                    {text('replayAll')}
                  </Button>
                </>
              )}
            </PageHeader>
            <p className={classes['intro']}>
              <Badge tone={paused ? 'attention' : 'positive'}>{text(paused ? 'paused' : 'active')}</Badge>{' '}
              {events.join(', ')}
            </p>
          </>
        )}
      </QueryBoundary>
      <ProblemNote problem={pausing.problem ?? replaying.problem} />
      <p role="status">{queued === null ? '' : text('queued', { count: queued })}</p>
      <QueryBoundary query={deliveries} rows={8}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={text('noDeliveriesTitle')}>{text('noDeliveriesText')}</EmptyState>
          ) : (
            <Deliveries subscriptionId={id} deliveries={data} />
          )
        }
      </QueryBoundary>
    </>
  );
}

function Deliveries({
  subscriptionId,
  deliveries,
}: {
  subscriptionId: string;
  deliveries: readonly Readonly<Delivery>[];
}): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const language = useLanguage();
  const mayWrite = usePermission('webhooks.write');
  const action = useAction(
    (deliveryId: string, idempotencyKey) =>
      callOperation(replayDelivery, { params: { subscriptionId, deliveryId }, idempotencyKey }),
    { refreshes: [[WEBHOOKS]] },
  );
  const columns = ['created', 'event', 'state', 'attempts', 'answer', 'next'] as const;
  return (
    <>
      <ProblemNote problem={action.problem} />
      <DataTable label={text('deliveries')} columns={columns.map((name) => ({ name: text(name) }))} hasActions>
        {deliveries.map((each) => (
          <tr key={each.id}>
            <td>{formatMoment(each.createdAt, language)}</td>
            <td>{each.event}</td>
            <td>
              <Badge tone={TONES[each.state]}>{text(each.state)}</Badge>
            </td>
            <td>{each.attempts}</td>
            <td className={classes['error']}>{each.lastError ?? each.lastStatus ?? '–'}</td>
            <td>{each.nextAttemptAt === undefined ? '–' : formatMoment(each.nextAttemptAt, language)}</td>
            <td>
              {mayWrite && each.state === 'DeadLettered' && (
                <Button kind="quiet" isBusy={action.isBusy} onClick={() => void action.run(each.id)}>
                  {text('replay')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
