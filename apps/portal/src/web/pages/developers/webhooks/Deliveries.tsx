import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listDeliveries, replayDelivery, type Delivery } from '@pos/rest-contracts/webhooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { usePermission } from '../../../client/session-query.js';
import { DataTable } from '../../../components/DataTable.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { Choice } from '../../../components/Choice.js';
import { PagedList } from '../../../components/PagedList.js';
import { useAction } from '../../../components/use-action.js';
import classes from '../developers.module.css';
import { DELIVERY_TONES } from './delivery-tones.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';
import layout from './webhooks.module.css';

const PAGE_SIZE = 25;
const STATES = ['Pending', 'Held', 'Delivered', 'DeadLettered'] as const satisfies readonly Delivery['state'][];

type Cursor = { readonly before?: string; readonly after?: string };

/** The deliveries of a subscription, newest first, by their state. */
export function Deliveries({ subscriptionId }: { subscriptionId: string }): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const [state, setState] = useState<Delivery['state'] | undefined>(undefined);
  const [cursor, setCursor] = useState<Cursor>({});
  const query = useQuery({
    queryKey: [WEBHOOKS, subscriptionId, 'deliveries', state, cursor],
    queryFn: ({ signal }) =>
      callOperation(listDeliveries, {
        params: { subscriptionId },
        query: { limit: PAGE_SIZE, ...(state !== undefined && { state }), ...cursor },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className={layout['stack']}>
      <div className={layout['bar']}>
        <h2 className={layout['title']}>{text('deliveries')}</h2>
        <Choice
          label={text('state')}
          value={state ?? ''}
          options={[['', text('allStates')], ...STATES.map((each) => [each, text(each)] as const)]}
          onChange={(chosen) => {
            setState(chosen === '' ? undefined : chosen);
            setCursor({});
          }}
        />
      </div>
      <PagedList
        query={query}
        rows={8}
        label={text('deliveries')}
        empty={<EmptyState title={text('noDeliveriesTitle')}>{text('noDeliveriesText')}</EmptyState>}
        onTurn={setCursor}
      >
        {(elements) => <DeliveryTable subscriptionId={subscriptionId} deliveries={elements} />}
      </PagedList>
    </section>
  );
}

interface DeliveryTableProps {
  readonly subscriptionId: string;
  readonly deliveries: readonly Readonly<Delivery>[];
}

function DeliveryTable({ subscriptionId, deliveries }: DeliveryTableProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const language = useLanguage();
  const mayWrite = usePermission('webhooks.write');
  const action = useAction(
    (deliveryId: string, idempotencyKey) =>
      callOperation(replayDelivery, { params: { subscriptionId, deliveryId }, idempotencyKey }),
    { refreshes: [[WEBHOOKS]] },
  );
  const hasActions = mayWrite && deliveries.some(({ state }) => state === 'DeadLettered');
  const columns = ['event', 'state', 'attempts', 'answer'] as const;
  return (
    <>
      <ProblemNote problem={action.problem} />
      <DataTable
        label={text('deliveries')}
        columns={columns.map((name) => ({ name: text(name) }))}
        hasActions={hasActions}
      >
        {deliveries.map((each) => (
          <tr key={each.id}>
            <td>
              <Link
                to="/developers/webhooks/$id/deliveries/$deliveryId"
                params={{ id: subscriptionId, deliveryId: each.id }}
              >
                {each.event}
              </Link>
              <p className={layout['muted']}>{formatMoment(each.createdAt, language)}</p>
            </td>
            <td>
              <Badge tone={DELIVERY_TONES[each.state]}>{text(each.state)}</Badge>
              {each.nextAttemptAt !== undefined && (
                <p className={layout['muted']}>
                  {text('nextAt', { time: formatMoment(each.nextAttemptAt, language) })}
                </p>
              )}
            </td>
            <td>{each.attempts}</td>
            <td className={classes['error']}>{each.lastError ?? each.lastStatus ?? '–'}</td>
            {hasActions && (
              <td>
                {each.state === 'DeadLettered' && (
                  <Button kind="quiet" isBusy={action.isBusy} onClick={() => void action.run(each.id)}>
                    {text('replay')}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </DataTable>
    </>
  );
}
