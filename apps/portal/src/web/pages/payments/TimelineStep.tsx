import { Badge } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActivityAnswer } from '../../client/answers.js';
import { OUTCOME_TONES, POINT_TONES } from '../../components/outcome-tones.js';
import { RecordedBody } from '../../components/RecordedBody.js';
import { Step, StepTitle } from '../../components/StepList.js';
import classes from './payment-timeline.module.css';
import { STEP_MESSAGES, TIMELINE_MESSAGES } from './timeline-messages.js';

/** One step: when it was, what it was and how it ended. Its bodies, as the log has recorded them, open below it. */
export function TimelineStep({ step }: { step: ActivityAnswer }): ReactNode {
  const text = useMessages(STEP_MESSAGES);
  const { at, kind, outcome, status, reason, tookMs, attempt, traceId, request, answer } = step;
  const facts = [
    attempt === undefined ? null : text('attempt', { number: attempt }),
    status === undefined ? null : String(status),
    reason ?? null,
    tookMs === undefined ? null : text('took', { ms: tookMs }),
  ];
  return (
    <Step
      at={at}
      tone={kind === 'StateChange' ? 'accent' : outcome && POINT_TONES[outcome]}
      what={
        <StepTitle kind={text(kind)}>
          <StepName step={step} />
        </StepTitle>
      }
      result={outcome !== undefined && <Badge tone={OUTCOME_TONES[outcome]}>{text(outcome)}</Badge>}
      facts={facts}
    >
      {traceId !== undefined && kind === 'ApiRequest' && (
        <Link className={classes['trace'] ?? ''} to="/developers/requests/$traceId" params={{ traceId }}>
          {text('trace')} <code>{traceId}</code>
        </Link>
      )}
      <RecordedBody title={text('request')} value={request} />
      {kind !== 'StateChange' && <RecordedBody title={text('answer')} value={answer} />}
    </Step>
  );
}

/** A state of the payment in words, with its amount; the names of operations and reports as they are in the contract. */
function StepName({ step: { kind, name, answer } }: { step: ActivityAnswer }): ReactNode {
  const text = useMessages(TIMELINE_MESSAGES);
  const language = useLanguage();
  if (kind !== 'StateChange' || !isKnownState(name)) return <code className={classes['name']}>{name}</code>;
  const amount = answer?.['amount'];
  return <strong>{isMoney(amount) ? `${text(name)} ${formatMoney(amount, language)}` : text(name)}</strong>;
}

/** The log has bodies of any form. */
function isMoney(value: unknown): value is { readonly value: number; readonly currencyCode: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    typeof value.value === 'number' &&
    'currencyCode' in value &&
    typeof value.currencyCode === 'string'
  );
}

type KnownState = keyof (typeof TIMELINE_MESSAGES)['en'];

function isKnownState(name: string): name is KnownState {
  return Object.hasOwn(TIMELINE_MESSAGES.en, name);
}
