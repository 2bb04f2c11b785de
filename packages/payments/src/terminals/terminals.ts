import { Refusal } from '@pos/core/refusals';
import { getAccountTime } from '@pos/store/clock';
import { TERMINAL_STATUSES, type TerminalStatus } from '@pos/core/terminals';
import type { Reader } from '@pos/store/database';
import { findTerminalActivity, type TerminalActivity, listTerminalActivity } from '@pos/store/terminals';

/** A terminal without a heartbeat for this time is Offline. */
const ACTIVITY_TIMEOUT_MS = 60_000;

export interface TerminalView {
  readonly terminal: TerminalActivity;
  readonly status: TerminalStatus;
  /** Since when it has the status, in account time. */
  readonly updatedAt: Date;
}

/** The account's terminals by TID; only those in one of the statuses, if there are any. */
export async function listTerminals(reader: Reader, statuses: readonly TerminalStatus[]): Promise<TerminalView[]> {
  const wanted = statuses.length === 0 ? TERMINAL_STATUSES : statuses;
  const [activity, now] = await Promise.all([listTerminalActivity(reader), getAccountTime(reader)]);
  return activity.map((terminal) => buildTerminalView(terminal, now)).filter(({ status }) => wanted.includes(status));
}

/** One terminal; refuses an unknown id. */
export async function getTerminal(reader: Reader, id: string): Promise<TerminalView> {
  const [terminal, now] = await Promise.all([findTerminalActivity(reader, id), getAccountTime(reader)]);
  if (terminal === null) throw new Refusal('terminal_not_found', 'there is no such terminal');
  return buildTerminalView(terminal, now);
}

function buildTerminalView(terminal: TerminalActivity, now: Date): TerminalView {
  const status = computeTerminalStatus(terminal);
  return { terminal, status, updatedAt: findStatusSince(terminal, status, now) };
}

/**
 * The last change of the values from which its status follows: a session, its stream, its silence or the machine's
 * own report.
 */
function findStatusSince(terminal: TerminalActivity, status: TerminalStatus, now: Date): Date {
  const { hasRunningSession, sessionAt, unseenMs, inUseSinceMs, openedMs, isInUseAtMachine, updatedAt } = terminal;
  if (hasRunningSession) return sessionAt ?? updatedAt;
  const toPast = (ms: number | null): Date => (ms === null ? updatedAt : new Date(now.getTime() - Math.round(ms)));
  const changes = [updatedAt, ...(sessionAt === null ? [] : [sessionAt])];
  if (status === 'Offline') changes.push(unseenMs === null ? updatedAt : toPast(unseenMs - ACTIVITY_TIMEOUT_MS));
  else changes.push(toPast(openedMs), ...(isInUseAtMachine || inUseSinceMs !== null ? [toPast(inUseSinceMs)] : []));
  return new Date(Math.max(...changes.map((change) => change.getTime())));
}

/** InUse while a session runs or the machine reports it, Offline without a heartbeat for a minute, else Available. */
export function computeTerminalStatus({
  hasRunningSession,
  unseenMs,
  isInUseAtMachine,
}: TerminalActivity): TerminalStatus {
  if (hasRunningSession) return 'InUse';
  if (unseenMs === null || unseenMs >= ACTIVITY_TIMEOUT_MS) return 'Offline';
  return isInUseAtMachine ? 'InUse' : 'Available';
}
