import type { ButtonHTMLAttributes, ReactNode } from 'react';
import classes from '../../styles/button.module.css';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** One primary action a page; `danger` for what cannot be taken back; `quiet` inside lists. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'regular' | 'large';
  /** The request of the button runs: it shows that, and ignores further presses, but keeps the focus. */
  readonly isBusy?: boolean;
}

/** A button. It never submits a form unless its `type` is `submit`. */
export function Button({
  kind = 'secondary',
  size = 'regular',
  isBusy = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      className={`${classes['button']} ${classes[kind]} ${classes[size]}`}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={classes['label']}>{children}</span>
    </button>
  );
}
