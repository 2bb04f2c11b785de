import type { ReactNode } from 'react';
import classes from './recorded-body.module.css';

interface RecordedBodyProps {
  readonly title: string;
  /** JSON, or a text that is shown as it is. Nothing is shown without one. */
  readonly value: unknown;
  readonly isOpen?: boolean;
}

/** A body that was sent or answered. It opens below its title. */
export function RecordedBody({ title, value, isOpen = false }: RecordedBodyProps): ReactNode {
  if (value === undefined) return null;
  return (
    <details className={classes['body']} open={isOpen}>
      <summary>{title}</summary>
      <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
