import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import { useOpenSecret } from '../shell/ShownSecret.js';
import { CopyButton } from './CopyButton.js';
import classes from './secret-once.module.css';

interface SecretOnceProps {
  readonly title: string;
  /** What the reader has to know about it. */
  readonly children: ReactNode;
  readonly secret: string;
  readonly after?: ReactNode;
  readonly onClose: () => void;
}

/** Returns what shows a secret until the user ends its dialog. */
export function useShowSecret(): (secret: Omit<SecretOnceProps, 'onClose'>) => void {
  const open = useOpenSecret();
  return (secret) => open((onClose) => <SecretOnce {...secret} onClose={onClose} />);
}

/** Shows a text that the service cannot show again, until its button ends it. */
function SecretOnce({ title, children, secret, after, onClose }: SecretOnceProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <ModalDialog
      title={title}
      isOpen
      isKept
      onClose={onClose}
      actions={
        <>
          <CopyButton content={secret} />
          <Button kind="primary" onClick={onClose}>
            {text('done')}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <code className={classes['secret']}>{secret}</code>
      {after}
    </ModalDialog>
  );
}
