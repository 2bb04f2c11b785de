import type { ReactNode } from 'react';
import classes from './screen.module.css';

interface ScreenProps {
  readonly title?: string | undefined;
  readonly children: ReactNode;
  /** The buttons at the lower edge. */
  readonly actions?: ReactNode;
  readonly isCentred?: boolean;
  readonly tone?: 'plain' | 'positive' | 'negative' | 'attention';
}

/** One screen of the machine. */
export function Screen({ title, children, actions, isCentred = false, tone = 'plain' }: ScreenProps): ReactNode {
  return (
    <div className={`${classes['screen']} ${classes[tone]}`}>
      {title !== undefined && <h1 className={classes['title']}>{title}</h1>}
      <div className={isCentred ? classes['centre'] : classes['body']}>{children}</div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </div>
  );
}

interface ScreenButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  readonly kind?: 'primary' | 'plain' | 'quiet';
  readonly isDisabled?: boolean;
}

/** A touch target on the display. */
export function ScreenButton({ children, onPress, kind = 'plain', isDisabled = false }: ScreenButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`${classes['button']} ${classes[`${kind}Button`]}`}
      disabled={isDisabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** The heading of a screen that changes by itself: screen readers read it at once. */
export function ScreenStatus({ children }: { children: ReactNode }): ReactNode {
  return (
    <div role="status">
      <h1 className={classes['large']}>{children}</h1>
    </div>
  );
}
