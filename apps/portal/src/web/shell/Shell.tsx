import { Button, LoadingState, RefusedState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { SessionAnswer } from '../client/answers.js';
import { useLiveEvents } from '../client/live-events.js';
import { sessionQuery } from '../client/session-query.js';
import { AccountChoice } from './AccountChoice.js';
import { Navigation } from './Navigation.js';
import { isPublicPath, PublicFrame } from './PublicFrame.js';
import { ReauthenticationProvider } from './Reauthentication.js';
import classes from './shell.module.css';
import { SHELL_MESSAGES } from './shell-messages.js';
import { ShownSecretProvider } from './ShownSecret.js';
import { SignInPage } from './SignInPage.js';

/** What a user has to do before anything else, which belongs to pages and not to their frame. */
export interface Gate {
  readonly isClosed: (session: SessionAnswer) => boolean;
  readonly Page: ComponentType<{ session: SessionAnswer }>;
}

/** What is around every page: who is signed in, in which account, and the list of pages. */
export function Shell({ gate: { isClosed, Page } }: { gate: Gate }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { data: session, isPending, refetch } = useQuery(sessionQuery);
  const isPublic = useRouterState({ select: ({ location }) => isPublicPath(location.pathname) });
  if (isPending)
    return (
      <main className={classes['alone']}>
        <LoadingState label={text('loading')} rows={3} />
      </main>
    );
  if (isPublic && session?.current === undefined) return <PublicFrame />;
  if (session === undefined) {
    return (
      <main className={classes['alone']}>
        <RefusedState
          title={text('refusedTitle')}
          action={<Button onClick={() => void refetch()}>{text('retry')}</Button>}
        >
          {text('unreachable')}
        </RefusedState>
      </main>
    );
  }
  if (session === null) return <SignInPage />;
  if (isClosed(session)) return <Page session={session} />;
  if (session.current === undefined) return <AccountChoice session={session} />;
  const { accountId, environment } = session.current;
  return (
    <ReauthenticationProvider>
      <ShownSecretProvider>
        <Frame key={`${accountId}/${environment}`} scope={`${accountId}/${environment}`} />
      </ShownSecretProvider>
    </ReauthenticationProvider>
  );
}

function Frame({ scope }: { scope: string }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useLiveEvents(scope);
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#content">
        {text('skip')}
      </a>
      <header className={classes['bar']}>
        <span className={classes['brand']}>{text('portal')}</span>
        <Button aria-expanded={isMenuOpen} aria-controls="navigation" onClick={() => setMenuOpen(!isMenuOpen)}>
          {text('menu')}
        </Button>
      </header>
      <Navigation isOpen={isMenuOpen} />
      <main id="content" className={classes['content']} tabIndex={-1}>
        <Suspense fallback={<LoadingState label={text('loading')} />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
