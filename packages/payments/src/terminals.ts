import { Refusal } from '@pos/core/refusal';
import { TERMINAL_STATUSES, type TerminalStatus } from '@pos/core/terminal-session';
import type { Reader } from '@pos/store/database';
import { findWatchedTerminal, type WatchedTerminal, watchedTerminals } from '@pos/store/terminals';

/** Without a sign of life for so long a terminal is Offline. */
const SIGN_OF_LIFE_MS = 60_000;

export interface TerminalView {
  readonly terminal: WatchedTerminal;
  readonly status: TerminalStatus;
}

/** The account's terminals by TID; only those in one of the statuses, when any is named. */
export async function listTerminals(reader: Reader, statuses: readonly TerminalStatus[]): Promise<TerminalView[]> {
  const wanted = statuses.length === 0 ? TERMINAL_STATUSES : statuses;
  return (await watchedTerminals(reader))
    .map((terminal) => ({ terminal, status: terminalStatus(terminal) }))
    .filter(({ status }) => wanted.includes(status));
}

/** One terminal; refuses an unknown id. */
export async function getTerminal(reader: Reader, id: string): Promise<TerminalView> {
  const terminal = await findWatchedTerminal(reader, id);
  if (terminal === null) throw new Refusal('terminal_not_found', 'there is no such terminal');
  return { terminal, status: terminalStatus(terminal) };
}

/** InUse while a session runs or the machine says so, Offline without a sign of life for a minute, else Available. */
export function terminalStatus({ hasRunningSession, unseenMs, isInUseAtMachine }: WatchedTerminal): TerminalStatus {
  if (hasRunningSession) return 'InUse';
  if (unseenMs === null || unseenMs >= SIGN_OF_LIFE_MS) return 'Offline';
  return isInUseAtMachine ? 'InUse' : 'Available';
}
