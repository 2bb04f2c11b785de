import { ACTIVITY_KINDS } from '@pos/core/activities';
import { defineCounter } from '@pos/service-kit/metrics';
import type { Log } from '@pos/service-kit/telemetry';
import { ACTIVITY_DROP_REASONS, type ActivityLogObserver } from '@pos/store/activities';

const WRITTEN = defineCounter({
  name: 'pos_activities_written_total',
  help: 'Entries that this process has stored in the activity log, by kind. Attempts of webhooks are stored with their results and not counted.',
  labels: ['kind'],
});
const DROPPED = defineCounter({
  name: 'pos_activities_dropped_total',
  help: 'Entries of the activity log that were lost: `overload`: too many waited, `refused`: the database has refused them, `shutdown`: the process has ended first.',
  labels: ['reason'],
});

const WARNING_INTERVAL_MS = 10_000;

/** Counts the entries of the activity log of this process, and logs losses. */
export function observeActivityLog(log: Log): ActivityLogObserver {
  for (const kind of ACTIVITY_KINDS) WRITTEN.declareSeries({ kind });
  for (const reason of ACTIVITY_DROP_REASONS) DROPPED.declareSeries({ reason });
  let dropped = 0;
  let warnedAtMs = -Infinity;
  return {
    onWritten: (kind, count) => WRITTEN.increase({ kind }, count),
    onDropped: (reason, count) => {
      DROPPED.increase({ reason }, count);
      dropped += count;
      // In an overload each request loses an entry, and a line for each would be the next overload.
      if (performance.now() - warnedAtMs < WARNING_INTERVAL_MS) return;
      log.warn('activities.dropped', { reason, count: dropped });
      dropped = 0;
      warnedAtMs = performance.now();
    },
    onFailed: (error) => log.warn('activities.not_written', { error }),
  };
}
