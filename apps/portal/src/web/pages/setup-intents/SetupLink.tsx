import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { QrCode } from '../../components/QrCode.js';
import { SETUP_MESSAGES } from './setup-messages.js';
import classes from './setup-intents.module.css';

/** A setup intent that waits for its card, and its hosted page. */
export interface CreatedSetup {
  readonly id: string;
  readonly link: string;
}

/** The link to the hosted page, to copy, to scan and to open. */
export function SetupLink({ id, link, showsPage = false }: CreatedSetup & { readonly showsPage?: boolean }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={classes['created']}>
      <QrCode content={link} label={text('code')} />
      <div className={classes['form']}>
        <code className={classes['link']}>{link}</code>
        <div className={classes['buttons']}>
          <Button kind="primary" onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}>
            {text(isCopied ? 'copied' : 'copy')}
          </Button>
          <a href={link} target="_blank" rel="noreferrer">
            {text('open')}
          </a>
          {showsPage && (
            <Link to="/setup-intents/$id" params={{ id }}>
              {text('show')}
            </Link>
          )}
        </div>
      </div>
    </div>
  );
}
