import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { createSubscription } from '@pos/rest-contracts/webhooks';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { FormDialog } from '../../../components/FormDialog.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';
import classes from '../developers.module.css';

/** Subscribes a server to kinds of events. */
export function CreateSubscriptionDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const [url, setUrl] = useState('https://');
  const [kinds, setKinds] = useState<readonly string[]>(['payment_intent.status_updated']);
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(createSubscription, { body: { url, events: [...kinds] }, idempotencyKey }),
    { refreshes: [[WEBHOOKS]], onDone: onClose },
  );
  return (
    <FormDialog
      title={text('addSubscription')}
      cancel={text('close')}
      submit={text('addSubscription')}
      isBusy={action.isBusy}
      problem={findError(action.problem, 'url') === undefined ? action.problem : null}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <TextField
        label={text('url')}
        value={url}
        hint={text('urlHint')}
        error={findError(action.problem, 'url')}
        onValueChange={setUrl}
      />
      <fieldset className={classes['kinds']}>
        <legend>{text('events')}</legend>
        {SUBSCRIBABLE_EVENT_KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                setKinds(target.checked ? [...kinds, kind] : kinds.filter((each) => each !== kind))
              }
            />
            {kind}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
