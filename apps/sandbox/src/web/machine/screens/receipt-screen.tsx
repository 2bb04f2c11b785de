import { useEffect, useState, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import type { ReceiptView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { ReceiptPaper } from '../../restaurant/receipt-paper.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import type { MachineClient } from '../state/machine-client.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';

interface ReceiptScreenProps {
  readonly client: MachineClient;
  readonly onBack: () => void;
  readonly onError: (error: unknown) => void;
}

/** The payer's receipt of the last payment. */
export function ReceiptScreen({ client, onBack, onError }: ReceiptScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [receipt, setReceipt] = useState<ReceiptView | null>(null);
  useMachineKeys((key) => {
    if (key === 'cancel' || key === 'enter') onBack();
  });
  useEffect(() => {
    client.readReceipt().then(setReceipt, onError);
    // The receipt is read once for each display of the screen.
  }, [client]);
  const back = (
    <ScreenButton kind="primary" onPress={onBack}>
      {t('backStep')}
    </ScreenButton>
  );
  return (
    <Screen title={t('receiptTitle')} actions={back}>
      {receipt === null ? (
        <p className={classes['note']}>{t('PleaseWait')}</p>
      ) : (
        <ReceiptPaper receipt={receipt} label={t('receiptTitle')} />
      )}
    </Screen>
  );
}
