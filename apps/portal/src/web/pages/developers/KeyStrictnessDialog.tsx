import { Button, ModalDialog } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { changeApiKey } from '@pos/rest-contracts/accounts';
import type { ReactNode } from 'react';
import type { KeyAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { API_KEYS } from '../../client/queries.js';
import { KEY_STRICTNESS_MESSAGES } from '../../components/api-keys/key-strictness-messages.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';

/** Makes a key strict, or a strict one lenient. */
export function KeyStrictnessDialog({ apiKey, onClose }: { apiKey: KeyAnswer; onClose: () => void }): ReactNode {
  const text = useMessages(KEY_STRICTNESS_MESSAGES);
  const action = useAction(
    (strict: boolean, idempotencyKey) =>
      callOperation(changeApiKey, { params: { keyId: apiKey.id }, body: { strict }, idempotencyKey }),
    { refreshes: [[API_KEYS]], onDone: onClose },
  );
  const label = text(apiKey.strict ? 'makeLenient' : 'makeStrict');
  return (
    <ModalDialog
      title={label}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button kind="primary" isBusy={action.isBusy} onClick={() => void action.run(!apiKey.strict)}>
            {label}
          </Button>
        </>
      }
    >
      <p>{text(apiKey.strict ? 'makeLenientText' : 'makeStrictText', { label: apiKey.label })}</p>
      <ProblemNote problem={action.problem} />
    </ModalDialog>
  );
}
