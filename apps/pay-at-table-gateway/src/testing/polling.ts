import { setTimeout as pause } from 'node:timers/promises';

const POLLS_MAX = 500;
const POLL_DELAY_MS = 5;
const POLL_DELAY_MS_MAX = 50;

/** Polls until the condition holds; fails after the last poll. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  describeFailure: () => string = () => condition.toString(),
): Promise<void> {
  for (let poll = 1; poll <= POLLS_MAX; poll += 1) {
    if (await condition()) return;
    // Most conditions read the database: many polls a second would cost more than the work that they wait for.
    await pause(Math.min(POLL_DELAY_MS * poll, POLL_DELAY_MS_MAX));
  }
  throw new Error(`the condition did not hold in time: ${describeFailure()}`);
}
