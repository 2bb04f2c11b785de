import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useId, useState } from 'react';
import { findError, ProblemNote } from '../../components/ProblemNote.js';
import type { Action } from '../../components/use-action.js';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';
import classes from './administration.module.css';

interface ChangeDialogProps {
  readonly title: string;
  /** What the button of the change says. */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** Receives the reason. */
  readonly action: Action<string>;
  /** Members whose problems the children show at their fields. */
  readonly members?: readonly string[];
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** A change of an operator: its fields, and the reason that every change needs. */
export function ChangeDialog(props: ChangeDialogProps): ReactNode {
  const { title, label, isDangerous = false, action, members = [], children, onClose } = props;
  const text = useMessages(ADMINISTRATION_MESSAGES);
  const form = useId();
  const [reason, setReason] = useState('');
  const { problem } = action;
  const hasFieldError = findError(problem, 'reason', ...members) !== undefined;
  return (
    <ModalDialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} type="submit" form={form} isBusy={action.isBusy}>
            {label}
          </Button>
        </>
      }
    >
      {!hasFieldError && <ProblemNote problem={problem} />}
      <form
        id={form}
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) void action.run(reason);
        }}
      >
        {children}
        <TextField
          label={text('reason')}
          required
          maxLength={1_000}
          value={reason}
          hint={text('reasonHint')}
          error={findError(problem, 'reason')}
          onValueChange={setReason}
        />
      </form>
    </ModalDialog>
  );
}
