import { setTimeout as pause } from 'node:timers/promises';
import { WORKERS } from '../e2e/stage.js';
import type { AlertScenario } from './alert-scenario.js';
import type { AlertStage } from './alert-stage.js';
import { createIntents } from './payment-traffic.js';

/** More than the alert permits. */
const LANES = 30;

const RECEIVER_DOWN: AlertScenario = {
  alerts: ['LanesBlocked'],
  says: 'a receiver refuses every webhook',
  provoke: async (at) => {
    const { stage } = at;
    // Real waits between attempts, so that a lane waits at most of the time.
    for (const worker of WORKERS) await stage.replace(worker, { WEBHOOK_BACKOFF_SCALE: '1' });
    stage.receiver.refuseAll(true);
    await createIntents(stage, LANES);
    return () => resumeReceiver(at);
  },
};

const DEAD_LETTERS: AlertScenario = {
  alerts: ['DeadLetters'],
  says: 'a receiver refuses a webhook until its last attempt',
  provoke: async (at) => {
    const { stage } = at;
    for (const worker of WORKERS) await stage.replace(worker, { WEBHOOK_BACKOFF_SCALE: '0.000001' });
    stage.receiver.refuseAll(true);
    return () => resumeReceiver(at);
  },
  during: async ({ stage }) => {
    await createIntents(stage, 1);
    // Twelve attempts need as many searches for due work.
    await pause(200);
  },
};

/** The receiver accepts again, and what waits is due now. */
async function resumeReceiver(at: AlertStage): Promise<void> {
  const { stage } = at;
  stage.receiver.refuseAll(false);
  for (const worker of WORKERS) await stage.replace(worker);
  await at.sql(`update lanes set due_at = now() where pending > 0`);
  await stage.untilHooksAreOut(stage.houses[0]);
}

/** Workers skip locked rows, so due work that somebody else locks is due and never taken. */
const NOT_WORKED: AlertScenario = {
  alerts: ['LanesNotWorked', 'TimersNotWorked'],
  says: 'workers run and do not take what is due',
  provoke: async (at) => {
    const workers = WORKERS.map((name) => at.stage.world.app(name));
    for (const worker of workers) await worker.kill('SIGSTOP');
    await createIntents(at.stage, 1);
    await at.sql(`update lanes set due_at = now() - interval '2 minutes' where pending > 0`);
    await at.sql(`update timers set due_at = now() - interval '5 minutes' where kind = 'intent-expiry'`);
    const unlock = await at.lock(
      `select (select count(*) from (select 1 from lanes where pending > 0 for update) l),
         (select count(*) from (select 1 from timers where kind = 'intent-expiry' for update) t)`,
    );
    for (const worker of workers) await worker.kill('SIGCONT');
    return unlock;
  },
};

/** What may happen to deliveries and deadlines. */
export const QUEUE_SCENARIOS: readonly AlertScenario[] = [RECEIVER_DOWN, DEAD_LETTERS, NOT_WORKED];
