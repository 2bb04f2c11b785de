import { TextField } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { decideFourEyesRequest, sendFourEyesRequest } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import type { FourEyesAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { PAYMENTS, SECOND_PERSON } from '../../client/queries.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { RecordedBody } from '../../components/RecordedBody.js';
import { useAction } from '../../components/use-action.js';
import { nameAction } from './action-name.js';
import { SECOND_PERSON_MESSAGES } from './second-person-messages.js';
import classes from './second-person.module.css';

/** What the second person does with a request. */
export type Decision = 'approve' | 'refuse' | 'send';

interface DecideDialogProps {
  readonly request: FourEyesAnswer;
  readonly decision: Decision;
  readonly onClose: () => void;
}

const SUBMITS = { approve: 'approve', refuse: 'refuse', send: 'sendAgain' } as const satisfies Record<Decision, string>;

/** Shows what is decided about, in words and exactly as it is sent, and asks for the reason. */
export function DecideDialog({ request, decision, onClose }: DecideDialogProps): ReactNode {
  const text = useMessages(SECOND_PERSON_MESSAGES);
  const [reason, setReason] = useState('');
  const language = useLanguage();
  const { id, body, amount, requestedBy } = request;
  const action = useAction(
    () =>
      decision === 'send'
        ? callOperation(sendFourEyesRequest, { body: { id } })
        : callOperation(decideFourEyesRequest, { body: { id, isApproved: decision === 'approve', reason } }),
    { refreshes: [[SECOND_PERSON], [PAYMENTS]], onDone: onClose },
  );
  return (
    <FormDialog
      title={text(`${decision}Title`)}
      cancel={text('keep')}
      submit={text(SUBMITS[decision])}
      isDangerous={decision !== 'refuse'}
      isBusy={action.isBusy}
      problem={findError(action.problem, 'reason') === undefined ? action.problem : null}
      intro={text(`${decision}Text`)}
      onSubmit={() => void action.run(null)}
      onClose={onClose}
    >
      <p className={classes['asked']}>
        {text(nameAction(request))}
        {amount !== undefined && `: ${formatMoney(amount, language)}`}
        {`, ${text('requestedBy', { name: requestedBy })}`}
      </p>
      {body !== '' && <RecordedBody title={text('sent')} value={body} isOpen />}
      {decision !== 'send' && (
        <TextField
          label={text('reason')}
          required
          value={reason}
          error={findError(action.problem, 'reason')}
          onValueChange={setReason}
        />
      )}
    </FormDialog>
  );
}
