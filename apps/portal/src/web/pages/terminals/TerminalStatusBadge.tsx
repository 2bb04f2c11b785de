import { Badge, type Tone } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { Terminal } from '@pos/rest-contracts/accounts';
import type { ReactNode } from 'react';
import { TERMINAL_MESSAGES } from './terminal-messages.js';

const TONES = { Available: 'positive', InUse: 'progress', Offline: 'neutral' } as const satisfies Record<
  Terminal['status'],
  Tone
>;

/** Whether a machine is online, and free. */
export function TerminalStatusBadge({ status }: { status: Terminal['status'] }): ReactNode {
  const text = useMessages(TERMINAL_MESSAGES);
  return <Badge tone={TONES[status]}>{text(status)}</Badge>;
}
