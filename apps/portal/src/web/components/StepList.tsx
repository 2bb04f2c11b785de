import { formatMoment } from '@pos/web-ui/format';
import { useLanguage } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import classes from './step-list.module.css';

/** Steps in the order of their time, as a grid of three columns: when, what, and how it ended. */
export function StepList({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <ol className={classes['steps']} aria-label={label}>
      {children}
    </ol>
  );
}

interface StepProps {
  readonly at: string;
  /** Colours the point of the step. */
  readonly tone?: 'accent' | 'attention' | 'negative' | undefined;
  readonly what: ReactNode;
  /** A badge, mostly. */
  readonly result?: ReactNode;
  /** Status, reason and duration, on one line. */
  readonly facts?: readonly (string | null)[];
  /** What belongs to the step and is read on demand. */
  readonly children?: ReactNode;
}

export function Step({ at, tone, what, result, facts = [], children }: StepProps): ReactNode {
  const language = useLanguage();
  const shown = facts.filter((fact) => fact !== null);
  return (
    <li className={classes['step']} data-tone={tone}>
      <time className={classes['time']} dateTime={at}>
        {formatMoment(at, language)}
      </time>
      <div className={classes['what']}>
        {what}
        {shown.length > 0 && <p className={classes['facts']}>{shown.join(' · ')}</p>}
        {children !== undefined && <div className={classes['more']}>{children}</div>}
      </div>
      <div className={classes['result']}>{result}</div>
    </li>
  );
}

/** The kind of a step above its name. */
export function StepTitle({ kind, children }: { kind: string; children: ReactNode }): ReactNode {
  return (
    <p className={classes['title']}>
      <span className={classes['kind']}>{kind}</span> <span className={classes['name']}>{children}</span>
    </p>
  );
}
