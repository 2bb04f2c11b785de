import type { PendingAdministration } from '@pos/administration/pending-work';
import type { Database } from '@pos/store/database';
import { readServiceBacklog, type ServiceBacklog } from '@pos/store/queues';
import { type DoctorFinding, ok, problem } from './finding.js';

/** Checks whether the apps work: due deadlines and deliveries, blocked receivers, open money, unanswered alarms. */
export async function checkWork(database: Database, pending: PendingAdministration): Promise<DoctorFinding[]> {
  const now = await database.now();
  const backlog = await database.readSystem((reader) => readServiceBacklog(reader, now));
  const alarming = (await pending.listAll(database)).filter(({ isAlarming }) => isAlarming).length;
  return [...describeBacklog(backlog), describePending(alarming)];
}

/** The findings of a backlog. */
function describeBacklog(backlog: ServiceBacklog): DoctorFinding[] {
  const { overdueTimers, oldestTimerSeconds, overdueLanes, oldestLaneSeconds, blockedLanes, unansweredAlarms } =
    backlog;
  const startWorker = 'is webhook-worker running, and in its log?';
  return [
    overdueTimers === 0
      ? ok('deadlines', 'none is overdue')
      : problem(
          'deadlines',
          `${overdueTimers} are overdue, the oldest for ${formatAge(oldestTimerSeconds)}`,
          startWorker,
        ),
    overdueLanes === 0
      ? ok('deliveries', 'none is overdue')
      : problem(
          'deliveries',
          `${overdueLanes} lanes are overdue, the oldest for ${formatAge(oldestLaneSeconds)}`,
          startWorker,
        ),
    blockedLanes === 0
      ? ok('receivers', 'none refuses its webhooks')
      : problem(
          'receivers',
          `${blockedLanes} lanes are blocked by their receivers`,
          'ask the integrators: webhooks dead-letters lists what was given up',
        ),
    unansweredAlarms === 0
      ? ok('alarms', 'none is unanswered')
      : problem('alarms', `${unansweredAlarms} are unanswered`, 'see docs/operate/pending-payments-and-alarms.md'),
  ];
}

function describePending(alarming: number): DoctorFinding {
  return alarming === 0
    ? ok('pending money', 'no line of the pending list is an alarm')
    : problem('pending money', `${alarming} lines of the pending list are alarms`, 'run pending list --all');
}

function formatAge(seconds: number | null): string {
  const whole = Math.round(seconds ?? 0);
  return whole < 120
    ? `${whole} s`
    : whole < 7_200
      ? `${Math.round(whole / 60)} min`
      : `${Math.round(whole / 3_600)} h`;
}
