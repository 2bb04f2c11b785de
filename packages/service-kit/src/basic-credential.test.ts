import { expect, test } from '@jest/globals';
import { basicCredential } from './basic-credential.js';

test.each([
  ['Basic sk_sandbox_1', 'sk_sandbox_1'],
  ['bAsIc sk_sandbox_1', 'sk_sandbox_1'],
  [`Basic ${'x'.repeat(500)}`, 'x'.repeat(500)],
  [`Basic ${'x'.repeat(501)}`, null],
  ['Basic  two-spaces', null],
  ['Basic two words', null],
  ['Basic ', null],
  ['Basic', null],
  ['Bearer sk_sandbox_1', null],
  [' Basic sk_sandbox_1', null],
  ['', null],
  [undefined, null],
])('%j carries %j', (header, credential) => {
  expect(basicCredential(header)).toBe(credential);
});
