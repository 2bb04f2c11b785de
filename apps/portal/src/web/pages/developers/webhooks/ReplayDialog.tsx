import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { replayEvents } from '@pos/rest-contracts/webhooks';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { FormDialog } from '../../../components/FormDialog.js';
import { findError } from '../../../components/ProblemNote.js';
import { useAction } from '../../../components/use-action.js';
import classes from '../developers.module.css';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

const STATES = ['DeadLettered', 'Delivered', 'NotSubscribed'] as const;
type State = (typeof STATES)[number];

interface ReplayDialogProps {
  readonly subscriptionId: string;
  readonly onClose: () => void;
}

/** Sends the events of a period again, by their state. */
export function ReplayDialog({ subscriptionId, onClose }: ReplayDialogProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [states, setStates] = useState<readonly State[]>(['DeadLettered']);
  const [queued, setQueued] = useState<number | null>(null);
  const action = useAction(
    (_: null, idempotencyKey) => {
      const body = { states: [...states], ...toMember('from', from), ...toMember('to', to) };
      return callOperation(replayEvents, { params: { subscriptionId }, body, idempotencyKey });
    },
    { refreshes: [[WEBHOOKS]], onDone: (result) => setQueued(result.queued) },
  );
  return (
    <FormDialog
      title={text('replayRange')}
      cancel={text('close')}
      submit={text('sendRange')}
      isReady={states.length > 0}
      isBusy={action.isBusy}
      problem={findError(action.problem, 'from', 'to') === undefined ? action.problem : null}
      intro={text('replayRangeText')}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <TextField
        label={text('from')}
        type="datetime-local"
        value={from}
        error={findError(action.problem, 'from')}
        onValueChange={setFrom}
      />
      <TextField
        label={text('to')}
        type="datetime-local"
        value={to}
        error={findError(action.problem, 'to')}
        onValueChange={setTo}
      />
      <StateChoice states={states} onChange={setStates} />
      <p role="status">{queued === null ? '' : text('queued', { count: queued })}</p>
    </FormDialog>
  );
}

interface StateChoiceProps {
  readonly states: readonly State[];
  readonly onChange: (states: readonly State[]) => void;
}

function StateChoice({ states, onChange }: StateChoiceProps): ReactNode {
  const text = useMessages(WEBHOOK_MESSAGES);
  return (
    <fieldset className={classes['kinds']}>
      <legend>{text('whichEvents')}</legend>
      {STATES.map((state) => (
        <label key={state}>
          <input
            type="checkbox"
            checked={states.includes(state)}
            onChange={({ target }) =>
              onChange(target.checked ? [...states, state] : states.filter((each) => each !== state))
            }
          />
          {text(`state${state}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The field has the time of the browser, without a zone. */
function toMember<Name extends 'from' | 'to'>(name: Name, local: string): Partial<Record<Name, string>> {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? {} : ({ [name]: at.toISOString() } as Record<Name, string>);
}
