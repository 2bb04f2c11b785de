import type { ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { type MachineKey, useKeyPress } from './keypad-keys.js';
import classes from './keypad.module.css';

const DIGITS: readonly MachineKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The keys below the display. */
export function Keypad(): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const press = useKeyPress();
  const digit = (key: MachineKey): ReactNode => (
    <button
      key={key}
      type="button"
      className={classes['key']}
      aria-label={t('digitKey', { digit: key })}
      onClick={() => press(key)}
    >
      {key}
    </button>
  );
  return (
    <div className={classes['keypad']} role="group" aria-label={t('keypad')}>
      {DIGITS.map(digit)}
      <span className={classes['zero']}>{digit('0')}</span>
      <FunctionKey name="cancel" label={t('cancelKey')} path="M6 6l12 12M18 6L6 18" />
      <FunctionKey name="clear" label={t('clearKey')} path="M15 6l-6 6 6 6" />
      <FunctionKey name="enter" label={t('enterKey')} path="M5 13l5 5L19 7" />
    </div>
  );
}

function FunctionKey({
  name,
  label,
  path,
}: {
  name: 'cancel' | 'clear' | 'enter';
  label: string;
  path: string;
}): ReactNode {
  const press = useKeyPress();
  return (
    <button
      type="button"
      className={`${classes['key']} ${classes[name]}`}
      aria-label={label}
      onClick={() => press(name)}
    >
      <KeySymbol path={path} />
    </button>
  );
}

function KeySymbol({ path }: { path: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      width="22"
      height="22"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}
