import {
  cancelTimer,
  schedule,
  type ClaimedTimer,
  type TimerName,
  type TimerKind,
  type TimerQueue,
} from '@pos/store/queues';
import type { Database, Tx } from '@pos/store/database';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerPorts } from '../accounts/acquirer-directory.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { computeNextInquiry } from '../acquirer-calls/open-calls.js';
import type { Holds } from '../holds/holds.js';
import type { PaymentIntents } from '../payment-intents/payment-intents.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import type { ReconciliationReport } from '../reconciliation/check-report.js';
import { runReconciliation } from '../reconciliation/reconciliation.js';
import type { CheckAgain, SetupIntents } from '../setup-intents/setup-intents.js';
import type { TerminalSessions } from '../terminals/terminal-sessions.js';
import { applySubscriptionChange, enqueueDueReplay, runRetention } from '../webhooks/delivery-maintenance.js';

/** The work of a due timer. It completes the claim itself, in the transaction of its effect. */
export type TimerCallback = (claimed: ClaimedTimer) => Promise<void>;

/** The kinds that any worker handles; the others belong to the gateway. */
export const WORKER_TIMER_KINDS = [
  'intent-expiry',
  'hold-end',
  'setup-expiry',
  'setup-card-expiry',
  'session-window',
  'acquirer-call',
  'machine-approval',
  'webhook-subscription',
  'webhook-replay',
  'retention',
  'reconciliation',
] as const satisfies TimerKind[];
export type WorkerTimerKind = (typeof WORKER_TIMER_KINDS)[number];

/** The longest wait until the next inquiry about an approval of a card machine. */
const APPROVAL_CHECK_MAX_MS = 15 * 60 * 1000;

/** What the effects of timers need. */
interface TimerEffectParts {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly intents: PaymentIntents;
  readonly holds: Holds;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly settings: PaymentSettings;
  readonly accounts: AccountCache;
  readonly acquirers: AcquirerPorts;
  /** Receives differences between the books; absent if they are not needed. */
  readonly reconciliationReport?: ReconciliationReport;
}

/** The work of each kind. Losing the lease undoes the effect, because another worker has the timer then. */
export function createTimerEffects(parts: TimerEffectParts): Readonly<Record<WorkerTimerKind, TimerCallback>> {
  const { accounts, acquirers, reconciliationReport: report } = parts;
  const { database, queue, intents, holds, setups, sessions, calls, settings } = parts;
  const createSetupHandler =
    (end: (tx: Tx, id: string) => Promise<CheckAgain | null>): TimerCallback =>
    (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const nextCheck = await end(tx, claimed.subject);
        // The deadline was deleted with its subject: there is no claim left to complete.
        if (nextCheck === null) cancelTimer(tx, claimed);
        else await rescheduleCheck(tx, claimed, { queue, inMs: nextCheck.checkAgainInMs });
      });
  return {
    'intent-expiry': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const nextCheck = await intents.expire(tx, claimed.subject);
        // Otherwise the deadline was deleted with the end of the intent: there is no claim left to complete.
        if (nextCheck !== null) await rescheduleCheck(tx, claimed, { queue, inMs: nextCheck.lookAgainInMs });
      }),
    'hold-end': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await holds.endHold(tx, claimed.subject);
        // The deadline was deleted with its hold: there is no claim left to complete.
        if (next === null) {
          cancelTimer(tx, claimed);
          return;
        }
        schedule(tx, { ...toTimerName(claimed), ...next, isRepeat: 'dueInMs' in next });
        await queue.complete(tx, claimed, null);
      }),
    'setup-expiry': createSetupHandler((tx, id) => setups.expire(tx, id)),
    'setup-card-expiry': createSetupHandler((tx, id) => setups.expireCard(tx, id)),
    'session-window': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await sessions.applyWindowExpiry(tx, claimed.subject);
        // The deadline was deleted with its session: there is no claim left to complete.
        if (next === null) cancelTimer(tx, claimed);
        else await queue.complete(tx, claimed, next);
      }),
    'acquirer-call': async (claimed) => {
      const progress = await calls.pursueCall(claimed.scope, claimed.subject);
      await database.transact(claimed.scope, async (tx) => {
        // An ended subject needs no timer, in any worker's claim.
        if (progress === 'over') cancelTimer(tx, claimed);
        else await queue.complete(tx, claimed, { inMs: await computeNextInquiry(tx, claimed, settings) });
      });
    },
    'machine-approval': (claimed) => checkDueApproval({ database, queue, calls, settings }, claimed),
    'webhook-subscription': (claimed) => applySubscriptionChange({ database, queue }, claimed),
    'webhook-replay': (claimed) => enqueueDueReplay({ database, queue }, claimed),
    retention: (claimed) => runRetention({ database, queue, activitiesKeptMs: settings.activitiesKeptMs }, claimed),
    reconciliation: (claimed) =>
      runReconciliation(
        {
          ...{ database, queue, accounts, acquirers, directory: settings.acquirers },
          ...{ settlementWaitDays: settings.settlementWaitDays, ...(report && { report }) },
        },
        claimed,
      ),
  };
}

/** Inquires once about an approval of a card machine, and again later if there was no answer. */
async function checkDueApproval(
  parts: {
    readonly database: Database;
    readonly queue: TimerQueue;
    readonly calls: AcquirerCalls;
    readonly settings: PaymentSettings;
  },
  claimed: ClaimedTimer,
): Promise<void> {
  const { database, queue, calls, settings } = parts;
  const progress = await calls.checkMachineApproval(claimed.scope, claimed.subject, claimed.attempts);
  const inMs = Math.min(settings.inquiryIntervalMs * 2 ** (claimed.attempts - 1), APPROVAL_CHECK_MAX_MS);
  await database.transact(claimed.scope, (tx) =>
    progress === 'over' ? cancelTimer(tx, claimed) : queue.complete(tx, claimed, { inMs, isRepeat: true }),
  );
}

/** The next check for an attempt's end is a retry: an advancing clock does not stop at each check. */
async function rescheduleCheck(
  tx: Tx,
  claimed: ClaimedTimer,
  { queue, inMs }: { readonly queue: TimerQueue; readonly inMs: number },
): Promise<void> {
  schedule(tx, { ...toTimerName(claimed), dueInMs: inMs, isRepeat: true });
  await queue.complete(tx, claimed, null);
}

function toTimerName({ kind, subject }: ClaimedTimer): TimerName {
  return { kind, subject };
}
