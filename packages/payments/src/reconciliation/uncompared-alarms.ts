import { DAY_MS, toZonedMoment } from '@pos/core/time';
import type { Tx } from '@pos/store/database';
import { listUncomparedDays, type StoredUncomparedDay, type UncomparedReason } from '@pos/store/reconciliation';
import { answerEndedAccessAlarms, readTimeZone } from '@pos/store/repositories';
import { describeEnd, endAlarms, raiseAlarm } from '../alarms/alarms.js';

/** An outage of an acquirer for so long is an alarm. */
const UNREAD_MS_MAX = DAY_MS;

/**
 * Raises an alarm for each acquirer whose settlement files of a day are overdue, and for each whose books could not be
 * read for a day. It names the oldest such day. Answers the alarms of the other acquirers: their cause has ended.
 */
export async function raiseUncomparedAlarms(tx: Tx, settlementWaitDays: number): Promise<void> {
  const now = tx.databaseNow.getTime();
  const timeZone = await readTimeZone(tx);
  const alarmed: Record<UncomparedReason, Set<string>> = { WaitingForSettlement: new Set(), BooksUnread: new Set() };
  for (const each of await listUncomparedDays(tx)) {
    const { acquirer, day, reason, since } = each;
    const isOverdue =
      reason === 'WaitingForSettlement'
        ? now - toZonedMoment(day, timeZone).getTime() > (settlementWaitDays + 1) * DAY_MS
        : now - since.getTime() > UNREAD_MS_MAX;
    // The oldest day of each acquirer is first.
    if (!isOverdue || alarmed[reason].has(acquirer)) continue;
    alarmed[reason].add(acquirer);
    await raise(tx, each);
  }
  endAlarms(tx, { kind: 'SettlementOverdue', subject: { except: [...alarmed.WaitingForSettlement] } });
  endAlarms(tx, { kind: 'AcquirerBooksUnread', subject: { except: [...alarmed.BooksUnread] } });
}

/**
 * Answers the alarms about refused credentials of acquirers that have answered a later call. Calls that payers wait for
 * cost no statement more, so the check of the books looks for them.
 */
export function endAccessAlarms(tx: Tx): void {
  answerEndedAccessAlarms(tx, describeEnd('AcquirerAccessRefused'));
}

function raise(tx: Tx, { acquirer, day, reason, problem }: StoredUncomparedDay): Promise<void> {
  if (reason === 'WaitingForSettlement') {
    return raiseAlarm(tx, {
      kind: 'SettlementOverdue',
      subject: acquirer,
      message: `The calls of ${day} to the acquirer "${acquirer}" wait for settlement: not all of its files are imported. Import them, or state the days on which it settled nothing.`,
      details: { acquirer, day },
    });
  }
  return raiseAlarm(tx, {
    kind: 'AcquirerBooksUnread',
    subject: acquirer,
    message: `The books of the acquirer "${acquirer}" could not be read for more than a day, so its calls of ${day} are not compared.`,
    details: { acquirer, day, problem },
  });
}
