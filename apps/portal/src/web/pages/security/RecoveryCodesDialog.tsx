import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/CopyButton.js';
import { SHELL_MESSAGES } from '../../shell/shell-messages.js';
import classes from './security.module.css';
import { SECURITY_MESSAGES } from './security-messages.js';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes, which the service cannot show again, until the button ends it. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const shell = useMessages(SHELL_MESSAGES);
  const lines = codes.join('\n');
  return (
    <ModalDialog
      title={text('newCodes')}
      isOpen
      isKept
      onClose={onClose}
      actions={
        <>
          <CopyButton content={lines} />
          <Button kind="primary" onClick={onClose}>
            {shell('done')}
          </Button>
        </>
      }
    >
      <p>{text('newCodesText')}</p>
      <pre className={classes['codes']} tabIndex={0}>
        {lines}
      </pre>
    </ModalDialog>
  );
}
