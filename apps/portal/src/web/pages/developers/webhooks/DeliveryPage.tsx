import { Badge, Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readDelivery, replayDelivery } from '@pos/rest-contracts/webhooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { usePermission } from '../../../client/session-query.js';
import { BackLink } from '../../../components/BackLink.js';
import { Card, Facts } from '../../../components/Card.js';
import { OUTCOME_TONES, POINT_TONES } from '../../../components/outcome-tones.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { Step, StepList } from '../../../components/StepList.js';
import { useAction } from '../../../components/use-action.js';
import { DELIVERY_MESSAGES } from './delivery-messages.js';
import { DELIVERY_TONES } from './delivery-tones.js';
import layout from './webhooks.module.css';

/** No live event says that an attempt has failed. */
const WAITING_REFRESH_MS = 3_000;

/** One delivery: what is sent, and each attempt with the answer of the receiver. */
export function DeliveryPage(): ReactNode {
  const text = useMessages(DELIVERY_MESSAGES);
  const { id = '', deliveryId = '' }: { readonly id?: string; readonly deliveryId?: string } = useParams({
    strict: false,
  });
  const params = { subscriptionId: id, deliveryId };
  const mayWrite = usePermission('webhooks.write');
  const query = useQuery({
    queryKey: [WEBHOOKS, id, 'deliveries', deliveryId],
    queryFn: ({ signal }) => callOperation(readDelivery, { params, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'Pending' ? WAITING_REFRESH_MS : false),
  });
  const replaying = useAction((_: null, idempotencyKey) => callOperation(replayDelivery, { params, idempotencyKey }), {
    refreshes: [[WEBHOOKS]],
  });
  return (
    <>
      <BackLink to={`/developers/webhooks/${id}`}>{text('back')}</BackLink>
      <QueryBoundary query={query} rows={8}>
        {(delivery) => (
          <>
            <PageHeader title={delivery.event}>
              {mayWrite && delivery.state === 'DeadLettered' && (
                <Button isBusy={replaying.isBusy} onClick={() => void replaying.run(null)}>
                  {text('replay')}
                </Button>
              )}
            </PageHeader>
            <ProblemNote problem={replaying.problem} />
            <div className={layout['columns']}>
              <div className={layout['stack']}>
                <Attempts delivery={delivery} />
                <Card title={text('body')}>
                  <p className={layout['note']}>{text('bodyText')}</p>
                  <pre className={layout['plain']} tabIndex={0}>
                    {JSON.stringify(delivery.body, null, 2)}
                  </pre>
                </Card>
              </div>
              <DeliveryFacts delivery={delivery} />
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryAnswer }): ReactNode {
  const text = useMessages(DELIVERY_MESSAGES);
  const language = useLanguage();
  const { id, eventId, state, attempts, createdAt, nextAttemptAt, lastStatus, lastError, body } = delivery;
  const paymentIntentId = 'paymentIntentId' in body.data ? body.data.paymentIntentId : undefined;
  return (
    <Card title={text('details')}>
      <Facts
        facts={[
          [
            text('state'),
            <Badge key="state" tone={DELIVERY_TONES[state]}>
              {text(state)}
            </Badge>,
          ],
          [text('attempts'), text('ofAttempts', { count: attempts })],
          [text('next'), nextAttemptAt === undefined ? text('noNext') : formatMoment(nextAttemptAt, language)],
          [text('lastAnswer'), lastError ?? lastStatus ?? text('noAnswer')],
          [text('created'), formatMoment(createdAt, language)],
          [text('delivery'), <code key="id">{id}</code>],
          [text('event'), <code key="event">{eventId}</code>],
          ...(paymentIntentId === undefined
            ? []
            : [
                [
                  text('payment'),
                  <Link key="payment" to="/payments/$id" params={{ id: paymentIntentId }}>
                    {text('showPayment')}
                  </Link>,
                ] as const,
              ]),
        ]}
      />
    </Card>
  );
}

function Attempts({ delivery: { history, attempts } }: { delivery: DeliveryAnswer }): ReactNode {
  const text = useMessages(DELIVERY_MESSAGES);
  return (
    <Card title={text('history')}>
      {history.length === 0 && (
        <p className={layout['muted']}>{text(attempts === 0 ? 'noHistoryWaiting' : 'noHistoryGone')}</p>
      )}
      <StepList label={text('history')}>
        {history.map((attempt) => (
          <Attempt key={`${attempt.traceId} ${attempt.at}`} attempt={attempt} />
        ))}
      </StepList>
    </Card>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAnswer['history'][number] }): ReactNode {
  const text = useMessages(DELIVERY_MESSAGES);
  const { number, at, outcome, status, error, tookMs, traceId, answer } = attempt;
  return (
    <Step
      at={at}
      tone={POINT_TONES[outcome]}
      what={<strong>{text('attempt', { number })}</strong>}
      result={<Badge tone={OUTCOME_TONES[outcome]}>{text(outcome)}</Badge>}
      facts={[
        status === undefined ? null : String(status),
        status === undefined ? (error ?? null) : null,
        text('took', { ms: tookMs }),
      ]}
    >
      <p className={layout['muted']}>{text('trace', { id: traceId })}</p>
      {answer !== undefined && (
        <>
          <p className={layout['muted']}>{text('answer')}</p>
          <pre className={layout['plain']} tabIndex={0}>
            {answer}
          </pre>
        </>
      )}
      {answer === undefined && status !== undefined && <p className={layout['muted']}>{text('answerEmpty')}</p>}
    </Step>
  );
}
