import { setTimeout as pause } from 'node:timers/promises';
import { advanceClock, clearAcquirerRules, replaceAcquirerRules } from '@pos/rest-contracts/sandbox';
import { WORKERS } from '../e2e/stage.js';
import type { AlertScenario } from './alert-scenario.js';
import type { AlertStage } from './alert-stage.js';
import { createIntents, payAtTable, refund, untilCallsAreSettled } from './payment-traffic.js';

/** More than the alert permits. */
const LANES = 30;
/** More than the waits between the attempts that a scenario has time for. */
const BACKOFF_MAX = '00:10:00';

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
  await stage.api(stage.houses[0])(advanceClock, { body: { by: BACKOFF_MAX } });
  await stage.untilHooksAreOut(stage.houses[0]);
}

/** An inquiry is due 10 s after its call, at the deadline, and its alert is active after 60 s more. */
const UNWORKED_MS = 75_000;

/**
 * Workers skip locked rows, so a transaction that somebody has left open keeps due work from them: the webhook of a new
 * payment, and the inquiries about a refund that the acquirer did not answer.
 */
const NOT_WORKED: AlertScenario = {
  alerts: ['LanesNotWorked', 'TimersNotWorked'],
  says: 'somebody leaves a transaction open that locks what is due',
  provoke: async (at) => {
    const { stage } = at;
    const intentId = await payAtTable(stage);
    await stage.untilHooksAreOut(stage.houses[0]);
    const workers = WORKERS.map((name) => stage.world.app(name));
    for (const worker of workers) await worker.kill('SIGSTOP');
    const rules = [{ match: {}, effect: 'refuse' as const, status: 'UNAVAILABLE' as const }];
    await stage.sandbox(replaceAcquirerRules, { body: { rules } });
    await refund(stage, intentId).catch(() => undefined);
    await createIntents(stage, 1);
    const unlock = await at.lock(
      `select (select count(*) from (select 1 from lanes where pending > 0 for update) l),
         (select count(*) from (select 1 from timers for update) t)`,
    );
    for (const worker of workers) await worker.kill('SIGCONT');
    await pause(UNWORKED_MS);
    return async () => {
      await stage.sandbox(clearAcquirerRules, {});
      await unlock();
      await untilCallsAreSettled(at);
      await stage.untilHooksAreOut(stage.houses[0]);
    };
  },
};

/** What may happen to deliveries and deadlines. */
export const QUEUE_SCENARIOS: readonly AlertScenario[] = [RECEIVER_DOWN, DEAD_LETTERS, NOT_WORKED];
