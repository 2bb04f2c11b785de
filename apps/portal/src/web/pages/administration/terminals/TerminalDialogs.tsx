import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import {
  registerAdministeredTerminal,
  replaceAdministeredTerminal,
  resetAdministeredTerminal,
} from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import type { TerminalAnswer } from '../administration-answers.js';
import { ChangeDialog } from '../ChangeDialog.js';
import type { Target } from '../target.js';
import { ADMINISTERED_TERMINAL_MESSAGES } from './terminal-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

interface RegisterDialogProps {
  readonly target: Target;
  readonly onClose: () => void;
}

/** Registers a card machine. */
export function RegisterDialog({ target, onClose }: RegisterDialogProps): ReactNode {
  const text = useMessages(ADMINISTERED_TERMINAL_MESSAGES);
  const [tid, setTid] = useState('');
  const [name, setName] = useState('');
  const [model, setModel] = useState('');
  const action = useAction(
    (reason: string) =>
      callOperation(registerAdministeredTerminal, {
        body: { ...target, tid, name, ...(model !== '' && { model }), reason },
      }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text('register')}
      label={text('register')}
      action={action}
      members={['tid', 'name', 'model']}
      onClose={onClose}
    >
      <TextField
        label={text('tid')}
        required
        value={tid}
        hint={text('tidHint')}
        error={findError(action.problem, 'tid')}
        onValueChange={setTid}
      />
      <TextField
        label={text('name')}
        required
        value={name}
        hint={text('nameHint')}
        error={findError(action.problem, 'name')}
        onValueChange={setName}
      />
      <TextField
        label={text('model')}
        value={model}
        error={findError(action.problem, 'model')}
        onValueChange={setModel}
      />
    </ChangeDialog>
  );
}

/** What an operator does with a terminal. */
export interface TerminalChange {
  readonly kind: 'replace' | 'reset';
  readonly terminal: TerminalAnswer;
}

interface TerminalChangeDialogProps extends RegisterDialogProps {
  readonly change: TerminalChange;
}

/** Gives the terminal to another machine, or frees it for the same one. */
export function TerminalChangeDialog({ change, target, onClose }: TerminalChangeDialogProps): ReactNode {
  const text = useMessages(ADMINISTERED_TERMINAL_MESSAGES);
  const { kind, terminal } = change;
  const [tid, setTid] = useState('');
  const [model, setModel] = useState('');
  const action = useAction(
    (reason: string) => {
      const body = { ...target, terminal: terminal.id, reason };
      return kind === 'reset'
        ? callOperation(resetAdministeredTerminal, { body })
        : callOperation(replaceAdministeredTerminal, {
            body: { ...body, ...(tid !== '' && { tid }), ...(model !== '' && { model }) },
          });
    },
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog
      title={text(`${kind}Title`)}
      label={text(kind)}
      isDangerous
      action={action}
      members={['tid', 'model']}
      onClose={onClose}
    >
      <p>{text(`${kind}Text`)}</p>
      {kind === 'replace' && (
        <>
          <TextField
            label={text('tid')}
            value={tid}
            hint={text('unchanged')}
            error={findError(action.problem, 'tid')}
            onValueChange={setTid}
          />
          <TextField
            label={text('model')}
            value={model}
            hint={text('unchanged')}
            error={findError(action.problem, 'model')}
            onValueChange={setModel}
          />
        </>
      )}
    </ChangeDialog>
  );
}
