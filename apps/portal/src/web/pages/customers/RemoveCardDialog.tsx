import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { deleteSavedCard } from '@pos/rest-contracts/payment-intents';
import type { ReactNode } from 'react';
import type { SavedCardAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { CUSTOMERS } from '../../client/queries.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { CUSTOMER_MESSAGES } from './customer-messages.js';
import { formatSavedCard } from './saved-card-text.js';

interface RemoveCardDialogProps {
  readonly customerId: string;
  readonly card: SavedCardAnswer;
  readonly onClose: () => void;
}

/** Erases a saved card after a question that names it. */
export function RemoveCardDialog({ customerId, card, onClose }: RemoveCardDialogProps): ReactNode {
  const text = useMessages(CUSTOMER_MESSAGES);
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(deleteSavedCard, { params: { customerId, paymentMethodId: card.id }, idempotencyKey }),
    { refreshes: [[CUSTOMERS, customerId, 'cards']], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text('removeTitle', { card: formatSavedCard(card) })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(null)}>
            {text('remove')}
          </Button>
        </>
      }
    >
      <p>{text('removeText')}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}
