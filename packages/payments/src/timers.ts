import {
  cancelTimer,
  schedule,
  type ClaimedTimer,
  type TimerName,
  type TimerKind,
  type TimerQueue,
} from '@pos/store/timers';
import type { Database, Tx } from '@pos/store/database';
import type { AcquirerCalls } from './acquirer-calls.js';
import { keepCallOpen } from './open-calls.js';
import type { Holds } from './holds.js';
import type { PaymentIntents } from './payment-intents.js';
import type { PaymentSettings } from './settings.js';
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
  'webhook-subscription',
  'webhook-replay',
  'retention',
] as const satisfies TimerKind[];
export type WorkerTimerKind = (typeof WORKER_TIMER_KINDS)[number];

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
}): Readonly<Record<WorkerTimerKind, TimerEffect>> {
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
    'webhook-subscription': (claimed) => bringInLineDue({ database, queue }, claimed),
    'webhook-replay': (claimed) => replayDue({ database, queue }, claimed),
    retention: (claimed) => retentionDue({ database, queue }, claimed),
  };
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
