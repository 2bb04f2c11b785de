import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import type { ReceivedProblem } from '../client/call-operation.js';
import { PROBLEM_MESSAGES, type ShownReason } from './problem-messages.js';
import { formatSentence, translateViolation } from './violation-sentences.js';
import classes from './problem-text.module.css';

export interface ProblemTextProps {
  readonly problem: ReceivedProblem;
  /** What the reader can do, after the reason. */
  readonly help?: string | undefined;
}

/** The reason in the language of the page, and below it what the service says in particular. */
export function TranslatedProblem({ problem, help = '' }: ProblemTextProps): ReactNode {
  const text = useMessages(PROBLEM_MESSAGES);
  const violations = Object.entries(problem.errors);
  return (
    <>
      <span className={classes['reason']}>
        {text(findReason(problem))} {help}
      </span>
      {violations.length === 0 ? (
        <ServiceSentence sentence={problem.detail} />
      ) : (
        <ul className={classes['violations']}>
          {violations.map(([member, [message = '']]) => (
            <li key={member}>
              <code>{member}</code> <ViolationText message={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A sentence of the service about a value, in the language of the page where there is a text for it. */
export function ViolationText({ message }: { message: string }): ReactNode {
  const text = useMessages(PROBLEM_MESSAGES);
  const translated = translateViolation(message, useLanguage());
  if (translated !== null) return translated;
  return (
    <>
      {text('memberRefused')} <ServiceSentence sentence={message} />
    </>
  );
}

/** A value that the state of the payment forbids: the reason has a text of its own. */
export function TranslatedReason({ problem, message }: { problem: ReceivedProblem; message: string }): ReactNode {
  const text = useMessages(PROBLEM_MESSAGES);
  return (
    <>
      {text(findReason(problem))} <ServiceSentence sentence={message} />
    </>
  );
}

/** The service writes its sentences in English only, for people who read a log. */
function ServiceSentence({ sentence }: { sentence: string }): ReactNode {
  const text = useMessages(PROBLEM_MESSAGES);
  if (sentence === '') return null;
  return (
    <small className={classes['service']}>
      {text('serviceAnswer')} <span lang="en">{formatSentence(sentence)}</span>
    </small>
  );
}

/** A service of a later release may have a reason that this page does not know. */
function findReason({ reason }: ReceivedProblem): ShownReason {
  return Object.hasOwn(PROBLEM_MESSAGES.en, reason) ? (reason as ShownReason) : 'unknown';
}
