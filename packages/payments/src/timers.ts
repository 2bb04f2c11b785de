import {
  cancelTimer,
  schedule,
  type ClaimedTimer,
  type TimerName,
  type TimerKind,
  type TimerQueue,
} from '@pos/store/timers';
import type { Environment } from '@pos/core/identity';
import type { AcquirerPort } from '@pos/core/ports';
import type { Database, Tx } from '@pos/store/database';
import type { Accounts } from './accounts.js';
import type { AcquirerCalls } from './acquirer-calls.js';
import { keepCallOpen } from './open-calls.js';
import type { Holds } from './holds.js';
import type { PaymentIntents } from './payment-intents.js';
import type { PaymentSettings } from './settings.js';
import { reconciliationDue, type ReconciliationReport } from './reconciliation.js';
import type { LookAgain, SetupIntents } from './setup-intents.js';
import type { TerminalSessions } from './terminal-sessions.js';
import { bringInLineDue, replayDue, retentionDue } from './webhook-work.js';

/** What a due timer makes happen. It ends the claim itself, in the transaction of its effect. */
export type TimerEffect = (claimed: ClaimedTimer) => Promise<void>;

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
export function workerEffects(parts: {
  readonly database: Database;
  readonly queue: TimerQueue;
  readonly intents: PaymentIntents;
  readonly holds: Holds;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly settings: PaymentSettings;
  readonly accounts: Accounts;
  /** Null where no acquirer is configured. */
  readonly acquirerOf: (environment: Environment) => AcquirerPort | null;
  /** Hears of differences between the books; left out where nobody listens. */
  readonly reconciliationReport?: ReconciliationReport;
}): Readonly<Record<WorkerTimerKind, TimerEffect>> {
  const { accounts, acquirerOf, reconciliationReport: report } = parts;
  const { database, queue, intents, holds, setups, sessions, calls, settings } = parts;
  const endOfSetup =
    (end: (tx: Tx, id: string) => Promise<LookAgain | null>): TimerEffect =>
    (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const again = await end(tx, claimed.subject);
        // What has ended took its deadline away with it: there is no claim left to finish.
        if (again === null) cancelTimer(tx, claimed);
        else await lookAgain(tx, claimed, { queue, inMs: again.lookAgainInMs });
      });
  return {
    'intent-expiry': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const again = await intents.expire(tx, claimed.subject);
        if (again === null) await queue.finish(tx, claimed, null);
        else await lookAgain(tx, claimed, { queue, inMs: again.lookAgainInMs });
      }),
    'hold-end': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await holds.end(tx, claimed.subject);
        // A hold that has ended took its deadline away with it: there is no claim left to finish.
        if (next === null) {
          cancelTimer(tx, claimed);
          return;
        }
        schedule(tx, { ...nameOf(claimed), ...next, isRepeat: 'dueInMs' in next });
        await queue.finish(tx, claimed, null);
      }),
    'setup-expiry': endOfSetup((tx, id) => setups.expire(tx, id)),
    'setup-card-expiry': endOfSetup((tx, id) => setups.expireCard(tx, id)),
    'session-window': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await sessions.passTime(tx, claimed.subject);
        // A session that has ended took its deadline away with it: there is no claim left to finish.
        if (next === null) cancelTimer(tx, claimed);
        else await queue.finish(tx, claimed, next);
      }),
    'acquirer-call': async (claimed) => {
      const standing = await calls.pursue(claimed.scope, claimed.subject);
      await database.transact(claimed.scope, async (tx) => {
        // What has ended needs no timer, whoever holds it by now.
        if (standing === 'over') cancelTimer(tx, claimed);
        else await queue.finish(tx, claimed, { inMs: await keepCallOpen(tx, claimed, settings) });
      });
    },
    'machine-approval': (claimed) => checkApprovalDue({ database, queue, calls, settings }, claimed),
    'webhook-subscription': (claimed) => bringInLineDue({ database, queue }, claimed),
    'webhook-replay': (claimed) => replayDue({ database, queue }, claimed),
    retention: (claimed) => retentionDue({ database, queue }, claimed),
    reconciliation: (claimed) =>
      reconciliationDue({ database, queue, accounts, acquirerOf, ...(report && { report }) }, claimed),
  };
}

/** Asks the acquirer once about an approval of a card machine, and later again where that could not be answered. */
async function checkApprovalDue(
  parts: {
    readonly database: Database;
    readonly queue: TimerQueue;
    readonly calls: AcquirerCalls;
    readonly settings: PaymentSettings;
  },
  claimed: ClaimedTimer,
): Promise<void> {
  const { database, queue, calls, settings } = parts;
  const standing = await calls.checkMachineApproval(claimed.scope, claimed.subject, claimed.attempts);
  const inMs = Math.min(settings.inquiryIntervalMs * 2 ** (claimed.attempts - 1), APPROVAL_CHECK_MAX_MS);
  await database.transact(claimed.scope, (tx) =>
    standing === 'over' ? cancelTimer(tx, claimed) : queue.finish(tx, claimed, { inMs, isRepeat: true }),
  );
}

/** To look again for an attempt's end is a repeat: an advancing clock does not stop at each look. */
async function lookAgain(
  tx: Tx,
  claimed: ClaimedTimer,
  { queue, inMs }: { readonly queue: TimerQueue; readonly inMs: number },
): Promise<void> {
  schedule(tx, { ...nameOf(claimed), dueInMs: inMs, isRepeat: true });
  await queue.finish(tx, claimed, null);
}

function nameOf({ kind, subject }: ClaimedTimer): TimerName {
  return { kind, subject };
}
