import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { beginPasskeySignIn, completeSignIn } from '@pos/rest-contracts/portal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../client/call-operation.js';
import { signWithPasskey } from '../client/passkeys.js';
import { SESSION } from '../client/queries.js';
import { FACTOR_MESSAGES } from './factor-messages.js';
import { FactorError } from './SecondFactorStep.js';

/** Signs in by a passkey alone. It verifies its user, so it is both factors. */
export function PasskeySignIn(): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  const client = useQueryClient();
  const signingIn = useMutation({
    mutationFn: async () => {
      const passkey = await signWithPasskey(await callOperation(beginPasskeySignIn, {}));
      return callOperation(completeSignIn, { body: { passkey } });
    },
    onSuccess: (session) => client.setQueryData([SESSION], session),
  });
  return (
    <>
      <FactorError error={signingIn.error} />
      <Button size="large" isBusy={signingIn.isPending} onClick={() => signingIn.mutate()}>
        {text('signInByPasskey')}
      </Button>
    </>
  );
}
