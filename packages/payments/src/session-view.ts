import type { PaymentIntentId } from '@pos/core/identity';
import type { TerminalSession } from '@pos/core/terminal-session';
import type { Reader } from '@pos/store/database';
import { type SessionEvent, sessionEventsOf, sessionsOf } from '@pos/store/terminal-sessions';

/** Everything a presenter shows of a terminal session. */
export interface SessionView {
  readonly session: TerminalSession;
  readonly events: readonly SessionEvent[];
}

export async function sessionView(reader: Reader, session: TerminalSession): Promise<SessionView> {
  return { session, events: await sessionEventsOf(reader, session.id) };
}

/** The sessions of an intent with their histories, oldest first. */
export async function sessionViewsOf(reader: Reader, intentId: PaymentIntentId): Promise<SessionView[]> {
  const views: SessionView[] = [];
  for (const session of await sessionsOf(reader, intentId)) views.push(await sessionView(reader, session));
  return views;
}
