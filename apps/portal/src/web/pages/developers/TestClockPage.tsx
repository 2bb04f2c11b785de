import { Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { advanceClock } from '@pos/rest-contracts/sandbox';
import { readTestClock } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { OVERVIEW, PAYMENTS, TEST_CLOCK, WEBHOOKS } from '../../client/queries.js';
import { Card } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { QueryBoundary } from '../../components/QueryBoundary.js';
import { useAction } from '../../components/use-action.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';
import classes from './developers.module.css';

/** Spans in the form of the API: `days.hours:minutes:seconds`. */
const SPANS = { hour: '01:00:00', day: '1.00:00:00', week: '7.00:00:00', month: '31.00:00:00' } as const;

/** The clock runs while nobody moves it; the page shows minutes. */
const REFRESH_MS = 20_000;

/** Shows the time of the sandbox, and moves it. */
export function TestClockPage(): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const language = useLanguage();
  const query = useQuery({
    queryKey: [TEST_CLOCK],
    queryFn: ({ signal }) => callOperation(readTestClock, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const action = useAction(
    (by: string, idempotencyKey) => callOperation(advanceClock, { body: { by }, idempotencyKey }),
    { refreshes: [[TEST_CLOCK], [PAYMENTS], [OVERVIEW], [WEBHOOKS]] },
  );
  return (
    <>
      <PageHeader title={text('testClock')} intro={text('clockText')} />
      <Card title={text('advance')}>
        <QueryBoundary query={query} rows={1}>
          {({ now }) => (
            <>
              <p role="status">{text('nowIs', { time: formatMoment(now, language) })}</p>
              <div className={classes['buttons']}>
                {(Object.keys(SPANS) as (keyof typeof SPANS)[]).map((name) => (
                  <Button key={name} isBusy={action.isBusy} onClick={() => void action.run(SPANS[name])}>
                    {text(name)}
                  </Button>
                ))}
              </div>
            </>
          )}
        </QueryBoundary>
        <ProblemNote problem={action.problem} />
      </Card>
    </>
  );
}
