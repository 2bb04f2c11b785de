import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';
import tip from './tip-screen.module.css';

/** Tenths of a percent. */
const TIPS_PER_MILLE = [100, 125, 150] as const;

interface TipScreenProps {
  readonly amount: number;
  readonly currency: string;
  readonly onChoose: (gratuity: number) => void;
  readonly onBack: () => void;
}

/** Asks the payer for a tip. */
export function TipScreen({ amount, currency, onChoose, onBack }: TipScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const write = (value: number): string => formatMoney({ value, currencyCode: currency }, language);
  useMachineKeys((key) => {
    if (key === 'cancel') onBack();
    if (key === 'enter' || key === '0') onChoose(0);
  });
  return (
    <Screen
      title={t('tipTitle')}
      actions={
        <ScreenButton kind="quiet" onPress={onBack}>
          {t('backStep')}
        </ScreenButton>
      }
    >
      <div className={tip['sum']}>
        <p className={classes['amount']}>{write(amount)}</p>
      </div>
      <div className={tip['options']}>
        {TIPS_PER_MILLE.map((perMille) => {
          const gratuity = Math.round((amount * perMille) / 1000);
          const percent = (perMille / 10).toLocaleString(language);
          return (
            <button key={perMille} type="button" className={tip['option']} onClick={() => onChoose(gratuity)}>
              <span className={tip['percent']}>{t('tipOption', { percent })}</span>
              <span className={classes['note']}>{write(gratuity)}</span>
            </button>
          );
        })}
      </div>
      <ScreenButton kind="primary" onPress={() => onChoose(0)}>
        {t('noTip')}
      </ScreenButton>
    </Screen>
  );
}
