import { Button } from '@pos/web-ui/components/button';
import { formatMoment } from '@pos/web-ui/format/format-time';
import { useLanguage, useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { advanceClock } from '../../client/endpoints.js';
import { OVERVIEW, PAYMENTS, WEBHOOKS } from '../../client/queries.js';
import { Card } from '../../components/Card.js';
import { PageHeader } from '../../components/PageHeader.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';
import classes from './developers.module.css';

/** Spans in the form of the API: `days.hours:minutes:seconds`. */
const SPANS = { hour: '01:00:00', day: '1.00:00:00', week: '7.00:00:00', month: '31.00:00:00' } as const;

/** Moves the time of the sandbox. */
export function TestClockPage(): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const language = useLanguage();
  const [now, setNow] = useState<string | null>(null);
  const action = useAction(
    (by: string, idempotencyKey) => callOperation(advanceClock, { body: { by }, idempotencyKey }),
    { refreshes: [[PAYMENTS], [OVERVIEW], [WEBHOOKS]], onDone: (clock) => setNow(clock.now) },
  );
  return (
    <>
      <PageHeader title={text('testClock')} intro={text('clockText')} />
      <Card title={text('advance')}>
        <div className={classes['buttons']}>
          {(Object.keys(SPANS) as (keyof typeof SPANS)[]).map((name) => (
            <Button key={name} isBusy={action.isBusy} onClick={() => void action.run(SPANS[name])}>
              {text(name)}
            </Button>
          ))}
        </div>
        <ProblemNote problem={action.problem} />
        <p role="status">{now === null ? '' : text('nowIs', { time: formatMoment(now, language) })}</p>
      </Card>
    </>
  );
}
