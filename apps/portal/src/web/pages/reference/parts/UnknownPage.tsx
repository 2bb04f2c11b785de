import { EmptyState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { PageHeader } from '../../../components/PageHeader.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';

/** For an address that no operation, event, guide or error has. */
export function UnknownPage(): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  return (
    <>
      <PageHeader title={text('reference')} />
      <EmptyState title={text('unknownTitle')}>{text('unknownText')}</EmptyState>
    </>
  );
}
