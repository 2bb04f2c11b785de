import { Badge, type Tone } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { RunSummary } from '@pos/rest-contracts/operators';
import type { ReactNode } from 'react';
import { TESTER_MESSAGES } from './tester-messages.js';

const TONES = {
  IN_PROGRESS: 'progress',
  SUCCESS: 'positive',
  FAILURE: 'negative',
  TIMED_OUT: 'negative',
} as const satisfies Record<RunSummary['status'], Tone>;

/** How a run or one of its steps ended. */
export function RunStatusBadge({ status }: { status: RunSummary['status'] }): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  return <Badge tone={TONES[status]}>{text(status)}</Badge>;
}
