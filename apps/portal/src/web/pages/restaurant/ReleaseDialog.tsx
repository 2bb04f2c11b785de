import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { TableLease } from '@pos/rest-contracts/operators/pay-at-table';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { releaseTableLease } from '../../client/endpoints.js';
import { TABLES } from '../../client/queries.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { RESTAURANT_MESSAGES } from './restaurant-messages.js';
import classes from './restaurant.module.css';

interface ReleaseDialogProps {
  readonly lease: Readonly<TableLease>;
  readonly onClose: () => void;
}

/** Ends the lease of a device. Open money needs a second consent. */
export function ReleaseDialog({ lease, onClose }: ReleaseDialogProps): ReactNode {
  const text = useMessages(RESTAURANT_MESSAGES);
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState(false);
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(releaseTableLease, {
        params: { leaseId: lease.leaseId },
        body: { reason, confirm },
        idempotencyKey,
      }),
    { refreshes: [[TABLES]], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text('releaseTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" type="submit" form="release-form" isBusy={action.isBusy}>
            {text('release')}
          </Button>
        </>
      }
    >
      <p>{text('releaseText')}</p>
      {findError(action.problem, 'reason') === undefined && <ProblemNote problem={action.problem} />}
      <form
        id="release-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <TextField
          label={text('reason')}
          required
          value={reason}
          error={findError(action.problem, 'reason')}
          onValueChange={setReason}
        />
        {lease.openPayments > 0 && (
          <label className={classes['check']}>
            <input type="checkbox" checked={confirm} onChange={({ target }) => setConfirm(target.checked)} />
            {text('confirm')}
          </label>
        )}
      </form>
    </ModalDialog>
  );
}
