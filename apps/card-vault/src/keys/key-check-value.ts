import { createHmac } from 'node:crypto';

const CHECK_VALUE_BYTES = 3;

/**
 * Six hexadecimal digits by which people compare a key, or a component of one, without seeing it. They reveal nothing
 * that helps to find 32 random bytes.
 */
export function computeKeyCheckValue(key: Uint8Array): string {
  const digest = createHmac('sha256', key).update('check value of a master key').digest();
  return digest.subarray(0, CHECK_VALUE_BYTES).toString('hex');
}
