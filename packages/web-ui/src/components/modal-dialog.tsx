import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import classes from '../../styles/dialog.module.css';

interface ModalDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Escape, a press beside the dialog, and its own buttons end here. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, the one that acts last. */
  readonly actions: ReactNode;
}

/** A modal dialog: it keeps the focus inside and returns it when it closes. */
export function ModalDialog({ title, isOpen, onClose, children, actions }: ModalDialogProps): ReactNode {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
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
