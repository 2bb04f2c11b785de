import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import { CopyButton } from './CopyButton.js';
import { QrCode } from './QrCode.js';
import classes from './shared-link.module.css';

interface SharedLinkProps {
  readonly link: string;
  /** What the link to the page says. */
  readonly open: string;
  /** What else can be done, beside copying and opening. */
  readonly children?: ReactNode;
  readonly after?: ReactNode;
}

/** A link to send to somebody: to copy, to scan and to open. */
export function SharedLink({ link, open, children, after }: SharedLinkProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <div className={classes['shared']}>
      <QrCode content={link} label={text('linkCode')} />
      <div className={classes['parts']}>
        <code className={classes['link']}>{link}</code>
        <div className={classes['buttons']}>
          <CopyButton kind="primary" content={link} label={text('copyLink')} />
          <a href={link} target="_blank" rel="noreferrer">
            {open}
          </a>
          {children}
        </div>
        {after}
      </div>
    </div>
  );
}
