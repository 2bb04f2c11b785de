import { useMessages } from '@pos/web-ui/messages';
import { resolveAdministeredPending } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { useAction } from '../../../components/use-action.js';
import type { LineAnswer } from '../administration-answers.js';
import { ChangeDialog } from '../ChangeDialog.js';
import { Choice } from '../../../components/Choice.js';
import { PENDING_MESSAGES } from './pending-messages.js';
import { toTarget } from '../target.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const PAYMENT_DECISIONS = ['RetryNow', 'MarkRecorded', 'GiveBack'] as const;

/** The decisions that each kind of line accepts; the service refuses what its state does not permit. */
const DECISIONS = {
  TablePayment: [...PAYMENT_DECISIONS, 'MarkNotHeld'],
  OrderPlacement: PAYMENT_DECISIONS,
  MachineRefund: ['RetryNow', 'SettleAsListed', 'MarkRefunded', 'MarkNotRefunded'],
  AcquirerCall: ['RetryNow', 'SettleAsListed'],
  Difference: ['MarkNotTaken', 'SettleAsListed'],
} as const;

interface ResolveDialogProps {
  readonly line: LineAnswer;
  readonly onClose: () => void;
}

/** Decides about a line of the pending list. */
export function ResolveDialog({ line, onClose }: ResolveDialogProps): ReactNode {
  const text = useMessages(PENDING_MESSAGES);
  const decisions = DECISIONS[line.kind];
  const [decision, setDecision] = useState<(typeof decisions)[number]>(decisions[0]);
  const action = useAction(
    (reason: string) =>
      callOperation(resolveAdministeredPending, {
        body: { ...toTarget(line), id: line.id, action: decision, reason },
      }),
    { refreshes: [[ADMINISTRATION]], onDone: onClose },
  );
  return (
    <ChangeDialog title={text('decideTitle')} label={text('decide')} isDangerous action={action} onClose={onClose}>
      <Choice
        label={text('decision')}
        value={decision}
        options={decisions.map((each) => [each, text(each)])}
        onChange={setDecision}
      />
    </ChangeDialog>
  );
}
