import {
  cancelTimer,
  schedule,
  type ClaimedTimer,
  type TimerName,
  type TimerKind,
  type TimerQueue,
} from '@pos/store/queues/timers';
import type { Environment } from '@pos/core/identity/identity';
import type { AcquirerPort } from '@pos/core/acquirer/ports';
import type { Database, Tx } from '@pos/store/database/database';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerCalls } from '../settlement/acquirer-calls.js';
import { computeNextInquiry } from '../settlement/open-calls.js';
import type { Holds } from '../captures-refunds/holds.js';
import type { PaymentIntents } from '../payment-intents/payment-intents.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { runReconciliation, type ReconciliationReport } from '../reconciliation/reconciliation.js';
import type { CheckAgain, SetupIntents } from '../setup-intents/setup-intents.js';
import type { TerminalSessions } from '../terminals/terminal-sessions.js';
import { applySubscriptionChange, enqueueDueReplay, runRetention } from '../webhooks/delivery-maintenance.js';

/** What a due timer makes happen. It ends the claim itself, in the transaction of its effect. */
export type TimerCallback = (claimed: ClaimedTimer) => Promise<void>;

/** The kinds that any worker works; the others belong to the gateway. */
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

/** How long at most until the acquirer is asked again about an approval of a card machine. */
const APPROVAL_CHECK_MAX_MS = 15 * 60 * 1000;

/** What each due kind does. Losing the lease undoes the effect with it, for somebody else has the timer then. */
export function createTimerEffects(parts: {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly intents: PaymentIntents;
  readonly holds: Holds;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly settings: PaymentSettings;
  readonly accounts: AccountCache;
  /** Null where no acquirer is configured. */
  readonly acquirerOf: (environment: Environment) => AcquirerPort | null;
  /** Hears of differences between the books; left out where nobody listens. */
  readonly reconciliationReport?: ReconciliationReport;
}): Readonly<Record<WorkerTimerKind, TimerCallback>> {
  const { accounts, acquirerOf, reconciliationReport: report } = parts;
  const { database, queue, intents, holds, setups, sessions, calls, settings } = parts;
  const createSetupHandler =
    (end: (tx: Tx, id: string) => Promise<CheckAgain | null>): TimerCallback =>
    (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const nextCheck = await end(tx, claimed.subject);
        // What has ended took its deadline away with it: there is no claim left to finish.
        if (nextCheck === null) cancelTimer(tx, claimed);
        else await rescheduleCheck(tx, claimed, { queue, inMs: nextCheck.checkAgainInMs });
      });
  return {
    'intent-expiry': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const nextCheck = await intents.expire(tx, claimed.subject);
        if (nextCheck === null) await queue.complete(tx, claimed, null);
        else await rescheduleCheck(tx, claimed, { queue, inMs: nextCheck.lookAgainInMs });
      }),
    'hold-end': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await holds.endHold(tx, claimed.subject);
        // A hold that has ended took its deadline away with it: there is no claim left to finish.
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
        // A session that has ended took its deadline away with it: there is no claim left to finish.
        if (next === null) cancelTimer(tx, claimed);
        else await queue.complete(tx, claimed, next);
      }),
    'acquirer-call': async (claimed) => {
      const progress = await calls.pursueCall(claimed.scope, claimed.subject);
      await database.transact(claimed.scope, async (tx) => {
        // What has ended needs no timer, whoever holds it by now.
        if (progress === 'over') cancelTimer(tx, claimed);
        else await queue.complete(tx, claimed, { inMs: await computeNextInquiry(tx, claimed, settings) });
      });
    },
    'machine-approval': (claimed) => checkDueApproval({ database, queue, calls, settings }, claimed),
    'webhook-subscription': (claimed) => applySubscriptionChange({ database, queue }, claimed),
    'webhook-replay': (claimed) => enqueueDueReplay({ database, queue }, claimed),
    retention: (claimed) => runRetention({ database, queue }, claimed),
    reconciliation: (claimed) =>
      runReconciliation({ database, queue, accounts, acquirerOf, ...(report && { report }) }, claimed),
  };
}

/** Asks the acquirer once about an approval of a card machine, and later again where that could not be answered. */
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

/** To look again for an attempt's end is a repeat: an advancing clock does not stop at each look. */
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
