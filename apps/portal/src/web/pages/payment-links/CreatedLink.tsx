import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.js';
import { SharedLink } from '../../components/SharedLink.js';
import { LINK_MESSAGES } from './link-messages.js';

interface CreatedLinkProps {
  readonly id: string;
  readonly link: string;
  readonly onAnother: () => void;
}

/** The link of a new payment, to copy, to scan and to open. */
export function CreatedLink({ id, link, onAnother }: CreatedLinkProps): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  const another = (
    <div>
      <Button kind="quiet" onClick={onAnother}>
        {text('another')}
      </Button>
    </div>
  );
  return (
    <Card title={text('createdTitle')}>
      <SharedLink link={link} open={text('open')} after={another}>
        <Link to="/payments/$id" params={{ id }}>
          {text('show')}
        </Link>
      </SharedLink>
    </Card>
  );
}
