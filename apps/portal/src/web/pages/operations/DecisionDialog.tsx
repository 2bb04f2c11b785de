import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { resolvePendingPayment, type PendingPayment } from '@pos/rest-contracts/operators';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { PENDING } from '../../client/queries.js';
import { Choice } from '../../components/Choice.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { OPERATIONS_MESSAGES } from './operations-messages.js';

const ACTIONS = [
  ...(['RetryNow', 'MarkRecorded', 'GiveBack', 'MarkNotHeld'] as const),
  ...(['SettleAsListed', 'MarkRefunded', 'MarkNotRefunded'] as const),
] as const;

const DIFFERENCE_ACTIONS = ['MarkNotTaken', 'SettleAsListed'] as const;

interface DecisionDialogProps {
  readonly payment: Readonly<PendingPayment>;
  readonly onClose: () => void;
}

/** Decides about a payment whose outcome is open. The service refuses what its state does not permit. */
export function DecisionDialog({ payment, onClose }: DecisionDialogProps): ReactNode {
  const text = useMessages(OPERATIONS_MESSAGES);
  const actions = payment.state === 'Difference' ? DIFFERENCE_ACTIONS : ACTIONS;
  const [decision, setDecision] = useState<(typeof actions)[number]>(actions[0]);
  const [note, setNote] = useState('');
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(resolvePendingPayment, {
        params: { paymentId: payment.paymentId },
        body: { action: decision, note },
        idempotencyKey,
      }),
    { refreshes: [[PENDING]], onDone: onClose },
  );
  return (
    <FormDialog
      title={text('decideTitle')}
      cancel={text('keep')}
      submit={text('decide')}
      isDangerous
      isBusy={action.isBusy}
      problem={findError(action.problem, 'note') === undefined ? action.problem : null}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <Choice
        label={text('action')}
        value={decision}
        options={actions.map((each) => [each, text(each)])}
        onChange={setDecision}
      />
      <TextField
        label={text('note')}
        required
        value={note}
        hint={text('noteHint')}
        error={findError(action.problem, 'note')}
        onValueChange={setNote}
      />
    </FormDialog>
  );
}
