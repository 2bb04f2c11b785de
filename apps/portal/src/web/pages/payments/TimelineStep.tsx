import { Badge, type Tone } from '@pos/web-ui/components/badge';
import { formatMoney } from '@pos/web-ui/format/format-money';
import { formatMoment } from '@pos/web-ui/format/format-time';
import { useLanguage, useMessages } from '@pos/web-ui/messages/language-context';
import type { ReactNode } from 'react';
import type { ActivityAnswer } from '../../client/answers.js';
import classes from './payment-timeline.module.css';
import { STEP_MESSAGES, TIMELINE_MESSAGES } from './timeline-messages.js';

const TONES: Readonly<Record<NonNullable<ActivityAnswer['outcome']>, Tone>> = {
  Succeeded: 'positive',
  Refused: 'attention',
  Failed: 'negative',
};

/** One step: what it was and how it ended. Its bodies, as the log has recorded them, open below it. */
export function TimelineStep({ step }: { step: ActivityAnswer }): ReactNode {
  const text = useMessages(STEP_MESSAGES);
  const language = useLanguage();
  const { at, kind, outcome, status, reason, tookMs, attempt, traceId, request, answer } = step;
  const facts = [
    attempt === undefined ? null : text('attempt', { number: attempt }),
    status === undefined ? null : String(status),
    reason ?? null,
    tookMs === undefined ? null : text('took', { ms: tookMs }),
  ].filter((fact) => fact !== null);
  return (
    <li className={classes['step']} data-kind={kind} data-outcome={outcome}>
      <div className={classes['line']}>
        <span className={classes['kind']}>{text(kind)}</span>
        <StepName step={step} />
        {outcome !== undefined && <Badge tone={TONES[outcome]}>{text(outcome)}</Badge>}
        <time dateTime={at}>{formatMoment(at, language)}</time>
      </div>
      {facts.length > 0 && <p className={classes['facts']}>{facts.join(' · ')}</p>}
      {traceId !== undefined && (
        <p className={classes['facts']}>
          {text('trace')} <code>{traceId}</code>
        </p>
      )}
      <Body title={text('request')} value={request} />
      {kind !== 'StateChange' && <Body title={text('answer')} value={answer} />}
    </li>
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

function Body({ title, value }: { title: string; value: ActivityAnswer['request'] }): ReactNode {
  if (value === undefined) return null;
  return (
    <details className={classes['body']}>
      <summary>{title}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
