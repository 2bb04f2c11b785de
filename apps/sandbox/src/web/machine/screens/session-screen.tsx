import { useState, type ReactNode } from 'react';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { MachineScreenView } from '@pos/rest-contracts/sandbox';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { ContactlessSymbol } from '../device/device-frame.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import { Screen, ScreenButton, ScreenStatus } from './screen-parts.js';
import classes from './screen.module.css';
import session from './session-screen.module.css';

const PIN_LENGTH = 4;
const PROMPTS = [
  'PresentCard',
  'PresentOnlyOneCard',
  'CardUnsupported',
  'InsertCard',
  'ReEnterCard',
  'CardError',
] as const;

interface SessionScreenProps {
  readonly running: NonNullable<MachineScreenView['session']>;
  readonly onCancel: () => void;
  readonly onPin: () => void;
  readonly onRemove: () => void;
}

/** What the machine displays of a running session, up to its outcome. */
export function SessionScreen({ running, onCancel, onPin, onRemove }: SessionScreenProps): ReactNode {
  switch (running.stage) {
    case 'card':
      return <CardPrompt running={running} onCancel={onCancel} />;
    case 'pin':
      return <PinPrompt running={running} onCancel={onCancel} onPin={onPin} />;
    case 'removal':
      return <RemovalPrompt onRemove={onRemove} />;
    case 'confirmation':
    case 'acquirer':
    case 'signature':
      return <WaitPrompt titleKey={running.stage === 'confirmation' ? 'starting' : 'PleaseWait'} />;
  }
}

type Running = SessionScreenProps['running'];

function CardPrompt({ running, onCancel }: { running: Running; onCancel: () => void }): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const shown = PROMPTS.find((prompt) => prompt === running.shows) ?? 'PresentCard';
  useMachineKeys((key) => {
    if (key === 'cancel') onCancel();
  });
  return (
    <Screen
      isCentred
      tone={shown === 'PresentCard' ? 'plain' : 'attention'}
      actions={<ScreenButton onPress={onCancel}>{t('cancel')}</ScreenButton>}
    >
      <Total running={running} />
      <div className={session['waves']} aria-hidden="true">
        <ContactlessSymbol size={84} />
      </div>
      <ScreenStatus>{t(shown)}</ScreenStatus>
      <p className={classes['note']}>{t(`${shown}Help`)}</p>
    </Screen>
  );
}

function PinPrompt({
  running,
  onCancel,
  onPin,
}: {
  running: Running;
  onCancel: () => void;
  onPin: () => void;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [count, setCount] = useState(0);
  useMachineKeys((key) => {
    if (key === 'cancel') onCancel();
    else if (key === 'clear') setCount(Math.max(0, count - 1));
    else if (key === 'enter') {
      if (count === PIN_LENGTH) onPin();
    } else setCount(Math.min(PIN_LENGTH, count + 1));
  });
  return (
    <Screen
      isCentred
      actions={
        <>
          <ScreenButton onPress={onCancel}>{t('cancel')}</ScreenButton>
          <ScreenButton kind="primary" isDisabled={count < PIN_LENGTH} onPress={onPin}>
            {t('continue')}
          </ScreenButton>
        </>
      }
    >
      <Total running={running} />
      <ScreenStatus>{t('EnterPin')}</ScreenStatus>
      <div className={session['pin']} role="img" aria-label={t('pinDigits', { count })}>
        {Array.from({ length: PIN_LENGTH }, (_, index) => (
          <span key={index} data-typed={index < count || undefined} />
        ))}
      </div>
      <p className={classes['note']}>{t('EnterPinHelp')}</p>
    </Screen>
  );
}

function RemovalPrompt({ onRemove }: { onRemove: () => void }): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  useMachineKeys((key) => {
    if (key === 'enter') onRemove();
  });
  return (
    <Screen
      isCentred
      actions={
        <ScreenButton kind="primary" onPress={onRemove}>
          {t('takeCard')}
        </ScreenButton>
      }
    >
      <svg
        className={session['arrow']}
        viewBox="0 0 24 24"
        width="84"
        height="84"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M12 3v12M7 10.5l5 5 5-5M5 21h14" />
      </svg>
      <ScreenStatus>{t('RemoveCard')}</ScreenStatus>
    </Screen>
  );
}

/** The machine or the service works. */
export function WaitPrompt({
  titleKey,
  helpKey,
  onCancel,
}: {
  titleKey: 'starting' | 'PleaseWait' | 'waiting' | 'recording' | 'givingBack';
  helpKey?: 'waitingHelp' | 'givingBackHelp';
  onCancel?: () => void;
}): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  useMachineKeys((key) => {
    if (key === 'cancel') onCancel?.();
  });
  return (
    <Screen
      isCentred
      actions={onCancel === undefined ? undefined : <ScreenButton onPress={onCancel}>{t('cancel')}</ScreenButton>}
    >
      <span className={session['spinner']} aria-hidden="true" />
      <ScreenStatus>{t(titleKey)}</ScreenStatus>
      {helpKey !== undefined && <p className={classes['note']}>{t(helpKey)}</p>}
    </Screen>
  );
}

function Total({ running }: { running: Running }): ReactNode {
  const language = useLanguage();
  const t = useMessages(MACHINE_MESSAGES);
  return (
    <>
      {running.sessionType !== 'Sale' && <p className={classes['note']}>{t('refund')}</p>}
      <p className={classes['amount']}>{formatMoney(running.total, language)}</p>
    </>
  );
}
