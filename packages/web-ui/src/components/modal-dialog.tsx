import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import classes from '../../styles/dialog.module.css';

interface ModalDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Escape, a press beside the dialog, and its own buttons end here. */
  readonly onClose: () => void;
  /** Only its own buttons close the dialog, because what it shows cannot be shown again. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
  /** Buttons, the one that acts last. */
  readonly actions: ReactNode;
}

/** A modal dialog: it keeps the focus inside and returns it when it closes. */
export function ModalDialog(props: ModalDialogProps): ReactNode {
  const { title, isOpen, onClose, isKept = false, children, actions } = props;
  return (
    <Dialog.Root
      open={isOpen}
      disablePointerDismissal={isKept}
      onOpenChange={(open) => (open || isKept ? undefined : onClose())}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={classes['backdrop']} />
        <Dialog.Popup className={classes['popup']}>
          <Dialog.Title className={classes['title']}>{title}</Dialog.Title>
          <div className={classes['body']}>{children}</div>
          <div className={classes['actions']}>{actions}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
