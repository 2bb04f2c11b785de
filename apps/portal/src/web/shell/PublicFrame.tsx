import { LoadingState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import classes from './public-frame.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';

/** The pages that need no session begin with this. */
const PUBLIC_PATH = '/reference';

/** Whether the page of this path is shown to everybody. */
export function isPublicPath(path: string): boolean {
  return path === PUBLIC_PATH || path.startsWith(`${PUBLIC_PATH}/`);
}

/** What is around a public page for a reader who is not signed in. */
export function PublicFrame(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <>
      <a className={classes['skip']} href="#content">
        {text('skip')}
      </a>
      <header className={classes['bar']}>
        <Link to="/reference" className={classes['brand'] ?? ''}>
          {text('reference')}
        </Link>
        <Link to="/">{text('signIn')}</Link>
      </header>
      <main id="content" className={classes['content']} tabIndex={-1}>
        <Suspense fallback={<LoadingState label={text('loading')} />}>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}
