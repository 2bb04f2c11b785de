import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { RequestProblem } from '../client/call-operation.js';
import type { PasswordQuestion, ReauthenticationDialog } from './ReauthenticationDialog.js';

/** Runs an action; when the service asks for the password, asks the user, and runs it again. */
type RunGuarded = <T>(action: () => Promise<T>) => Promise<T>;

const Reauthentication = createContext<RunGuarded>((action) => action());

export function useGuarded(): RunGuarded {
  return useContext(Reauthentication);
}

interface OpenQuestion extends PasswordQuestion {
  readonly Dialog: typeof ReauthenticationDialog;
}

// The sign-in page does not contain the dialog. It is loaded before it is needed, because a browser does not repeat a
// load that failed: without the dialog, the actions of a page are refused until the user reloads it.
const loadDialog = () => import('./ReauthenticationDialog.js');

/** Asks for the password wherever an action needs it again. */
export function ReauthenticationProvider({ children }: { children: ReactNode }): ReactNode {
  const [question, setQuestion] = useState<OpenQuestion | null>(null);
  useEffect(() => void loadDialog().catch(() => undefined), []);
  const run = useMemo<RunGuarded>(
    () => async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof RequestProblem) || error.problem.reason !== 'reauthentication_needed') throw error;
        const { ReauthenticationDialog: Dialog } = await loadDialog().catch(() => {
          throw new RequestProblem({ ...error.problem, reason: 'unreachable' });
        });
        await new Promise<void>((resolve, reject) => setQuestion({ resolve, reject, cause: error, Dialog }));
        return action();
      }
    },
    [],
  );
  return (
    <Reauthentication value={run}>
      {children}
      {question !== null && <question.Dialog question={question} onEnd={() => setQuestion(null)} />}
    </Reauthentication>
  );
}
