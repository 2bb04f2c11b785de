import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { listPaymentActivities } from '@pos/rest-contracts/activities';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActivityAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS } from '../../client/queries.js';
import { Card } from '../../components/Card.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { StepList } from '../../components/StepList.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import classes from './payment-timeline.module.css';
import { STEP_MESSAGES } from './timeline-messages.js';
import { TimelineStep } from './TimelineStep.js';

const PAGE = 50;
/** Requests and calls are in the log up to a second after the event that refreshes the page. */
const REFRESH_MS = 3_000;

/** Everything that happened to the payment, newest first, from the activity log. A live event refreshes it. */
export function PaymentTimeline({ paymentIntentId }: { paymentIntentId: string }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const name = useMessages(STEP_MESSAGES);
  const query = useInfiniteQuery({
    queryKey: [PAYMENTS, paymentIntentId, 'activities'],
    queryFn: ({ pageParam: after, signal }) =>
      callOperation(listPaymentActivities, {
        params: { paymentIntentId },
        query: { limit: PAGE, ...(after !== null && { after }) },
        signal,
      }),
    refetchInterval: REFRESH_MS,
    initialPageParam: null as string | null,
    getNextPageParam: ({ after }) => after,
    select: ({ pages }): readonly ActivityAnswer[] => pages.flatMap(({ data }) => data),
  });
  return (
    <Card title={text('timeline')}>
      <QueryBoundary query={query}>
        {(steps) => (
          <>
            {steps.length === 0 && <p className={classes['none']}>{text('noTimeline')}</p>}
            <StepList label={text('timeline')}>
              {steps.map((step) => (
                <TimelineStep key={step.id} step={step} />
              ))}
            </StepList>
            {query.hasNextPage && (
              <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {name('older')}
              </Button>
            )}
          </>
        )}
      </QueryBoundary>
    </Card>
  );
}
