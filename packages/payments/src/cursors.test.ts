import { expect, test } from '@jest/globals';
import { pageOf } from '@pos/store/page';
import { endsOf, readPlace } from './cursors.js';

const ID = 'cust_sandbox_AaIB3NsDWYvsTN905rw0Cg';
const AT = new Date('2026-03-01T12:00:00.123Z');

function written(seen: string | null): string {
  const page = pageOf([], { limit: 1, direction: 'newer', cursor: { createdAt: AT, id: ID, seen: null }, seen });
  return endsOf(page).before ?? '';
}
const read = (text: string) => readPlace('customer', { before: text }).cursor;
const coded = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

test.each([null, '7:7:', '7:9:7,8', '1234567:1234580:1234567,1234570'])('a cursor that saw %s comes back', (seen) => {
  expect(read(written(seen))).toEqual({ createdAt: AT, id: ID, seen });
});

test('of a crowd that was writing a cursor names the first one, and stays short', () => {
  const crowd = Array.from({ length: 60 }, (_, at) => 1_000_000 + 2 * at);
  const text = written(`1000000:2000000:${crowd.join(',')}`);
  expect([text.length <= 200, read(text)?.seen]).toEqual([true, '1000000:1000000:']);
});

test.each([
  '',
  '7',
  '7:9',
  '0:9:',
  '9:7:',
  '7:9:6',
  '7:9:9',
  '7:9:8,7',
  '7:9:7,',
  '-7:9:',
  'x:y:z',
  '7:9:7;drop',
  `${'9'.repeat(19)}:${'9'.repeat(19)}:`,
])('a cursor that claims to have seen "%s" is none', (seen) => {
  expect(() => read(coded([AT.getTime(), ID, seen]))).toThrow();
});

test.each([[[AT.getTime(), ID, 7]], [[AT.getTime(), ID, '7:7:', 1]], [[AT.getTime()]], [{}]])('%j is none', (parts) => {
  expect(() => read(coded(parts))).toThrow();
});
