import type { ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import { Screen, ScreenButton } from './screen-parts.js';
import idle from './idle-screen.module.css';

interface IdleScreenProps {
  readonly tradingName: string;
  /** A machine without a connection is not ready. */
  readonly isConnected: boolean;
  readonly onTables: () => void;
  /** The first digit, when the person began to type. */
  readonly onAmount: (digits: string) => void;
}

/** Nothing runs on the machine. */
export function IdleScreen({ tradingName, isConnected, onTables, onAmount }: IdleScreenProps): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  useMachineKeys((key) => {
    if (/^[1-9]$/.test(key)) onAmount(key);
    if (key === 'enter') onTables();
  });
  return (
    <Screen
      isCentred
      actions={
        <>
          <ScreenButton kind="primary" onPress={onTables}>
            {t('tables')}
          </ScreenButton>
          <ScreenButton onPress={() => onAmount('')}>{t('keyInAmount')}</ScreenButton>
        </>
      }
    >
      <div className={idle['sign']} aria-hidden="true">
        <svg
          viewBox="0 0 24 24"
          width="44"
          height="44"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d="M7 3v7a2 2 0 0 0 2 2v9M5 3v5M9 3v5M17 21v-7h-2.5V7a4 4 0 0 1 2.5-4z" />
        </svg>
      </div>
      <h1 className={idle['name']}>{tradingName}</h1>
      {isConnected && <p className={idle['ready']}>{t('ready')}</p>}
    </Screen>
  );
}
