import { Button, LoadingState, RefusedState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { RequestProblem } from '../client/call-operation.js';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import { ProblemText } from './ProblemNote.js';

interface QueryBoundaryProps<T> {
  readonly query: UseQueryResult<T>;
  readonly rows?: number;
  /** The page with its data, which also says when there is none. */
  readonly children: (data: T) => ReactNode;
}

/** The faces of a page around its data: loading, refused, and the page itself. */
export function QueryBoundary<T>({ query, rows = 5, children }: QueryBoundaryProps<T>): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const { data, error, isPending, refetch } = query;
  if (data !== undefined) return children(data);
  const loading = <LoadingState label={text('loading')} rows={rows} />;
  if (isPending) return loading;
  const retry = <Button onClick={() => void refetch()}>{text('retry')}</Button>;
  return (
    <Suspense fallback={loading}>
      <RefusedState title={text('refusedTitle')} action={retry}>
        <Refusal error={error} />
      </RefusedState>
    </Suspense>
  );
}

/** Why the data was refused, and who can help. */
function Refusal({ error }: { error: Error | null }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  if (!(error instanceof RequestProblem)) return text('unreachable');
  const help = error.problem.reason === 'permission_missing' ? text('refusedHelp') : undefined;
  return <ProblemText problem={error.problem} help={help} />;
}
