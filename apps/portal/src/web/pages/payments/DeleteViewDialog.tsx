import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { deletePaymentView } from '@pos/rest-contracts/portal';
import type { ReactNode } from 'react';
import type { PaymentViewAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENT_VIEWS } from '../../client/queries.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { VIEW_MESSAGES } from './view-messages.js';

interface DeleteViewDialogProps {
  readonly view: PaymentViewAnswer;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a saved view after a question that names it. */
export function DeleteViewDialog({ view: { id, name }, onDeleted, onClose }: DeleteViewDialogProps): ReactNode {
  const text = useMessages(VIEW_MESSAGES);
  const action = useAction((_: null) => callOperation(deletePaymentView, { params: { viewId: id } }), {
    refreshes: [[PAYMENT_VIEWS]],
    onDone: () => {
      onClose();
      onDeleted();
    },
  });
  return (
    <ModalDialog
      title={text('deleteTitle', { name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(null)}>
            {text('delete')}
          </Button>
        </>
      }
    >
      <p>{text('deleteText')}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}
