import { Badge, type Tone } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { PaymentStatus } from './payment-filter.js';
import { PAYMENT_MESSAGES } from './payment-messages.js';

const TONES = {
  Created: 'neutral',
  Authorized: 'progress',
  Captured: 'positive',
  Reversed: 'attention',
  Refunded: 'attention',
  Canceled: 'neutral',
} as const satisfies Record<PaymentStatus, Tone>;

export function PaymentStatusBadge({ status }: { status: PaymentStatus }): ReactNode {
  const text = useMessages(PAYMENT_MESSAGES);
  return <Badge tone={TONES[status]}>{text(status)}</Badge>;
}
