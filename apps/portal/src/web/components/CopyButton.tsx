import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';

interface CopyButtonProps {
  readonly content: string;
  /** What the button says before it was pressed; `Copy` when left out. */
  readonly label?: string;
  readonly kind?: 'primary' | 'secondary';
}

/** Copies a text, and says that it has. */
export function CopyButton({ content, label, kind = 'secondary' }: CopyButtonProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const [isCopied, setCopied] = useState(false);
  return (
    <Button kind={kind} onClick={() => void navigator.clipboard.writeText(content).then(() => setCopied(true))}>
      {isCopied ? text('copied') : (label ?? text('copy'))}
    </Button>
  );
}
