import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import { ADMINISTRATION_MESSAGES } from './administration-messages.js';
import classes from './administration.module.css';

interface SecretOnceProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a text that the service cannot show again. */
export function SecretOnce({ title, children, secret, onClose }: SecretOnceProps): ReactNode {
  const text = useMessages(ADMINISTRATION_MESSAGES);
  const [isCopied, setCopied] = useState(false);
  return (
    <ModalDialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}>
            {text(isCopied ? 'copied' : 'copy')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {text('done')}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <code className={classes['secret']}>{secret}</code>
    </ModalDialog>
  );
}
