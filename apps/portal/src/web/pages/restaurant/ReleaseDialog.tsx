import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { releaseTableLease, type TableLease } from '@pos/rest-contracts/operators';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { TABLES } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
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
    <FormDialog
      title={text('releaseTitle')}
      cancel={text('keep')}
      submit={text('release')}
      isDangerous
      isBusy={action.isBusy}
      problem={findError(action.problem, 'reason') === undefined ? action.problem : null}
      intro={text('releaseText')}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
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
    </FormDialog>
  );
}
