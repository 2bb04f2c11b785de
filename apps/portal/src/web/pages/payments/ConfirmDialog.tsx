import { Button, ModalDialog } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { cancelPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents';
import type { PaymentAnswer } from '../../client/answers.js';
import type { ReactNode } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { OVERVIEW, PAYMENTS } from '../../client/queries.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';

interface ConfirmDialogProps {
  readonly kind: 'reverse' | 'cancel';
  readonly payment: PaymentAnswer;
  readonly onClose: () => void;
}

/** Reverses or cancels after a question that names what happens. */
export function ConfirmDialog({ kind, payment, onClose }: ConfirmDialogProps): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const language = useLanguage();
  const params = { paymentIntentId: payment.id };
  const action = useAction(
    (_: null, idempotencyKey): Promise<unknown> =>
      kind === 'cancel'
        ? callOperation(cancelPaymentIntent, { params, idempotencyKey })
        : callOperation(reversePaymentIntent, { params, idempotencyKey }),
    { refreshes: [[PAYMENTS], [OVERVIEW]], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text(kind === 'reverse' ? 'reverseTitle' : 'cancelTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(null)}>
            {text(kind === 'reverse' ? 'reverse' : 'cancelPayment')}
          </Button>
        </>
      }
    >
      <p>
        {text(kind === 'reverse' ? 'reverseText' : 'cancelText', {
          amount: formatMoney(payment.totalAmount, language),
        })}
      </p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}
