import { useMessages } from '@pos/web-ui/messages/language-context';
import type { ReactNode } from 'react';
import type { ReceivedProblem } from '../client/call-operation.js';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import classes from './problem-note.module.css';

/** Why an action was refused, where no field is at fault. */
export function ProblemNote({ problem }: { problem: ReceivedProblem | null }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  if (problem === null) return null;
  return (
    <p className={classes['note']} role="alert">
      {problem.detail === '' ? text('unreachable') : problem.detail}
    </p>
  );
}

/** The message about one member of the request, for its field. */
export function findError(problem: ReceivedProblem | null, ...members: readonly string[]): string | undefined {
  return members.flatMap((member) => problem?.errors[member] ?? [])[0];
}
