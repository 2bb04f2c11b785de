import { useState, type ReactNode } from 'react';
import { Button } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { readGuestReceipt, type ReceiptView, type TablePaymentView } from '@pos/rest-contracts/sandbox';
import { GUEST_MESSAGES } from '../messages/guest-messages.js';
import { ReceiptPaper } from '../restaurant/receipt-paper.js';
import { callSandbox } from '../restaurant/sandbox-request.js';
import classes from './guest-page.module.css';

interface GuestPaymentProps {
  readonly payment: TablePaymentView;
  readonly token: string;
  readonly onCancel: () => void;
  readonly onDismiss: () => void;
}

/** The payment of this phone: its turn, its payment page, and its end. */
export function GuestPayment(props: GuestPaymentProps): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const language = useLanguage();
  const { payment, onCancel } = props;
  const { baseAmount, gratuityAmount, currency: currencyCode } = payment;
  const amount = formatMoney({ value: baseAmount + gratuityAmount, currencyCode }, language);
  const cancel = <Button onClick={onCancel}>{t('cancel')}</Button>;
  switch (payment.state) {
    case 'waiting':
      return payment.detail === '' ? (
        <Progress title={t('starting')} />
      ) : (
        <Progress title={t('waiting')} help={t('waitingHelp')} action={cancel} />
      );
    case 'started':
      if (payment.paymentLink === undefined) return <Progress title={t('starting')} />;
      return (
        <section className={classes['panel']} role="status">
          <a className={classes['link']} href={payment.paymentLink} target="_blank" rel="noreferrer">
            {t('openLink', { amount })}
          </a>
          <p className={classes['note']}>{t('openLinkHelp')}</p>
          {cancel}
        </section>
      );
    case 'approved':
    case 'recording':
    case 'givingBack':
      return <Progress title={t('working')} />;
    case 'recorded':
      return <PaidPart {...props} amount={amount} />;
    case 'givenBack':
    case 'ended':
    case 'refused':
    case 'needsOperator':
      return (
        <Progress
          title={t(payment.state === 'givenBack' ? 'givenBack' : 'notPaid')}
          help={payment.detail}
          action={<Button onClick={props.onDismiss}>{t('again')}</Button>}
        />
      );
  }
}

function Progress({ title, help, action }: { title: string; help?: string; action?: ReactNode }): ReactNode {
  return (
    <section className={classes['panel']} role="status">
      <h2 className={classes['title']}>{title}</h2>
      {help !== undefined && help !== '' && <p className={classes['note']}>{help}</p>}
      {action}
    </section>
  );
}

function PaidPart({ payment, token, onDismiss, amount }: GuestPaymentProps & { amount: string }): ReactNode {
  const t = useMessages(GUEST_MESSAGES);
  const language = useLanguage();
  const [receipt, setReceipt] = useState<ReceiptView | null>(null);
  const left = payment.outstanding ?? 0;
  const readReceipt = (): void => {
    callSandbox(readGuestReceipt, { params: { token } }).then(setReceipt, () => undefined);
  };
  return (
    <section className={classes['paid']} role="status">
      <h2 className={classes['title']}>{t('done', { amount })}</h2>
      <p className={classes['note']}>
        {left > 0
          ? t('left', { amount: formatMoney({ value: left, currencyCode: payment.currency }, language) })
          : t('thanks')}
      </p>
      <div className={classes['actions']}>
        <Button onClick={readReceipt}>{t('receipt')}</Button>
        {left > 0 && <Button onClick={onDismiss}>{t('again')}</Button>}
      </div>
      {receipt !== null && <ReceiptPaper receipt={receipt} label={t('receipt')} />}
    </section>
  );
}
