import { TextField } from '@pos/web-ui/components';
import { formatInputAmount, formatMoney, parseAmount } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { capturePaymentIntent, refundPaymentIntent } from '@pos/rest-contracts/payment-intents';
import type { PaymentAnswer } from '../../client/answers.js';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { OVERVIEW, PAYMENTS } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';

interface AmountDialogProps {
  readonly kind: 'capture' | 'refund';
  readonly payment: PaymentAnswer;
  /** Minor units. The service checks it too; another person may act at the same time. */
  readonly max: number;
  readonly onClose: () => void;
}

/** Captures or refunds all or a part. */
export function AmountDialog({ kind, payment, max, onClose }: AmountDialogProps): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  const language = useLanguage();
  const { currencyCode } = payment.totalAmount;
  const limit = formatMoney({ value: max, currencyCode }, language);
  const [typed, setTyped] = useState(() => formatInputAmount({ value: max, currencyCode }, language));
  const [reason, setReason] = useState('');
  const [mistake, setMistake] = useState<string | undefined>(undefined);
  const action = useAction(
    (amount: number, idempotencyKey) => perform(kind, { id: payment.id, amount, reason, idempotencyKey }),
    { refreshes: [[PAYMENTS], [OVERVIEW]], onDone: onClose },
  );
  const submit = (): void => {
    const amount = parseAmount(typed, currencyCode, language);
    const isOver = amount !== null && amount > max;
    setMistake(
      amount === null || amount === 0
        ? text('amountInvalid')
        : isOver
          ? text('amountOver', { amount: limit })
          : undefined,
    );
    if (amount !== null && amount > 0 && !isOver) void action.run(amount);
  };
  const refused = findError(action.problem, 'amount');
  return (
    <FormDialog
      title={text(kind === 'capture' ? 'captureTitle' : 'refundTitle')}
      cancel={text('close')}
      submit={text(kind)}
      isDangerous={kind === 'refund'}
      isBusy={action.isBusy}
      problem={refused === undefined ? action.problem : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={text('amount')}
        inputMode="decimal"
        value={typed}
        hint={text(kind === 'capture' ? 'captureText' : 'refundText', { amount: limit })}
        error={mistake ?? refused}
        onValueChange={setTyped}
      />
      {kind === 'refund' && (
        <ReasonField reason={reason} error={findError(action.problem, 'refundReason')} onChange={setReason} />
      )}
    </FormDialog>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly error: ReactNode;
  readonly onChange: (reason: string) => void;
}

function ReasonField({ reason, error, onChange }: ReasonFieldProps): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  return (
    <TextField label={text('reason')} value={reason} hint={text('reasonHint')} error={error} onValueChange={onChange} />
  );
}

function perform(
  kind: AmountDialogProps['kind'],
  sent: { readonly id: string; readonly amount: number; readonly reason: string; readonly idempotencyKey: string },
): Promise<unknown> {
  const { id: paymentIntentId, amount, reason, idempotencyKey } = sent;
  const params = { paymentIntentId };
  if (kind === 'capture') return callOperation(capturePaymentIntent, { params, body: { amount }, idempotencyKey });
  const body = { amount, ...(reason.trim() !== '' && { refundReason: reason.trim() }) };
  return callOperation(refundPaymentIntent, { params, body, idempotencyKey });
}
