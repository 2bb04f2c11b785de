import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { REQUEST_MESSAGES } from './request-messages.js';

/** Ids begin with the time of their creation, so those of one account differ at their end only. */
const SHORT_LENGTH = 6;

/** The key of a request. Requests of the portal have an id of their own in the place of a key. */
export function KeyName({ keyId, isShort = false }: { keyId: string; isShort?: boolean }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  if (keyId.startsWith('key_portal')) return text('portal');
  return <code title={keyId}>{isShort ? `…${keyId.slice(-SHORT_LENGTH)}` : keyId}</code>;
}
