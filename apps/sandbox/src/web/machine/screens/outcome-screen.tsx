import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import type { PaymentOutcome } from '../state/payment-outcome.js';
import { Screen, ScreenButton, ScreenStatus } from './screen-parts.js';
import classes from './screen.module.css';
import outcomeClasses from './outcome-screen.module.css';

interface OutcomeScreenProps {
  readonly outcome: PaymentOutcome;
  readonly onReceipt: () => void;
  /** Null: nothing is left to pay at the table. */
  readonly onNextPart: (() => void) | null;
  readonly onDone: () => void;
}

/** How a payment ended. */
export function OutcomeScreen({ outcome, onReceipt, onNextPart, onDone }: OutcomeScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: outcome.currency }, language);
  useMachineKeys((key) => {
    if (key === 'cancel') onDone();
    if (key === 'enter') (onNextPart ?? onDone)();
  });
  return (
    <Screen
      isCentred
      tone={outcome.isPaid ? 'positive' : 'negative'}
      actions={
        <>
          {outcome.isPaid && <ScreenButton onPress={onReceipt}>{t('receipt')}</ScreenButton>}
          <ScreenButton kind={onNextPart === null ? 'primary' : 'plain'} onPress={onDone}>
            {t('done')}
          </ScreenButton>
          {onNextPart !== null && (
            <ScreenButton kind="primary" onPress={onNextPart}>
              {t('nextPart')}
            </ScreenButton>
          )}
        </>
      }
    >
      <OutcomeSymbol isPaid={outcome.isPaid} />
      <ScreenStatus>{t(outcome.titleKey)}</ScreenStatus>
      <p className={classes['amount']}>{write(outcome.amount)}</p>
      {outcome.gratuity > 0 && outcome.isPaid && (
        <p className={classes['note']}>{t('withTip', { amount: write(outcome.gratuity) })}</p>
      )}
      {outcome.outstanding !== null && outcome.isPaid && (
        <p className={classes['note']}>
          {outcome.outstanding > 0 ? t('left', { amount: write(outcome.outstanding) }) : t('nothingLeft')}
        </p>
      )}
      {outcome.cardText !== null && <p className={classes['note']}>{outcome.cardText}</p>}
      {outcome.authCode !== null && <p className={classes['note']}>{t('authCode', { code: outcome.authCode })}</p>}
      {outcome.detail !== '' && <p className={classes['error']}>{outcome.detail}</p>}
    </Screen>
  );
}

function OutcomeSymbol({ isPaid }: { isPaid: boolean }): ReactNode {
  return (
    <span
      className={`${outcomeClasses['symbol']} ${isPaid ? outcomeClasses['paid'] : outcomeClasses['unpaid']}`}
      aria-hidden="true"
    >
      <svg
        viewBox="0 0 24 24"
        width="52"
        height="52"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={isPaid ? 'M5 12.5l4.5 4.5L19 7.5' : 'M7 7l10 10M17 7L7 17'} />
      </svg>
    </span>
  );
}
