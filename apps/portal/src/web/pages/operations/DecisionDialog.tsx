import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { PendingPayment } from '@pos/rest-contracts/operators/pay-at-table';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { resolvePendingPayment } from '../../client/endpoints.js';
import { PENDING } from '../../client/queries.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { OPERATIONS_MESSAGES } from './operations-messages.js';
import classes from './operations.module.css';

const ACTIONS = ['RetryNow', 'MarkRecorded', 'GiveBack', 'SettleAsListed', 'MarkRefunded', 'MarkNotRefunded'] as const;

interface DecisionDialogProps {
  readonly payment: Readonly<PendingPayment>;
  readonly onClose: () => void;
}

/** Decides about a payment whose outcome is open. The service refuses what its state does not permit. */
export function DecisionDialog({ payment, onClose }: DecisionDialogProps): ReactNode {
  const text = useMessages(OPERATIONS_MESSAGES);
  const [decision, setDecision] = useState<(typeof ACTIONS)[number]>('RetryNow');
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
    <ModalDialog
      title={text('decideTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" type="submit" form="decision-form" isBusy={action.isBusy}>
            {text('decide')}
          </Button>
        </>
      }
    >
      {findError(action.problem, 'note') === undefined && <ProblemNote problem={action.problem} />}
      <form
        id="decision-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <label className={classes['choice']}>
          {text('action')}
          <select
            value={decision}
            onChange={({ target }) => setDecision(ACTIONS.find((each) => each === target.value) ?? 'RetryNow')}
          >
            {ACTIONS.map((each) => (
              <option key={each} value={each}>
                {text(each)}
              </option>
            ))}
          </select>
        </label>
        <TextField
          label={text('note')}
          required
          value={note}
          hint={text('noteHint')}
          error={findError(action.problem, 'note')}
          onValueChange={setNote}
        />
      </form>
    </ModalDialog>
  );
}
