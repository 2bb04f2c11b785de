import type { ReactNode } from 'react';
import classes from './page-header.module.css';

/** The title of a page and its actions. The title is also that of the tab. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <header className={classes['header']}>
      <title>{title}</title>
      <h1 className={classes['title']}>{title}</h1>
      {children !== undefined && <div className={classes['actions']}>{children}</div>}
    </header>
  );
}
