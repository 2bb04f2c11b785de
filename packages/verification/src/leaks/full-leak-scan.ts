import { createCv2MessageShapes, type LeakShape } from '@pos/core/testing';
import { createHash } from 'node:crypto';
import { createExactShape, createNumberShapes, createSecretShapes, groupDigits, LeakScan } from '@pos/core/leaks';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/cards';

const KNOWN_NUMBERS: readonly string[] = [...TEST_NUMBERS, ...EXAMPLE_NUMBERS];
const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'];

/**
 * Everything that must not be stored in clear: numbers and hashes of them, CV2s, keys and secrets. `numbers` are
 * added to those.
 */
export function createFullScan(numbers: readonly string[] = []): LeakScan {
  return new LeakScan([
    ...listCardShapes([...KNOWN_NUMBERS, ...numbers]),
    ...createCv2MessageShapes(),
    ...createSecretShapes(),
  ]);
}

/** Numbers of the issuers of `numbers`, and hashes of `numbers`. */
function listCardShapes(numbers: readonly string[]): LeakShape[] {
  return [...createNumberShapes(numbers), ...numbers.flatMap(listHashShapes)];
}

/** A hash without a key is as good as the number: there are few numbers, and a computer can try them all. */
function listHashShapes(number: string): LeakShape[] {
  const spellings = ['', ' ', '-'].map((between) => groupDigits(number, between));
  return ALGORITHMS.flatMap((algorithm) =>
    spellings.flatMap((spelling) => {
      const hash = createHash(algorithm).update(spelling).digest();
      const encodings: [string, Uint8Array][] = [
        ['raw', hash],
        ['hex', Buffer.from(hash.toString('hex'))],
        ['hex', Buffer.from(hash.toString('hex').toUpperCase())],
        ['base64', Buffer.from(hash.toString('base64'))],
        ['base64', Buffer.from(hash.toString('base64url'))],
      ];
      return encodings.map(([form, bytes]) =>
        createExactShape({ kind: 'hash of a card number', form: `${algorithm} ${form}` }, bytes),
      );
    }),
  );
}
