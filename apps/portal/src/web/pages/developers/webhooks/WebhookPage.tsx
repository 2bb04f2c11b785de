import { Badge } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { readSubscription } from '@pos/rest-contracts/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { usePermission } from '../../../client/session-query.js';
import { BackLink } from '../../../components/BackLink.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { Deliveries } from './Deliveries.js';
import { SigningSecrets } from './SigningSecrets.js';
import { SubscriptionActions } from './SubscriptionActions.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';
import layout from './webhooks.module.css';

/** One subscription: its actions, its deliveries and its signing secrets. */
export function WebhookPage(): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const mayWrite = usePermission('webhooks.write');
  const query = useQuery({
    queryKey: [WEBHOOKS, id],
    queryFn: ({ signal }) => callOperation(readSubscription, { params: { subscriptionId: id }, signal }),
  });
  return (
    <>
      <BackLink to="/developers/webhooks">{text('back')}</BackLink>
      <QueryBoundary query={query} rows={8}>
        {(subscription) => (
          <>
            <PageHeader
              title={subscription.url}
              intro={
                <>
                  <Badge tone={subscription.paused ? 'attention' : 'positive'}>
                    {text(subscription.paused ? 'paused' : 'active')}
                  </Badge>{' '}
                  {subscription.events.join(', ')}
                </>
              }
            >
              {mayWrite && <SubscriptionActions subscription={subscription} />}
            </PageHeader>
            <div className={layout['stack']}>
              <Deliveries subscriptionId={id} />
              <SigningSecrets subscriptionId={id} secrets={subscription.secrets} />
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}
