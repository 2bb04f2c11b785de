import { useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SessionAnswer } from '../../../client/answers.js';
import { sessionQuery } from '../../../client/session-query.js';
import type { ReferenceExample, ReferenceOperation } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { TrialForm } from './TrialForm.js';
import classes from './try-it.module.css';

/**
 * Sends the operation as the signed-in user, in the sandbox of their account. The portal forwards it, so no key is in
 * the browser. For everybody else it says what is missing.
 */
export function TryIt({ operation, example }: Omit<TrialProps, 'session'>): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const { data: session } = useQuery(sessionQuery);
  const { server, permission } = operation;
  // Payers call these with a secret of their own, and an EPOS serves others: the portal forwards neither.
  if (server !== 'api' || permission === null || session === undefined) return null;
  return (
    <section className={classes['try']} aria-labelledby="try-it">
      <h2 id="try-it">{text('tryIt')}</h2>
      <Trial {...{ operation, example, session }} />
    </section>
  );
}

interface TrialProps {
  readonly operation: ReferenceOperation;
  /** What the form is filled with; null for an operation without one. */
  readonly example: ReferenceExample | null;
  readonly session: SessionAnswer | null;
}

function Trial({ operation, example, session }: TrialProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const { permission } = operation;
  if (session === null) return <Missing reason={text('signInToTry')} action={text('signIn')} />;
  const { current } = session;
  if (current === undefined) return <Missing reason={text('chooseToTry')} action={text('chooseAccount')} />;
  if (current.environment !== 'sandbox') return <p className={classes['note']}>{text('sandboxToTry')}</p>;
  const held: readonly string[] = current.permissions;
  if (permission !== null && permission !== 'any' && permission !== 'full' && !held.includes(permission)) {
    return <p className={classes['note']}>{text('permissionToTry', { permission })}</p>;
  }
  return (
    <>
      <p className={classes['note']}>{text('tryItText', { name: session.user.name })}</p>
      <TrialForm operation={operation} example={example} />
    </>
  );
}

function Missing({ reason, action }: { reason: string; action: string }): ReactNode {
  return (
    <>
      <p className={classes['note']}>{reason}</p>
      <Link to="/">{action}</Link>
    </>
  );
}
