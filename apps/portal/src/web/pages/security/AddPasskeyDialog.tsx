import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { addPasskey, beginPasskey } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../../client/call-operation.js';
import { createPasskey, PasskeyNotGiven } from '../../client/passkeys.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { SECURITY_MESSAGES } from './security-messages.js';

interface FactorDialogProps {
  readonly onDone: (answer: { readonly recoveryCodes?: readonly string[] | undefined }) => void;
  readonly onClose: () => void;
}

/** Has the browser create a passkey, and stores it under a name. */
export function AddPasskeyDialog({ onDone, onClose }: FactorDialogProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const [name, setName] = useState('');
  const [isFailed, setFailed] = useState(false);
  const action = useAction(
    async () => {
      const options = await callOperation(beginPasskey, {});
      const passkey = await createPasskey(options).catch((error: unknown) => {
        if (!(error instanceof PasskeyNotGiven)) throw error;
        setFailed(true);
        throw new RequestProblem({ ...NOTHING, detail: error.message });
      });
      return callOperation(addPasskey, { body: { name: name.trim(), passkey } });
    },
    {
      refreshes: [],
      onDone: (answer) => {
        onClose();
        onDone(answer);
      },
    },
  );
  return (
    <FormDialog
      title={text('addPasskey')}
      cancel={text('cancel')}
      submit={text('addPasskey')}
      isReady={name.trim() !== ''}
      isBusy={action.isBusy}
      problem={isFailed || action.problem?.errors['name'] !== undefined ? null : action.problem}
      onSubmit={() => {
        setFailed(false);
        void action.run(undefined);
      }}
      onClose={onClose}
    >
      <TextField
        label={text('passkeyName')}
        value={name}
        required
        maxLength={100}
        error={isFailed ? text('passkeyFailed') : findError(action.problem, 'name')}
        onValueChange={setName}
      />
    </FormDialog>
  );
}

/** The browser refused, and no request was made. */
const NOTHING = { status: 400, title: '', detail: '', reason: 'unknown', errors: {}, traceId: '' };
