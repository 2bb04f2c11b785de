import { Button, ModalDialog, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { ROLES } from '@pos/core/identity';
import { createApiKey } from '@pos/rest-contracts/accounts';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { API_KEYS } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { FULL_ROLE, KeyPermissions } from '../../components/api-keys/KeyPermissions.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { useShowSecret } from '../../components/SecretOnce.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';

/** Creates a key, and shows its text once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState(FULL_ROLE);
  const [isLost, setLost] = useState(false);
  const showSecret = useShowSecret();
  const action = useAction(
    (_: null, idempotencyKey) => {
      const { role, grants } = chosen;
      const granted = grants.length === 0 ? { role } : { permissions: [...ROLES[role], ...grants] };
      return callOperation(createApiKey, { body: { label, ...granted }, idempotencyKey });
    },
    {
      refreshes: [[API_KEYS]],
      onDone: ({ key }) => {
        // The first answer was lost, and a repeated request does not return the text again.
        if (key === undefined) {
          setLost(true);
          return;
        }
        showSecret({ title: text('keyOnceTitle'), secret: key, children: text('keyOnceText') });
        onClose();
      },
    },
  );
  if (isLost) return <LostKey label={label} onClose={onClose} />;
  return (
    <FormDialog
      title={text('createKey')}
      cancel={text('close')}
      submit={text('createKey')}
      isBusy={action.isBusy}
      problem={findError(action.problem, 'label', 'role') === undefined ? action.problem : null}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <TextField
        label={text('label')}
        required
        value={label}
        hint={text('labelHint')}
        error={findError(action.problem, 'label')}
        onValueChange={setLabel}
      />
      <KeyPermissions chosen={chosen} onChange={setChosen} />
    </FormDialog>
  );
}

/** The key exists, and nobody has its text. */
function LostKey({ label, onClose }: { label: string; onClose: () => void }): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const done = (
    <Button kind="primary" onClick={onClose}>
      {text('close')}
    </Button>
  );
  return (
    <ModalDialog title={text('keyLostTitle')} isOpen onClose={onClose} actions={done}>
      <p>{text('keyLostText', { label })}</p>
    </ModalDialog>
  );
}
