import { choosePortalAccount } from '@pos/rest-contracts/portal';
import type { SessionAnswer } from '../client/answers.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOperation } from '../client/call-operation.js';
import { SESSION } from '../client/queries.js';

type AccountRole = SessionAnswer['accounts'][number];

/** Works in another account from now on: nothing of the previous one stays in memory. */
export function useAccountChoice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ accountId, environment }: AccountRole) =>
      callOperation(choosePortalAccount, { body: { accountId, environment } }),
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION });
      client.setQueryData([SESSION], session);
    },
  });
}
