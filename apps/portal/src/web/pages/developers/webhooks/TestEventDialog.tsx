import { Choice } from '../../../components/Choice.js';
import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { sendTestEvent } from '@pos/rest-contracts/webhooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { SubscriptionAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

interface TestEventDialogProps {
  readonly subscription: SubscriptionAnswer;
  readonly onClose: () => void;
}

/** Sends an event about nothing, and leads to its delivery. */
export function TestEventDialog({ subscription, onClose }: TestEventDialogProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const { id, events } = subscription;
  const [first] = events;
  const [event, setEvent] = useState(first);
  const [deliveryId, setDeliveryId] = useState<string | null>(null);
  const action = useAction(
    (kind: (typeof events)[number], idempotencyKey) =>
      callOperation(sendTestEvent, { params: { subscriptionId: id }, body: { event: kind }, idempotencyKey }),
    { refreshes: [[WEBHOOKS]], onDone: (delivery) => setDeliveryId(delivery.id) },
  );
  return (
    <ModalDialog
      title={text('testEvent')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('close')}</Button>
          <Button kind="primary" isBusy={action.isBusy} onClick={() => event !== undefined && void action.run(event)}>
            {text('sendTest')}
          </Button>
        </>
      }
    >
      <p>{text('testEventText')}</p>
      {event !== undefined && (
        <Choice label={text('kind')} value={event} options={events.map((each) => [each, each])} onChange={setEvent} />
      )}
      <ProblemNote problem={action.problem} />
      <p role="status">
        {deliveryId !== null && (
          <>
            {text('testSent')}{' '}
            <Link to="/developers/webhooks/$id/deliveries/$deliveryId" params={{ id, deliveryId }}>
              {text('showDelivery')}
            </Link>
          </>
        )}
      </p>
    </ModalDialog>
  );
}
