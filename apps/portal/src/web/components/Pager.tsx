import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import type { ReactNode } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import classes from './pager.module.css';

interface PagerProps {
  /** What the pages list, for screen readers. */
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly onTurn: (cursor: { readonly before: string } | { readonly after: string }) => void;
}

/** Turns the pages of a list; nothing for a list of one page. */
export function Pager({ label, before, after, onTurn }: PagerProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  if (before === null && after === null) return null;
  return (
    <nav className={classes['pages']} aria-label={label}>
      <Button disabled={before === null} onClick={() => before !== null && onTurn({ before })}>
        {text('newer')}
      </Button>
      <Button disabled={after === null} onClick={() => after !== null && onTurn({ after })}>
        {text('older')}
      </Button>
    </nav>
  );
}
