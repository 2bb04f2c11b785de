import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { cancelSetupIntent } from '@pos/rest-contracts/setup-intents';
import type { ReactNode } from 'react';
import type { SetupIntentAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { SETUP_INTENTS } from '../../client/queries.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { SETUP_MESSAGES } from './setup-messages.js';

interface GiveUpDialogProps {
  readonly setup: SetupIntentAnswer;
  readonly onClose: () => void;
}

/** Gives a setup intent up after a question that says what becomes of its card. */
export function GiveUpDialog({ setup: { id, status }, onClose }: GiveUpDialogProps): ReactNode {
  const text = useMessages(SETUP_MESSAGES);
  const isStored = status === 'Authorized';
  const action = useAction(
    (_: null, idempotencyKey) =>
      callOperation(cancelSetupIntent, {
        params: { setupIntentId: id },
        // Only what the question has named: a card that was stored meanwhile is not erased by it.
        query: { includeAuthorized: isStored },
        idempotencyKey,
      }),
    { refreshes: [[SETUP_INTENTS, id]], onDone: onClose },
  );
  return (
    <ModalDialog
      title={text('giveUpTitle')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('keep')}</Button>
          <Button kind="danger" isBusy={action.isBusy} onClick={() => void action.run(null)}>
            {text('giveUp')}
          </Button>
        </>
      }
    >
      <p>{text(isStored ? 'giveUpStored' : 'giveUpOpen')}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}
