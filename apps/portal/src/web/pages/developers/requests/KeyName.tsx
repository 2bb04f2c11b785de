import { useMessages } from '@pos/web-ui/messages/language-context';
import type { ReactNode } from 'react';
import { REQUEST_MESSAGES } from './request-messages.js';

const SHORT_LENGTH = 8;

/** The key of a request. Requests of the portal have an id of their own in the place of a key. */
export function KeyName({ keyId, isShort = false }: { keyId: string; isShort?: boolean }): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  if (keyId.startsWith('key_portal')) return text('portal');
  return <code>{isShort ? `${keyId.slice(0, SHORT_LENGTH)}…` : keyId}</code>;
}
