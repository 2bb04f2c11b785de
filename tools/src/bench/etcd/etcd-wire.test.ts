import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeBytesField, findField, encodeNumberField } from './etcd-wire.js';

test('a written field is read back, beside any other field', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(bytes, number, bytes, (key, lease, other) => {
      const message = Buffer.concat([
        encodeBytesField(1, other),
        encodeBytesField(2, key),
        encodeNumberField(3, lease),
      ]);
      expect(findField(message, 2)).toEqual(Buffer.from(key));
      expect(findField(message, 3)).toBe(lease);
      expect(findField(message, 4)).toBeNull();
    }),
    { seed: 1 },
  );
});

test.each<[string, Buffer, string]>([
  ['breaks off in a number', Buffer.from([0x80]), 'in the middle of a number'],
  ['breaks off in a text', Buffer.from([0x0a, 5, 1]), 'in the middle of a field'],
  ['has a field of another form', Buffer.from([0x0d, 0, 0, 0, 0]), 'form 5'],
])('a message that %s is refused', (_, message, says) => {
  expect(() => findField(message, 9)).toThrow(says);
});
