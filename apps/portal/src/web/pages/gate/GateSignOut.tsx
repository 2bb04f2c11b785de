import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { signOut } from '@pos/rest-contracts/portal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { SESSION } from '../../client/queries.js';
import { SHELL_MESSAGES } from '../../shell/shell-messages.js';

/** The way out for a user who does not do what is asked. After a failure the session is read again. */
export function GateSignOut(): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => callOperation(signOut, {}),
    onSuccess: () => client.setQueryData([SESSION], null),
    onError: () => client.invalidateQueries({ queryKey: [SESSION] }),
  });
  return (
    <div>
      <Button kind="quiet" isBusy={ending.isPending} onClick={() => ending.mutate()}>
        {text('signOut')}
      </Button>
    </div>
  );
}
