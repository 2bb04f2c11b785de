import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { FOUND_LEAKS, KNOWN, NOT_FOUND, SHORT } from '@pos/core/testing';
import { createFullScan } from './full-leak-scan.js';

const OWN = '4000001234567899';
const scan = createFullScan([OWN]);
const kindsIn = (bytes: Buffer): string[] => scan.find(bytes).map(({ kind, form }) => `${kind} ${form}`);

const hashText = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
  [KNOWN, SHORT, OWN, '4456 5300 0009 1014', '4456-5300-0009-1014', '3740 000000 09108'].map((text) => ({
    algorithm,
    text,
    hash: createHash(algorithm).update(text).digest(),
  })),
);

test.each(hashText)('the $algorithm of $text is found, raw and in every encoding', ({ algorithm, hash }) => {
  const written: [string, Buffer][] = [
    ['raw', hash],
    ['hex', Buffer.from(hash.toString('hex'))],
    ['hex', Buffer.from(hash.toString('hex').toUpperCase())],
    ['base64', Buffer.from(hash.toString('base64'))],
    ['base64', Buffer.from(hash.toString('base64url'))],
  ];
  for (const [form, bytes] of written) {
    const around = Buffer.concat([Buffer.from('a row '), bytes, Buffer.from(' of a table')]);
    expect(kindsIn(around)).toContain(`hash of a card number ${algorithm} ${form}`);
  }
});

test.each([
  ['a hash with a key', createHmac('sha256', 'a key').update(KNOWN).digest()],
  ['the hash of a masked number', createHash('sha256').update('44565300****1014').digest()],
  ['the hash of an unused number', createHash('sha256').update('4456530000091015').digest()],
])('%s gives nothing away', (_, bytes) => {
  for (const form of [bytes, Buffer.from(bytes.toString('hex')), Buffer.from(bytes.toString('base64'))]) {
    expect(kindsIn(form)).toEqual([]);
  }
});

test('the scan searches for all other leaks beside hashes, and for nothing more', () => {
  expect(FOUND_LEAKS.filter(([, bytes, form]) => !kindsIn(Buffer.from(bytes)).includes(form))).toEqual([]);
  expect(NOT_FOUND.filter(([, bytes]) => kindsIn(Buffer.from(bytes)).length > 0)).toEqual([]);
});
