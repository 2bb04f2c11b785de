import type { PaymentIntentId } from '@pos/core/identity/identity';
import type { TerminalSession } from '@pos/core/terminals/terminal-session';
import type { Reader } from '@pos/store/database/database';
import {
  type TerminalSessionEvent,
  listTerminalSessionEvents,
  listSessionsOfIntent,
} from '@pos/store/terminals/terminal-sessions';

/** Everything a presenter shows of a terminal session. */
export interface TerminalSessionView {
  readonly session: TerminalSession;
  readonly events: readonly TerminalSessionEvent[];
}

export async function buildSessionView(reader: Reader, session: TerminalSession): Promise<TerminalSessionView> {
  return { session, events: await listTerminalSessionEvents(reader, session.id) };
}

/** The sessions of an intent with their histories, oldest first. */
export async function listSessionViews(reader: Reader, intentId: PaymentIntentId): Promise<TerminalSessionView[]> {
  const views: TerminalSessionView[] = [];
  for (const session of await listSessionsOfIntent(reader, intentId))
    views.push(await buildSessionView(reader, session));
  return views;
}
