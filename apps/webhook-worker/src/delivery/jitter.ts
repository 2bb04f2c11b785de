import { createHmac, randomInt } from 'node:crypto';

const JITTER_STEPS = 2 ** 32;

/** Where the jitter of a retry comes from: chance, or, under a seed, always the same for the same delivery and attempt. */
export function createJitter(seed: string | null): (deliveryId: string, attempt: number) => number {
  if (seed === null) return () => randomInt(JITTER_STEPS) / JITTER_STEPS;
  return (deliveryId, attempt) =>
    createHmac('sha256', seed).update(`jitter/${deliveryId}/${attempt}`).digest().readUInt32BE(0) / JITTER_STEPS;
}
