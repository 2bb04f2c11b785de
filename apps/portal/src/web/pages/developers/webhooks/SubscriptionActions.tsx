import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { changeSubscription, replayEvents } from '@pos/rest-contracts/webhooks';
import { type ReactNode, useState } from 'react';
import type { SubscriptionAnswer } from '../../../client/answers.js';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { useWorkingAccount } from '../../../client/session-query.js';
import { ProblemNote } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { LinkDialog } from './LinkDialog.js';
import { ReplayDialog } from './ReplayDialog.js';
import { TestEventDialog } from './TestEventDialog.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

type OpenDialog = 'test' | 'replay' | 'link';

/** What a user may do with a subscription. */
export function SubscriptionActions({ subscription }: { subscription: SubscriptionAnswer }): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const { environment } = useWorkingAccount();
  const { id: subscriptionId, paused = false } = subscription;
  const params = { subscriptionId };
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [queued, setQueued] = useState<number | null>(null);
  const refreshes = [[WEBHOOKS]];
  const pausing = useAction(
    (isPaused: boolean, idempotencyKey) =>
      callOperation(changeSubscription, { params, body: { paused: isPaused }, idempotencyKey }),
    { refreshes },
  );
  const replaying = useAction(
    (_: null, idempotencyKey) => callOperation(replayEvents, { params, body: {}, idempotencyKey }),
    { refreshes, onDone: (result) => setQueued(result.queued) },
  );
  const close = (): void => setDialog(null);
  return (
    <>
      {environment === 'sandbox' && <Button onClick={() => setDialog('test')}>{text('testEvent')}</Button>}
      <Button isBusy={replaying.isBusy} onClick={() => void replaying.run(null)}>
        {text('replayAll')}
      </Button>
      <Button onClick={() => setDialog('replay')}>{text('replayRange')}</Button>
      <Button onClick={() => setDialog('link')}>{text('link')}</Button>
      <Button isBusy={pausing.isBusy} onClick={() => void pausing.run(!paused)}>
        {text(paused ? 'resume' : 'pause')}
      </Button>
      <ProblemNote problem={pausing.problem ?? replaying.problem} />
      <span role="status">{queued === null ? '' : text('queued', { count: queued })}</span>
      {dialog === 'test' && <TestEventDialog subscription={subscription} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog subscriptionId={subscriptionId} onClose={close} />}
      {dialog === 'link' && <LinkDialog subscriptionId={subscriptionId} onClose={close} />}
    </>
  );
}
