import type { AcquirerAnswer, AcquirerInquiry, Verdict } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import type { MachineReport } from '@pos/core/terminals';
import { getAccountTime } from '@pos/store/clock';
import type { Database, Tx } from '@pos/store/database';

/** What tells the time of an account. */
type AccountTimes = Pick<Tx, 'scope' | 'now' | 'databaseNow' | 'isClockFrozen'>;

/**
 * The time of a transaction in the time of the account. Acquirers and card machines know real time; in a sandbox whose
 * clock was advanced, their transactions would be days older than the payments. No time is in the future of the account.
 * Production keeps the time of the acquirer or the machine.
 */
export function toAccountTime({ scope, now, databaseNow, isClockFrozen }: AccountTimes, iso: string): string {
  if (scope.environment !== 'sandbox') return iso;
  if (isClockFrozen) return now.toISOString();
  const offsetMs = now.getTime() - databaseNow.getTime();
  const movedMs = Date.parse(iso) + offsetMs;
  // A time that cannot be read must not cost the approval that has it.
  return offsetMs === 0 || Number.isNaN(movedMs) ? iso : new Date(Math.min(movedMs, now.getTime())).toISOString();
}

/** The answer with its times in the time of the account. */
export function toAccountAnswer(times: AccountTimes, answer: AcquirerAnswer): AcquirerAnswer {
  switch (answer.outcome) {
    case 'approved':
      return { ...answer, approval: moveTime(times, answer.approval) };
    case 'declined':
      return { ...answer, decline: moveTime(times, answer.decline) };
    case 'done':
      return moveTime(times, answer);
    case 'challenged':
    case 'reversed':
    case 'inProgress':
    case 'notFound':
    case 'refused':
    case 'accessRefused':
    case 'alreadyExists':
    case 'unknown':
      return answer;
  }
}

/** The same for the verdict on a call about an authorisation. */
export function toAccountVerdict(times: AccountTimes, verdict: Verdict): Verdict {
  const { result } = verdict;
  return result?.kind === 'done' ? { ...verdict, result: moveTime(times, result) } : verdict;
}

/** The same for the report of a card machine. */
export function toAccountReport(times: AccountTimes, report: MachineReport): MachineReport {
  if (report.kind === 'approved') return { ...report, approval: moveTime(times, report.approval) };
  return report.kind === 'declined' ? { ...report, result: moveTime(times, report.result) } : report;
}

/** What an inquiry about a call of a sandbox says of the account's time. */
export async function describeAccountTime(
  database: Database,
  scope: Scope,
): Promise<Pick<AcquirerInquiry, 'accountTime'>> {
  if (scope.environment !== 'sandbox') return {};
  return { accountTime: { accountId: scope.accountId, now: await database.read(scope, getAccountTime) } };
}

function moveTime<T extends { readonly transactionDateTime: string }>(times: AccountTimes, from: T): T {
  return { ...from, transactionDateTime: toAccountTime(times, from.transactionDateTime) };
}
