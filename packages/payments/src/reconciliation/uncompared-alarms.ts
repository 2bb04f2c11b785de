import { DAY_MS } from '@pos/core/time/timespan';
import { toZonedMoment } from '@pos/core/time/time-zone';
import type { Tx } from '@pos/store/database/database';
import { listUncomparedDays, type StoredUncomparedDay } from '@pos/store/reconciliation/uncompared-days';
import { readTimeZone } from '@pos/store/repositories/time-zones';
import { raiseAlarm } from '../alarms/alarms.js';

/** An outage of an acquirer for so long is an alarm. */
const UNREAD_MS_MAX = DAY_MS;

/**
 * Raises an alarm for each acquirer whose settlement files of a day are overdue, and for each whose books could not be
 * read for a day. It names the oldest such day.
 */
export async function raiseUncomparedAlarms(tx: Tx, settlementWaitDays: number): Promise<void> {
  const now = tx.databaseNow.getTime();
  const timeZone = await readTimeZone(tx);
  const alarmed = new Set<string>();
  for (const each of await listUncomparedDays(tx)) {
    const { acquirer, day, reason, since } = each;
    const isOverdue =
      reason === 'WaitingForSettlement'
        ? now - toZonedMoment(day, timeZone).getTime() > (settlementWaitDays + 1) * DAY_MS
        : now - since.getTime() > UNREAD_MS_MAX;
    // The oldest day of each acquirer is first.
    if (!isOverdue || alarmed.has(`${reason} ${acquirer}`)) continue;
    alarmed.add(`${reason} ${acquirer}`);
    await raise(tx, each);
  }
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
