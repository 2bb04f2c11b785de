import { Badge } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { Facts } from '../../../components/Card.js';
import { CodeBlock } from '../parts/CodeBlock.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { ReferenceLink } from '../parts/ReferenceLink.js';
import type { TrialAnswer } from './trial-request.js';
import classes from './try-it.module.css';

/** What the sandbox has answered. Screen readers read its status at once. */
export function TrialResult({ answer }: { answer: TrialAnswer | 'unanswered' | null }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  if (answer === 'unanswered') {
    return (
      <p role="alert" className={classes['error']}>
        {text('unanswered')}
      </p>
    );
  }
  return (
    <div className={classes['result']}>
      <div role="status" className={classes['sent']}>
        {answer !== null && (
          <>
            <strong>{text('sentAnswer')}</strong>
            <Badge tone={answer.status < 400 ? 'positive' : 'negative'}>{answer.status}</Badge>
            <span>{text('milliseconds', { ms: String(answer.tookMs) })}</span>
          </>
        )}
      </div>
      {answer !== null && <AnswerParts answer={answer} />}
    </div>
  );
}

function AnswerParts({ answer: { reason, traceId, headers, body } }: { answer: TrialAnswer }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  return (
    <>
      {reason !== null && (
        <p className={classes['note']}>
          <ReferenceLink to={`/reference/errors/${reason}`}>
            <code>{reason}</code>
          </ReferenceLink>
        </p>
      )}
      <Facts
        facts={[
          ...(traceId === '' ? [] : [[text('traceId'), <code key="trace">{traceId}</code>] as const]),
          ...headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
        ]}
      />
      {body !== '' && <CodeBlock code={body} label={text('sentAnswer')} />}
    </>
  );
}
