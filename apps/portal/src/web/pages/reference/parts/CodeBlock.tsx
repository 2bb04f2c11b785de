import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import classes from './code-block.module.css';

/** A block of code that can be copied. It scrolls inside its frame, also with the keyboard. */
export function CodeBlock({ code, label }: { code: string; label?: string }): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code);
    setCopied(code);
  };
  return (
    <div className={classes['block']}>
      <pre tabIndex={0} role="group" aria-label={label ?? text('code')}>
        <code lang="en">{code}</code>
      </pre>
      <div className={classes['copy']}>
        <Button kind="quiet" onClick={() => void copy()}>
          {copied === code ? text('copied') : text('copy')}
        </Button>
      </div>
    </div>
  );
}
