import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { resetTerminalMachine } from '../../client/endpoints.js';
import { TERMINALS } from '../../client/queries.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { TERMINAL_MESSAGES } from './terminal-messages.js';
import classes from './terminals.module.css';

interface PairDialogProps {
  readonly terminalId: string;
  readonly tid: string;
  readonly onPaired: () => void;
  readonly onClose: () => void;
}

/** Releases the TID of a machine, so that the next one that connects is paired. */
export function PairDialog({ terminalId, tid, onPaired, onClose }: PairDialogProps): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  const [note, setNote] = useState('');
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(resetTerminalMachine, { params: { terminalId }, body: { note }, idempotencyKey }),
    {
      refreshes: [[TERMINALS]],
      onDone: () => {
        onPaired();
        onClose();
      },
    },
  );
  const error = findError(action.problem, 'note');
  return (
    <ModalDialog
      title={text('pairTitle', { tid })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" type="submit" form="pair-form" isBusy={action.isBusy}>
            {text('pair')}
          </Button>
        </>
      }
    >
      <p>{text('pairText')}</p>
      {error === undefined && <ProblemNote problem={action.problem} />}
      <form
        id="pair-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <TextField
          label={text('reason')}
          hint={text('reasonHint')}
          required
          maxLength={1024}
          value={note}
          error={error}
          onValueChange={setNote}
        />
      </form>
    </ModalDialog>
  );
}
