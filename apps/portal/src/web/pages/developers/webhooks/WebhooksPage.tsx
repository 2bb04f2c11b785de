import { Badge, Button, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listSubscriptions } from '@pos/rest-contracts/webhooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { usePermission } from '../../../client/session-query.js';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { CreateSubscriptionDialog } from './CreateSubscriptionDialog.js';
import classes from '../developers.module.css';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

/** The subscriptions of the account. */
export function WebhooksPage(): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const language = useLanguage();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: [WEBHOOKS],
    queryFn: ({ signal }) => callOperation(listSubscriptions, { signal }),
  });
  const create = usePermission('webhooks.write') ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {text('addSubscription')}
    </Button>
  ) : null;
  const columns = [text('url'), text('state'), text('events'), text('created')].map((name) => ({ name }));
  return (
    <>
      <PageHeader title={text('webhooks')}>
        <Link to="/developers/event-catalogue" className={classes['pageLink'] ?? ''}>
          {text('catalogue')}
        </Link>
        {create}
      </PageHeader>
      <QueryBoundary query={query}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <EmptyState title={text('noSubscriptionsTitle')} action={create}>
              {text('noSubscriptionsText')}
            </EmptyState>
          ) : (
            <DataTable label={text('webhooks')} columns={columns}>
              {subscriptions.map(({ id, url, paused, events, createdAt }) => (
                <tr key={id}>
                  <td>
                    <Link to="/developers/webhooks/$id" params={{ id }}>
                      {url}
                    </Link>
                  </td>
                  <td>
                    <Badge tone={paused ? 'attention' : 'positive'}>{text(paused ? 'paused' : 'active')}</Badge>
                  </td>
                  <td>{events.join(', ')}</td>
                  <td>{formatMoment(createdAt, language)}</td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryBoundary>
      {isCreating && <CreateSubscriptionDialog onClose={() => setCreating(false)} />}
    </>
  );
}
