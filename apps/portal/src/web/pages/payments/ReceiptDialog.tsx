import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { PaymentAnswer } from '../../client/answers.js';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { sendReceipt } from '../../client/endpoints.js';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import classes from './payment-actions.module.css';
import { PAYMENT_MESSAGES } from './payment-messages.js';

interface ReceiptDialogProps {
  readonly payment: PaymentAnswer;
  readonly onClose: () => void;
}

/** Mails the receipt to one address. */
export function ReceiptDialog({ payment, onClose }: ReceiptDialogProps): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const [email, setEmail] = useState(payment.customer?.emailAddress ?? '');
  const params = { paymentIntentId: payment.id };
  const action = useAction(
    (_: null, idempotencyKey) => callOperation(sendReceipt, { params, body: { emails: [email] }, idempotencyKey }),
    { refreshes: [], onDone: onClose },
  );
  const refused = findError(action.problem, 'emails', 'emails[0]', 'emails.0');
  return (
    <ModalDialog
      title={text('receiptTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('close')}</Button>
          <Button kind="primary" type="submit" form="receipt-form" isBusy={action.isBusy}>
            {text('sendReceipt')}
          </Button>
        </>
      }
    >
      {refused === undefined && <ProblemNote problem={action.problem} />}
      <form
        id="receipt-form"
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(null);
        }}
      >
        <TextField label={text('emails')} type="email" value={email} error={refused} onValueChange={setEmail} />
      </form>
    </ModalDialog>
  );
}
