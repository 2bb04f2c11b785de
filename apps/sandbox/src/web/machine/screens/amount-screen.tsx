import { useState, type ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { changeDigits, useMachineKeys } from '../device/keypad-keys.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';

const KINDS = ['sale', 'authorisation', 'refund'] as const;
export type SaleKind = (typeof KINDS)[number];
const VERBS = { sale: 'charge', authorisation: 'hold', refund: 'giveBack' } as const;

interface AmountScreenProps {
  readonly currency: string;
  readonly firstDigits: string;
  readonly onCharge: (amount: number, kind: SaleKind) => void;
  readonly onBack: () => void;
}

/** A sale at the counter: the amount is typed. */
export function AmountScreen({ currency, firstDigits, onCharge, onBack }: AmountScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const [digits, setDigits] = useState(firstDigits);
  const [kind, setKind] = useState<SaleKind>('sale');
  const amount = Number(digits);
  const text = formatMoney({ value: amount, currencyCode: currency }, language);
  useMachineKeys((key) => {
    if (key === 'cancel') onBack();
    else if (key === 'enter') {
      if (amount > 0) onCharge(amount, kind);
    } else setDigits(changeDigits(digits, key));
  });
  return (
    <Screen
      title={t('amountTitle')}
      actions={
        <>
          <ScreenButton onPress={onBack}>{t('backStep')}</ScreenButton>
          <ScreenButton kind="primary" isDisabled={amount === 0} onPress={() => onCharge(amount, kind)}>
            {t(VERBS[kind], { amount: text })}
          </ScreenButton>
        </>
      }
    >
      <div className={classes['tabs']} role="group" aria-label={t('amountTitle')}>
        {KINDS.map((each) => (
          <button
            key={each}
            type="button"
            className={classes['tab']}
            aria-pressed={kind === each}
            onClick={() => setKind(each)}
          >
            {t(each)}
          </button>
        ))}
      </div>
      <div className={classes['centre']} aria-live="polite">
        <p className={classes['amount']}>{text}</p>
      </div>
    </Screen>
  );
}
