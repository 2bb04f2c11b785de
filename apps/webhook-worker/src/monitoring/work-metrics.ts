import { defineCounter, defineHistogram } from '@pos/service-kit/metrics';
import type { TimerKind } from '@pos/store/queues';

/** Who receives an event. */
type Receiver = 'webhook' | 'epos';

const ATTEMPTS = defineCounter({
  name: 'pos_delivery_attempts_total',
  help: 'Attempts to deliver an event by receiver, outcome and number of the attempt.',
  labels: ['receiver', 'outcome', 'attempt'],
});
const ATTEMPT_SECONDS = defineHistogram({
  name: 'pos_delivery_attempt_duration_seconds',
  help: 'Duration of an attempt to deliver an event.',
  labels: ['receiver'],
});
const DELAY_SECONDS = defineHistogram({
  name: 'pos_delivery_delay_seconds',
  help: 'Time between the commit of an event and its delivery by the first attempt. Replays are not counted.',
  labels: ['receiver'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
});
const DEAD_LETTERS = defineCounter({
  name: 'pos_delivery_dead_letters_total',
  help: 'Events that were given up after their last attempt, by receiver.',
  labels: ['receiver'],
});
const TIMERS = defineCounter({
  name: 'pos_timers_worked_total',
  help: 'Due timers that were worked, by kind and outcome: `worked`, `failed` (tried again), or `lost` to another process.',
  labels: ['kind', 'outcome'],
});
const TIMER_SECONDS = defineHistogram({
  name: 'pos_timer_duration_seconds',
  help: 'Duration of the work of a due timer.',
  labels: ['kind'],
});

for (const receiver of ['webhook', 'epos'] as const satisfies readonly Receiver[]) {
  DEAD_LETTERS.declareSeries({ receiver });
  DELAY_SECONDS.declareSeries({ receiver });
}

/** Counts an attempt. `delayMs` is the time since the commit; null where it says nothing, as of a replay. */
export function observeAttempt(
  receiver: Receiver,
  attempt: {
    readonly outcome: string;
    readonly number: number;
    readonly tookMs: number;
    readonly delayMs: number | null;
    readonly isDeadLettered: boolean;
  },
): void {
  const { outcome, number, tookMs, delayMs, isDeadLettered } = attempt;
  ATTEMPTS.increase({ receiver, outcome, attempt: String(number) });
  ATTEMPT_SECONDS.observe({ receiver }, tookMs / 1_000);
  if (delayMs !== null) DELAY_SECONDS.observe({ receiver }, delayMs / 1_000);
  if (isDeadLettered) DEAD_LETTERS.increase({ receiver });
}

export function observeTimer(kind: TimerKind, outcome: 'worked' | 'failed' | 'lost', seconds: number): void {
  TIMERS.increase({ kind, outcome });
  TIMER_SECONDS.observe({ kind }, seconds);
}
