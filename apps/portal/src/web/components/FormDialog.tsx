import { Button, ModalDialog } from '@pos/web-ui/components';
import { type ReactNode, useId } from 'react';
import type { ReceivedProblem } from '../client/call-operation.js';
import { ProblemNote } from './ProblemNote.js';
import classes from './form-dialog.module.css';

interface FormDialogProps {
  readonly title: string;
  readonly cancel: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** False while the fields are not complete. */
  readonly isReady?: boolean;
  readonly isBusy: boolean;
  /** Why the action was refused, if no field shows it. */
  readonly problem: ReceivedProblem | null;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
  /** Is not called while the action runs. */
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A dialog whose fields are sent by its button or the Enter key. */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, cancel, submit, isDangerous = false, isReady = true, isBusy, problem } = props;
  const { intro, children, onSubmit, onClose } = props;
  const form = useId();
  return (
    <ModalDialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={!isReady}
          >
            {submit}
          </Button>
        </>
      }
    >
      {intro !== undefined && <p>{intro}</p>}
      <ProblemNote problem={problem} />
      <form
        id={form}
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && isReady) onSubmit();
        }}
      >
        {children}
      </form>
    </ModalDialog>
  );
}
