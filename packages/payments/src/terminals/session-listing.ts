import { Refusal } from '@pos/core/refusals';
import type { Reader } from '@pos/store/database';
import { findTerminal, searchSessionsOfTerminal, type TerminalSessionSummary } from '@pos/store/terminals';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

/** A page of the sessions of a terminal, newest first. */
export interface TerminalSessionPage extends PageCursors {
  readonly sessions: readonly TerminalSessionSummary[];
}

/** Lists the sessions of a terminal. Refuses `terminal_not_found`. */
export async function listSessionsOfTerminal(
  reader: Reader,
  { terminalId, limit, ...query }: PageQuery & { readonly terminalId: string },
): Promise<TerminalSessionPage> {
  const terminal = await findTerminal(reader, terminalId);
  if (terminal === null) throw new Refusal('terminal_not_found', 'there is no such terminal');
  const position = readPosition(reader.scope, 'terminalSession', query);
  const page = await searchSessionsOfTerminal(reader, terminal.id, { limit, ...position });
  return { sessions: page.elements, ...buildPageCursors(reader.scope, page) };
}
