import { expect, test } from '@jest/globals';
import { buildPage } from '@pos/store/testing';
import type { Scope } from '@pos/core/identity';
import { buildPageCursors, readPosition } from './page-cursors.js';

const ID = 'cust_sandbox_AaIB3NsDWYvsTN905rw0Cg';
const SCOPE = { accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA', environment: 'sandbox' } as const;
const AT = new Date('2026-03-01T12:00:00.123Z');

function encode(seen: string | null): string {
  const page = buildPage([], { limit: 1, direction: 'newer', cursor: { createdAt: AT, id: ID, seen: null }, seen });
  return buildPageCursors(SCOPE, page).before ?? '';
}
const TAG = encode(null).slice(0, 6);
const read = (text: string, scope: Scope = SCOPE) => readPosition(scope, 'customer', { before: text }).cursor;
const encodeParts = (parts: unknown) => TAG + Buffer.from(JSON.stringify(parts)).toString('base64url');

test.each([null, '7:7:', '7:9:7,8', '1234567:1234580:1234567,1234570'])(
  'a cursor with the snapshot %s is encoded and decoded',
  (seen) => {
    expect(read(encode(seen))).toEqual({ createdAt: AT, id: ID, seen });
  },
);

const LATER = 'cust_sandbox_BaIB3NsDWYvsTN905rw0Cg';

/** A cursor whose page ended among rows that were written late. */
function cutLate(seen: string): string {
  const late = ['a', 'b'].map((id) => ({ createdAt: new Date(AT.getTime() - 1_000), id }));
  const cursor = { createdAt: AT, id: ID, seen: '1234567:1234580:' };
  const page = buildPage([{ ...late[0]!, id: LATER }, late[1]!], { limit: 1, direction: 'newer', cursor, seen });
  return buildPageCursors(SCOPE, page).before ?? '';
}

test('a cursor among late rows contains its position and its progress, and is as short as others', () => {
  const text = cutLate('1234569:1234590:');
  const published = { createdAt: new Date(AT.getTime() - 1_000), id: LATER, seen: '1234569:1234590:' };
  expect(read(text)).toEqual({ createdAt: AT, id: ID, seen: '1234567:1234580:', lateRows: published });
  expect(text.length).toBeLessThanOrEqual(200);
});

test('if both would be too long, reading continues from the progress', () => {
  const text = cutLate('1234569:1234590:1234570,1234572,1234574,1234576');
  expect(read(text)).toMatchObject({ id: LATER, seen: '1234569:1234590:1234570,1234572,1234574,1234576' });
});

test('with many open transactions a cursor names the first one, and stays short', () => {
  const crowd = Array.from({ length: 60 }, (_, at) => 1_000_000 + 2 * at);
  const text = encode(`1000000:2000000:${crowd.join(',')}`);
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
  expect(() => read(encodeParts([AT.getTime(), ID, seen]))).toThrow();
});

test.each([
  [[AT.getTime(), ID, 7]],
  [[AT.getTime(), ID, '7:7:', 1]],
  [[AT.getTime()]],
  [[AT.getTime(), ID, '7:7:', AT.getTime(), ID, 7]],
  [[AT.getTime(), ID, '7:7:', 1, 'x', null]],
  [{}],
])('%j is none', (parts) => {
  expect(() => read(encodeParts(parts))).toThrow();
});

test.each<[string, Scope]>([
  ['another account', { ...SCOPE, accountId: 'acc_Rk1v5r0bT4a2S7n8Lw3XyA' }],
  ['the other environment of the account', { ...SCOPE, environment: 'production' }],
])('a cursor of %s is refused, keyed by its member', (_, other) => {
  expect(() => read(encode(null), other)).toThrow(
    expect.objectContaining({ code: 'validation_failed', members: { before: ['is not a cursor of ours'] } }),
  );
});

test('a cursor without the mark of its account is refused', () => {
  expect(() => read(encode(null).slice(TAG.length))).toThrow();
  expect(read(encode(null))).not.toBeNull();
});
