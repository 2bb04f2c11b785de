import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { PaymentAnswer } from '../../client/answers.js';
import { type ReactNode, useState } from 'react';
import { usePermission } from '../../client/session-query.js';
import { AmountDialog } from './AmountDialog.js';
import { ConfirmDialog } from './ConfirmDialog.js';
import { computeAmounts } from './payment-amounts.js';
import classes from './payment-actions.module.css';
import { PAYMENT_MESSAGES } from './payment-messages.js';
import { ReceiptDialog } from './ReceiptDialog.js';

type Kind = 'capture' | 'refund' | 'reverse' | 'cancel' | 'receipt';

/** The actions that the state of the payment and the role of the user permit. */
export function PaymentActions({ payment }: { payment: PaymentAnswer }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const [open, setOpen] = useState<Kind | null>(null);
  const [mayWrite, mayCapture, mayRefund] = [
    usePermission('payments.write'),
    usePermission('payments.capture'),
    usePermission('payments.refund'),
  ];
  const { status, captureMode } = payment;
  const { held, kept, captured, refunded } = computeAmounts(payment);
  const close = (): void => setOpen(null);
  const isReversible = captured === 0 ? status === 'Authorized' : captureMode === 'Auto' && refunded === 0;
  return (
    <div className={classes['actions']}>
      {mayWrite && status === 'Created' && <Button onClick={() => setOpen('cancel')}>{text('cancelPayment')}</Button>}
      {mayWrite && captured > 0 && <Button onClick={() => setOpen('receipt')}>{text('sendReceipt')}</Button>}
      {mayRefund && isReversible && <Button onClick={() => setOpen('reverse')}>{text('reverse')}</Button>}
      {mayRefund && kept > 0 && <Button onClick={() => setOpen('refund')}>{text('refund')}</Button>}
      {mayCapture && held > 0 && captureMode === 'Manual' && (
        <Button kind="primary" onClick={() => setOpen('capture')}>
          {text('capture')}
        </Button>
      )}
      {open === 'capture' && <AmountDialog kind="capture" payment={payment} max={held} onClose={close} />}
      {open === 'refund' && <AmountDialog kind="refund" payment={payment} max={kept} onClose={close} />}
      {(open === 'reverse' || open === 'cancel') && <ConfirmDialog kind={open} payment={payment} onClose={close} />}
      {open === 'receipt' && <ReceiptDialog payment={payment} onClose={close} />}
    </div>
  );
}
