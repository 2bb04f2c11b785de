import type { TerminalSession } from '@pos/core/terminals';
import type { Reader } from '@pos/store/database';
import { type TerminalSessionHistory, listTerminalSessionEvents } from '@pos/store/terminals';

/** Everything a presenter shows of a terminal session. */
export type TerminalSessionView = TerminalSessionHistory;

export async function buildSessionView(reader: Reader, session: TerminalSession): Promise<TerminalSessionView> {
  return { session, events: await listTerminalSessionEvents(reader, session.id) };
}
