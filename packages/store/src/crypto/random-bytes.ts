import { randomBytes, randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;
/** More are drawn at once, and would use up the pool. */
const POOLED_LENGTH_MAX = 256;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes for ids, nonces and secrets, as good as those of the system. A call of the system for each few bytes
 * costs more than all else of an id, so they are drawn some thousand at a time. Bytes that were handed out are erased.
 */
export function createRandomBytes(length: number): Buffer {
  if (length > POOLED_LENGTH_MAX) return randomBytes(length);
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const drawn = pool.subarray(used, used + length);
  const bytes = Buffer.from(drawn);
  drawn.fill(0);
  used += length;
  return bytes;
}
