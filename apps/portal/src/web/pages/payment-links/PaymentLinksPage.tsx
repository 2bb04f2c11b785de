import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { PageHeader } from '../../components/PageHeader.js';
import { CreatedLink } from './CreatedLink.js';
import { LINK_MESSAGES } from './link-messages.js';
import { LinkForm } from './LinkForm.js';

/** Creates payments that are paid on the hosted page. */
export function PaymentLinksPage(): ReactNode {
  const text = useMessages(LINK_MESSAGES);
  const [created, setCreated] = useState<{ readonly id: string; readonly link: string } | null>(null);
  return (
    <>
      <PageHeader title={text('title')} intro={text('intro')} />
      {created === null ? (
        <LinkForm onCreated={setCreated} />
      ) : (
        <CreatedLink {...created} onAnother={() => setCreated(null)} />
      )}
    </>
  );
}
