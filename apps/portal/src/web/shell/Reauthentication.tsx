import { Button } from '@pos/web-ui/components/button';
import { ModalDialog } from '@pos/web-ui/components/modal-dialog';
import { TextField } from '@pos/web-ui/components/text-field';
import { useMessages } from '@pos/web-ui/messages/language-context';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { reauthenticate } from '../client/endpoints.js';
import { SHELL_MESSAGES } from './shell-messages.js';

/** Runs an action; when the service asks for the password, asks the user, and runs it again. */
type RunGuarded = <T>(action: () => Promise<T>) => Promise<T>;

const Reauthentication = createContext<RunGuarded>((action) => action());

export function useGuarded(): RunGuarded {
  return useContext(Reauthentication);
}

interface PendingQuestion {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly cause: unknown;
}

/** Asks for the password wherever an action needs it again. */
export function ReauthenticationProvider({ children }: { children: ReactNode }): ReactNode {
  const [question, setQuestion] = useState<PendingQuestion | null>(null);
  const ask = useCallback(
    (cause: unknown) => new Promise<void>((resolve, reject) => setQuestion({ resolve, reject, cause })),
    [],
  );
  const run = useMemo<RunGuarded>(
    () => async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof RequestProblem) || error.problem.reason !== 'reauthentication_needed') throw error;
        await ask(error);
        return action();
      }
    },
    [ask],
  );
  return (
    <Reauthentication value={run}>
      {children}
      {question !== null && <PasswordDialog question={question} onEnd={() => setQuestion(null)} />}
    </Reauthentication>
  );
}

function PasswordDialog({ question, onEnd }: { question: PendingQuestion; onEnd: () => void }): ReactNode {
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
