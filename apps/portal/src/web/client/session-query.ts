import { readPortalSession } from '@pos/rest-contracts/portal';
import type { SessionAnswer } from './answers.js';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { callOperation, RequestProblem } from './call-operation.js';
import { SESSION } from './queries.js';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: [SESSION],
  queryFn: async ({ signal, client }): Promise<SessionAnswer | null> => {
    try {
      const session = await callOperation(readPortalSession, { signal });
      const { current } = client.getQueryData<SessionAnswer | null>([SESSION]) ?? {};
      // Another page has chosen another account: nothing of the previous one stays in memory.
      if (current !== undefined && !isSameAccount(current, session.current))
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
      return session;
    } catch (error) {
      if (error instanceof RequestProblem && error.problem.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

type Working = NonNullable<SessionAnswer['current']>;

function isSameAccount(one: Working, other: Working | undefined): boolean {
  return one.accountId === other?.accountId && one.environment === other.environment;
}

/** The account that the user works in. Only for pages of the shell, which shows them once one is chosen. */
export function useWorkingAccount(): Working {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data?.current === undefined) throw new Error('no account is chosen');
  return data.current;
}

/** Whether the role of the user has the permission. */
export function usePermission(permission: Working['permissions'][number]): boolean {
  return useWorkingAccount().permissions.includes(permission);
}
