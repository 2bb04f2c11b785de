import type { ReactNode } from 'react';
import { Keypad } from './keypad.js';
import classes from './device-frame.module.css';

interface DeviceFrameProps {
  readonly label: string;
  readonly children: ReactNode;
  /** The card that sticks in the slot or is held to the reader. */
  readonly card: ReactNode;
  readonly isCardInserted: boolean;
  /** On a phone the keys take space from the display, so they are there only while digits are typed. */
  readonly needsKeys: boolean;
}

/** The body of the machine around its display. On a phone the display fills the window. */
export function DeviceFrame({ label, children, card, isCardInserted, needsKeys }: DeviceFrameProps): ReactNode {
  return (
    <section className={classes['device']} aria-label={label} data-keys={needsKeys || undefined}>
      <div className={classes['top']} aria-hidden="true">
        <ContactlessSymbol />
        <span className={classes['lights']}>
          <i data-on={isCardInserted || undefined} />
          <i data-on={isCardInserted || undefined} />
          <i data-on={isCardInserted || undefined} />
          <i data-on={isCardInserted || undefined} />
        </span>
      </div>
      <div className={classes['display']}>{children}</div>
      <div className={classes['keys']}>
        <Keypad />
      </div>
      <div className={classes['slot']} aria-hidden="true" data-card={isCardInserted || undefined}>
        {card}
      </div>
    </section>
  );
}

/** Four waves: cards are held here. */
export function ContactlessSymbol({ size = 26 }: { size?: number }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M6 9.5a5 5 0 0 1 0 5M9.5 7.5a9 9 0 0 1 0 9M13 5.5a13 13 0 0 1 0 13M16.5 3.5a17 17 0 0 1 0 17" />
    </svg>
  );
}
