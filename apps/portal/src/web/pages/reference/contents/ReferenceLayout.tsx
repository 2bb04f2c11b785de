import { useMessages } from '@pos/web-ui/messages';
import { LoadingState } from '@pos/web-ui/components';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { SHELL_MESSAGES } from '../../../shell/shell-messages.js';
import { ReferenceNavigation } from './ReferenceNavigation.js';
import { ReferenceIndexProvider, useReferenceIndexQuery, useRelease } from '../data/reference-queries.js';
import classes from './reference-layout.module.css';

/** The contents beside a page of the reference. */
export function ReferenceLayout(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const release = useRelease();
  const query = useReferenceIndexQuery(release);
  return (
    <QueryBoundary query={query}>
      {(index) => (
        <ReferenceIndexProvider value={index}>
          <div className={classes['layout']}>
            <ReferenceNavigation index={index} />
            <div className={classes['page']}>
              <Suspense fallback={<LoadingState label={text('loading')} />}>
                <Outlet />
              </Suspense>
            </div>
          </div>
        </ReferenceIndexProvider>
      )}
    </QueryBoundary>
  );
}
