import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import type { Action } from '../../components/use-action.js';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';

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
  const [reason, setReason] = useState('');
  const { problem } = action;
  const hasFieldError = findError(problem, 'reason', ...members) !== undefined;
  return (
    <FormDialog
      title={title}
      cancel={text('cancel')}
      submit={label}
      isDangerous={isDangerous}
      isBusy={action.isBusy}
      problem={!hasFieldError ? problem : null}
      onSubmit={() => void action.run(reason)}
      onClose={onClose}
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
    </FormDialog>
  );
}
