import {
  cancelTimer,
  schedule,
  type ClaimedTimer,
  type TimerName,
  type TimerKind,
  type TimerQueue,
} from '@pos/store/timers';
import type { Database } from '@pos/store/database';
import type { AcquirerCalls } from './acquirer-calls.js';
import type { Holds } from './holds.js';
import type { PaymentIntents } from './payment-intents.js';
import type { PaymentSettings } from './settings.js';
import type { TerminalSessions } from './terminal-sessions.js';
import { bringInLineDue, replayDue, retentionDue } from './webhook-work.js';

/** What a due timer makes happen. It ends the claim itself, in the transaction of its effect. */
export type TimerEffect = (claimed: ClaimedTimer) => Promise<void>;

/** The kinds that any worker works; the others belong to the gateway. */
export const WORKER_TIMER_KINDS = [
  'intent-expiry',
  'hold-end',
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
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly settings: PaymentSettings;
}): Readonly<Record<WorkerTimerKind, TimerEffect>> {
  const { database, queue, intents, holds, sessions, calls, settings } = parts;
  return {
    'intent-expiry': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const again = await intents.expire(tx, claimed.subject);
        // To look again for an attempt's end is a repeat: an advancing clock does not stop at each look.
        if (again !== null) schedule(tx, { ...nameOf(claimed), dueInMs: again.lookAgainInMs, isRepeat: true });
        await queue.finish(tx, claimed, null);
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
    'session-window': (claimed) =>
      database.transact(claimed.scope, async (tx) => {
        const next = await sessions.passTime(tx, claimed.subject);
        // A session that has ended took its deadline away with it: there is no claim left to finish.
        if (next === null) cancelTimer(tx, claimed);
        else await queue.finish(tx, claimed, next);
      }),
    'acquirer-call': async (claimed) => {
      const standing = await calls.pursue(claimed.scope, claimed.subject);
      await database.transact(claimed.scope, (tx) =>
        // What has ended needs no timer, whoever holds it by now.
        standing === 'over'
          ? cancelTimer(tx, claimed)
          : queue.finish(tx, claimed, { inMs: settings.inquiryIntervalMs }),
      );
    },
    'webhook-subscription': (claimed) => bringInLineDue({ database, queue }, claimed),
    'webhook-replay': (claimed) => replayDue({ database, queue }, claimed),
    retention: (claimed) => retentionDue({ database, queue }, claimed),
  };
}

function nameOf({ kind, subject }: ClaimedTimer): TimerName {
  return { kind, subject };
}
