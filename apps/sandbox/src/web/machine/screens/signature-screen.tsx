import { useState, type PointerEvent, type ReactNode } from 'react';
import { useMessages } from '@pos/web-ui/messages';
import { MACHINE_MESSAGES } from '../../messages/machine-messages.js';
import { useMachineKeys } from '../device/keypad-keys.js';
import { Screen, ScreenButton } from './screen-parts.js';
import classes from './screen.module.css';
import pad from './signature-screen.module.css';

/** The payer signs, and the waiter accepts or rejects. The drawing stays in the browser. */
export function SignatureScreen({ onDecide }: { onDecide: (isAccepted: boolean) => void }): ReactNode {
  const t = useMessages(MACHINE_MESSAGES);
  const [strokes, setStrokes] = useState<readonly string[]>([]);
  useMachineKeys((key) => {
    if (key === 'enter') onDecide(true);
    if (key === 'cancel') onDecide(false);
    if (key === 'clear') setStrokes([]);
  });
  const draw = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const point = `${Math.round(event.clientX - box.left)} ${Math.round(event.clientY - box.top)}`;
    if (event.type === 'pointerdown') setStrokes((drawn) => [...drawn, `M${point}`]);
    else if (event.buttons === 1)
      setStrokes((drawn) => [...drawn.slice(0, -1), `${drawn.at(-1) ?? `M${point}`} L${point}`]);
  };
  return (
    <Screen
      title={t('signatureTitle')}
      actions={
        <>
          <ScreenButton onPress={() => onDecide(false)}>{t('reject')}</ScreenButton>
          <ScreenButton kind="primary" onPress={() => onDecide(true)}>
            {t('accept')}
          </ScreenButton>
        </>
      }
    >
      <p className={classes['note']}>{t('signatureHelp')}</p>
      <div className={pad['pad']} role="img" aria-label={t('signaturePad')} onPointerDown={draw} onPointerMove={draw}>
        <svg
          width="100%"
          height="100%"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d={strokes.join(' ')} />
        </svg>
      </div>
    </Screen>
  );
}
