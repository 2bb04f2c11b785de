import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { reauthenticate } from '../client/endpoints.js';
import { SHELL_MESSAGES } from './shell-messages.js';

export interface PasswordQuestion {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** The refusal of the service that needs the password. */
  readonly cause: unknown;
}

/** Asks for the password again: `resolve` when it is right, `reject` with the cause when the user cancels. */
export function ReauthenticationDialog({
  question,
  onEnd,
}: {
  question: PasswordQuestion;
  onEnd: () => void;
}): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const cancel = (): void => {
    onEnd();
    question.reject(question.cause);
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await callOperation(reauthenticate, { body: { password } });
      onEnd();
      question.resolve();
    } catch (failure) {
      const reason = failure instanceof RequestProblem ? failure.problem.reason : '';
      setError(text(reason === 'rate_limited' ? 'tooMany' : 'signInRefused'));
      setBusy(false);
    }
  };
  return (
    <ModalDialog
      title={text('passwordAgainTitle')}
      isOpen
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>{text('cancel')}</Button>
          <Button kind="primary" type="submit" form="reauthentication" isBusy={isBusy}>
            {text('confirm')}
          </Button>
        </>
      }
    >
      <p>{text('passwordAgainText')}</p>
      <form
        id="reauthentication"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <TextField
          label={text('password')}
          type="password"
          autoComplete="current-password"
          value={password}
          error={error}
          onValueChange={setPassword}
        />
      </form>
    </ModalDialog>
  );
}
