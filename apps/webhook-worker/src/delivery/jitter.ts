import { createHmac, randomInt } from 'node:crypto';

const JITTER_STEPS = 2 ** 32;

/** The jitter of retries: random, or with a seed the same for each delivery and attempt. */
export function createJitter(seed: string | null): (deliveryId: string, attempt: number) => number {
  if (seed === null) return () => randomInt(JITTER_STEPS) / JITTER_STEPS;
  return (deliveryId, attempt) =>
    createHmac('sha256', seed).update(`jitter/${deliveryId}/${attempt}`).digest().readUInt32BE(0) / JITTER_STEPS;
}
