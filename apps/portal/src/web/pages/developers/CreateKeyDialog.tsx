import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { createApiKey as contract } from '@pos/rest-contracts/accounts/api-keys';
import type { SentBodyOf } from '@pos/rest-contracts/operation/operation';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { createApiKey } from '../../client/endpoints.js';
import { API_KEYS } from '../../client/queries.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { DEVELOPER_MESSAGES } from './developer-messages.js';
import classes from './developers.module.css';

type KeyRole = NonNullable<SentBodyOf<typeof contract>['role']>;

const ROLES = [
  'full',
  'read-only',
  'terminal-only',
  'webhooks-only',
  'epos-only',
  'gateway',
  'machines-only',
  'pci',
] as const satisfies readonly KeyRole[];

/** Creates a key, and shows its text once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<KeyRole>('full');
  const [key, setKey] = useState<string | null>(null);
  const action = useAction(
    (_: null, idempotencyKey) => callOperation(createApiKey, { body: { label, role }, idempotencyKey }),
    { refreshes: [[API_KEYS]], onDone: (created) => setKey(created.key ?? '') },
  );
  if (key !== null) return <KeyOnce text={key} onClose={onClose} />;
  return (
    <ModalDialog
      title={text('createKey')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('close')}</Button>
          <Button kind="primary" type="submit" form="key-form" isBusy={action.isBusy}>
            {text('createKey')}
          </Button>
        </>
      }
    >
      {findError(action.problem, 'label', 'role') === undefined && <ProblemNote problem={action.problem} />}
      <form
        id="key-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <TextField
          label={text('label')}
          required
          value={label}
          hint={text('labelHint')}
          error={findError(action.problem, 'label')}
          onValueChange={setLabel}
        />
        <label className={classes['choice']}>
          {text('role')}
          <select
            value={role}
            onChange={({ target }) => setRole(ROLES.find((each) => each === target.value) ?? 'full')}
          >
            {ROLES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </form>
    </ModalDialog>
  );
}

function KeyOnce({ text: key, onClose }: { text: string; onClose: () => void }): ReactNode {
  const text = useMessages(DEVELOPER_MESSAGES);
  const [isCopied, setCopied] = useState(false);
  return (
    <ModalDialog
      title={text('keyOnceTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void navigator.clipboard.writeText(key).then(() => setCopied(true))}>
            {text(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {text('done')}
          </Button>
        </>
      }
    >
      <p>{text('keyOnceText')}</p>
      <code className={classes['secret']}>{key}</code>
    </ModalDialog>
  );
}
