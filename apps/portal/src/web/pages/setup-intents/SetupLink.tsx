import { useMessages } from '@pos/web-ui/messages';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SharedLink } from '../../components/SharedLink.js';
import { SETUP_MESSAGES } from './setup-messages.js';

/** A setup intent that waits for its card, and its hosted page. */
export interface CreatedSetup {
  readonly id: string;
  readonly link: string;
}

/** The link to the hosted page, to copy, to scan and to open. */
export function SetupLink({ id, link, showsPage = false }: CreatedSetup & { readonly showsPage?: boolean }): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  return (
    <SharedLink link={link} open={text('open')}>
      {showsPage && (
        <Link to="/setup-intents/$id" params={{ id }}>
          {text('show')}
        </Link>
      )}
    </SharedLink>
  );
}
