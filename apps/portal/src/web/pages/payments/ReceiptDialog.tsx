import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { sendReceipt } from '@pos/rest-contracts/payment-intents';
import type { PaymentAnswer } from '../../client/answers.js';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
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
    <FormDialog
      title={text('receiptTitle')}
      cancel={text('close')}
      submit={text('sendReceipt')}
      isBusy={action.isBusy}
      problem={refused === undefined ? action.problem : null}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <TextField label={text('emails')} type="email" value={email} error={refused} onValueChange={setEmail} />
    </FormDialog>
  );
}
