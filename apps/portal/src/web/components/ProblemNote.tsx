import { useMessages } from '@pos/web-ui/messages';
import { lazy, type ReactNode, Suspense } from 'react';
import type { ReceivedProblem } from '../client/call-operation.js';
import type { ProblemTextProps } from '../problems/ProblemText.js';
import { SHELL_MESSAGES } from '../shell/shell-messages.js';
import classes from './problem-note.module.css';

// The texts of refusals are larger than most pages, so they are loaded when the first one is shown. Where that fails,
// the sentence of the service is shown as it is.
const load = () => import('../problems/ProblemText.js');
const LoadedProblem = lazy(async () => ({
  default: await load().then(
    (texts) => texts.TranslatedProblem,
    () => PlainProblem,
  ),
}));
const LoadedReason = lazy(async () => ({
  default: await load().then(
    (texts) => texts.TranslatedReason,
    () => PlainMessage,
  ),
}));
const LoadedViolation = lazy(async () => ({
  default: await load().then(
    (texts) => texts.ViolationText,
    () => PlainMessage,
  ),
}));

/** Why an action was refused, where no field is at fault. */
export function ProblemNote({ problem }: { problem: ReceivedProblem | null }): ReactNode {
  if (problem === null) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes['note']} role="alert">
        <ProblemText problem={problem} />
      </div>
    </Suspense>
  );
}

/**
 * The reason in the language of the page, and below it what the service says in particular. It suspends while the texts
 * are loaded, so that no frame is displayed without a reason.
 */
export function ProblemText(props: ProblemTextProps): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  // Then nothing can be loaded either.
  return props.problem.reason === 'unreachable' ? text('unreachable') : <LoadedProblem {...props} />;
}

/** Why the service refuses the value of a field; undefined when it does not. */
export function findError(problem: ReceivedProblem | null, ...members: readonly string[]): ReactNode {
  const message = members.flatMap((member) => problem?.errors[member] ?? [])[0];
  if (problem === null || message === undefined) return undefined;
  if (problem.reason !== 'validation_failed') return <FieldReason problem={problem} message={message} />;
  return (
    <Suspense fallback={null}>
      <LoadedViolation message={message} />
    </Suspense>
  );
}

/** A value that the state of the payment forbids: the reason has a text of its own. */
export function FieldReason(props: { readonly problem: ReceivedProblem; readonly message: string }): ReactNode {
  return (
    <Suspense fallback={null}>
      <LoadedReason {...props} />
    </Suspense>
  );
}

function PlainProblem({ problem }: ProblemTextProps): ReactNode {
  return <span lang="en">{problem.detail}</span>;
}

function PlainMessage({ message }: { readonly message: string }): ReactNode {
  return <span lang="en">{message}</span>;
}
