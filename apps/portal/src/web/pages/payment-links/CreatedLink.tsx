import { Button } from '@pos/web-ui/components/button';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { encode } from 'uqr';
import { Card } from '../../components/Card.js';
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

/** Always black on white, with its quiet zone: readers need that contrast in a dark theme, too. */
function QrCode({ content, label }: { content: string; label: string }): ReactNode {
  const { data, size } = encode(content, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={classes['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  );
}
