import { SYSTEM_SCOPE } from '@pos/core/administration';
import { createViolation } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import {
  deleteListedSession,
  deleteOtherPortalSessions,
  formatListedSessionId,
  type ListedPortalSession,
  listPortalSessions,
  type PortalSession,
} from '@pos/store/portal';
import { recordSignIn } from './sign-in-audit.js';

/** A session in the list of its user. */
export interface OwnSession extends Omit<ListedPortalSession, 'idHash'> {
  /** Names the session in the list. It opens nothing. */
  readonly id: string;
  readonly isCurrent: boolean;
}

/** The open sessions of the user of a session, the one used last first. */
export async function listOwnSessions(
  database: Database,
  { idHash, user }: PortalSession,
  idleMs: number,
): Promise<OwnSession[]> {
  const sessions = await database.readSystem((reader) => listPortalSessions(reader, { userId: user.id, idleMs }));
  return sessions.map(({ idHash: listedHash, ...session }) => ({
    id: formatListedSessionId(listedHash),
    ...session,
    isCurrent: listedHash.equals(idHash),
  }));
}

/** Ends a session of the same user. Refuses an unknown one by `sessionId`. */
export function endOwnSession(database: Database, session: PortalSession, listedId: string): Promise<void> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    if (!(await deleteListedSession(tx, session.user.id, listedId))) {
      throw createViolation('validation_failed', 'sessionId', 'is none of your sessions');
    }
    await recordEnd(tx, session, 'one session, by the user');
  });
}

/** Ends all sessions of the user but this one. */
export function endOtherSessions(database: Database, session: PortalSession): Promise<void> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    await deleteOtherPortalSessions(tx, session.user.id, session.idHash);
    await recordEnd(tx, session, 'all other sessions, by the user');
  });
}

function recordEnd(tx: Tx, { user: { id: userId, email } }: PortalSession, reason: string): Promise<void> {
  return recordSignIn(tx, { action: 'EndPortalSessions', userId, email, reason, address: null });
}
