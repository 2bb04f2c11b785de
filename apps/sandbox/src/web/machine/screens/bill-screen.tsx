import type { ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { BillView, TableView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import { BillLines } from './bill-lines.js';
import { Screen, ScreenButton } from './screen-parts.js';

interface BillScreenProps {
  readonly table: TableView;
  readonly bill: BillView;
  readonly onPayAll: () => void;
  readonly onSplit: () => void;
  readonly onShowCode: () => void;
  readonly onBack: () => void;
}

/** The bill of a table. */
export function BillScreen({ table, bill, onPayAll, onSplit, onShowCode, onBack }: BillScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const language = useLanguage();
  const canPay = bill.outstanding > 0;
  useMachineKeys((key) => {
    if (key === 'cancel') onBack();
    if (key === 'enter' && canPay) onPayAll();
  });
  const amount = formatMoney({ value: bill.outstanding, currencyCode: bill.currency }, language);
  return (
    <Screen
      title={t('bill', { name: table.tableName === undefined ? table.name : `${table.tableName} · ${table.name}` })}
      actions={
        <>
          <ScreenButton isDisabled={!canPay} onPress={onSplit}>
            {t('split')}
          </ScreenButton>
          <ScreenButton kind="primary" isDisabled={!canPay} onPress={onPayAll}>
            {t('payAll', { amount })}
          </ScreenButton>
        </>
      }
    >
      <BillLines bill={bill} />
      {canPay && (
        <ScreenButton kind="quiet" onPress={onShowCode}>
          {t('showCode')}
        </ScreenButton>
      )}
    </Screen>
  );
}
