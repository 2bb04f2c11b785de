import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Card } from '../../components/Card.js';
import { QrCode } from '../../components/QrCode.js';
import { LINK_MESSAGES } from './link-messages.js';
import classes from './payment-links.module.css';

interface CreatedLinkProps {
  readonly id: string;
  readonly link: string;
  readonly onAnother: () => void;
}

/** The link of a new payment, to copy, to scan and to open. */
export function CreatedLink({ id, link, onAnother }: CreatedLinkProps): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  const [isCopied, setCopied] = useState(false);
  return (
    <Card title={text('createdTitle')}>
      <div className={classes['created']}>
        <QrCode content={link} label={text('code')} />
        <div className={classes['form']}>
          <code className={classes['link']}>{link}</code>
          <div className={classes['buttons']}>
            <Button kind="primary" onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}>
              {text(isCopied ? 'copied' : 'copy')}
            </Button>
            <a className={classes['open']} href={link} target="_blank" rel="noreferrer">
              {text('open')}
            </a>
            <Link className={classes['open'] ?? ''} to="/payments/$id" params={{ id }}>
              {text('show')}
            </Link>
          </div>
          <div>
            <Button kind="quiet" onClick={onAnother}>
              {text('another')}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}
