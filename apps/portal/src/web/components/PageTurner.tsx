import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import type { PageSearch } from './page-search.js';
import classes from './page-turner.module.css';

interface PageTurnerProps {
  /** What the pages list, for screen readers. */
  readonly label: string;
  /** The cursors of an answer. */
  readonly page: { readonly before: string | null; readonly after: string | null };
  readonly onTurn: (cursor: PageSearch) => void;
}

/** Leads to the newer and older page of a list; nothing for a list of one page. */
export function PageTurner({ label, page: { before, after }, onTurn }: PageTurnerProps): ReactNode {
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
