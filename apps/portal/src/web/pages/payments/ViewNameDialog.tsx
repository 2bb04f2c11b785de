import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { createPaymentView, renamePaymentView } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import type { PaymentViewAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENT_VIEWS } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { VIEW_MESSAGES } from './view-messages.js';

interface ViewNameDialogProps {
  readonly filter: PaymentViewAnswer['filter'];
  /** The view that gets another name; a new one is saved without it. */
  readonly view?: PaymentViewAnswer;
  readonly onClose: () => void;
}

const NAME_LENGTH_MAX = 60;

/** Names a filter, or gives a saved view another name. */
export function ViewNameDialog({ filter, view, onClose }: ViewNameDialogProps): ReactNode {
  const text = useMessages(VIEW_MESSAGES);
  const [name, setName] = useState(view?.name ?? '');
  const action = useAction(
    (newName: string): Promise<PaymentViewAnswer> =>
      view === undefined
        ? callOperation(createPaymentView, { body: { name: newName, filter } })
        : callOperation(renamePaymentView, { params: { viewId: view.id }, body: { name: newName } }),
    { refreshes: [[PAYMENT_VIEWS]], onDone: onClose },
  );
  const error = findError(action.problem, 'name');
  return (
    <FormDialog
      title={view === undefined ? text('saveTitle') : text('renameTitle', { name: view.name })}
      cancel={text('cancel')}
      submit={text(view === undefined ? 'saveDone' : 'rename')}
      isBusy={action.isBusy}
      problem={error === undefined ? action.problem : null}
      intro={view === undefined ? text('saveText') : undefined}
      onSubmit={() => void action.run(name.trim())}
      onClose={onClose}
    >
      <TextField
        label={text('name')}
        required
        maxLength={NAME_LENGTH_MAX}
        value={name}
        error={error}
        onValueChange={setName}
      />
    </FormDialog>
  );
}
