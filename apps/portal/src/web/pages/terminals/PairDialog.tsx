import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { resetTerminalMachine } from '@pos/rest-contracts/accounts';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TERMINALS } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { TERMINAL_MESSAGES } from './terminal-messages.js';

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
    <FormDialog
      title={text('pairTitle', { tid })}
      cancel={text('keep')}
      submit={text('pair')}
      isDangerous
      isBusy={action.isBusy}
      problem={error === undefined ? action.problem : null}
      intro={text('pairText')}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
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
    </FormDialog>
  );
}
