import { Field } from '@base-ui/react/field';
import type { InputHTMLAttributes, ReactNode } from 'react';
import classes from '../../styles/text-field.module.css';

interface TextFieldProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'style' | 'onChange' | 'defaultValue' | 'value'
> {
  readonly label: string;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  /** What the field expects, below it. */
  readonly hint?: string | undefined;
  /** Why the value is refused. It replaces the hint and is read out with the field. */
  readonly error?: ReactNode;
}

/** A labelled input; its message is connected to it for screen readers. */
export function TextField({ label, value, onValueChange, hint, error, ...rest }: TextFieldProps): ReactNode {
  return (
    <Field.Root className={classes['field']} invalid={error !== undefined}>
      <Field.Label className={classes['label']}>{label}</Field.Label>
      <Field.Control
        {...rest}
        className={classes['input']}
        value={value}
        onValueChange={(next) => onValueChange(next)}
      />
      {error !== undefined && (
        <Field.Error match className={classes['error']}>
          {error}
        </Field.Error>
      )}
      {error === undefined && hint !== undefined && (
        <Field.Description className={classes['hint']}>{hint}</Field.Description>
      )}
    </Field.Root>
  );
}
