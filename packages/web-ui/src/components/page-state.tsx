import type { ReactNode } from 'react';
import classes from '../../styles/page-state.module.css';

interface PageStateProps {
  readonly title: string;
  /** The sentence that the reader needs next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Says that a list is empty, and what fills it. */
export function EmptyState({ title, children, action }: PageStateProps): ReactNode {
  return (
    <section className={classes['state']}>
      <h2 className={classes['title']}>{title}</h2>
      {children !== undefined && <p className={classes['text']}>{children}</p>}
      {action}
    </section>
  );
}

/** Says that the page was refused or failed, and what helps. Screen readers read it at once. */
export function RefusedState({ title, children, action }: PageStateProps): ReactNode {
  return (
    <section className={`${classes['state']} ${classes['refused']}`} role="alert">
      <h2 className={classes['title']}>{title}</h2>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
      {action}
    </section>
  );
}

/** Takes the place of `rows` lines while their data is loaded; `label` is read out. */
export function LoadingState({ label, rows = 5 }: { label: string; rows?: number }): ReactNode {
  return (
    <div className={classes['loading']} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={classes['line']} />
      ))}
    </div>
  );
}
