import type { ReactNode } from 'react';
import classes from './page-header.module.css';

interface PageHeaderProps {
  /** Also the title of the tab. */
  readonly title: string;
  /** What the page is for. */
  readonly intro?: ReactNode;
  /** The actions of the page. */
  readonly children?: ReactNode;
}

/** The title of a page, its actions, and what it is for. */
export function PageHeader({ title, intro, children }: PageHeaderProps): ReactNode {
  return (
    <header className={classes['header']}>
      <title>{title}</title>
      <div className={classes['line']}>
        <h1 className={classes['title']}>{title}</h1>
        {children !== undefined && <div className={classes['actions']}>{children}</div>}
      </div>
      {intro !== undefined && <p className={classes['intro']}>{intro}</p>}
    </header>
  );
}
