import { expect, test } from '@jest/globals';
import { parseBasicCredential } from './basic-credential.js';

test.each([
  ['Basic sk_sandbox_1', 'sk_sandbox_1'],
  ['bAsIc sk_sandbox_1', 'sk_sandbox_1'],
  [`Basic ${'x'.repeat(500)}`, 'x'.repeat(500)],
  [`Basic ${'x'.repeat(501)}`, null],
  ['Basic  two-spaces', null],
  ['Basic two words', null],
  ['Basic ', null],
  ['Basic', null],
  ['Bearer sk_sandbox_1', 'sk_sandbox_1'],
  ['bearer sk_sandbox_1', 'sk_sandbox_1'],
  ['Bearer  sk_sandbox_1', null],
  ['Bearer ', null],
  ['Digest sk_sandbox_1', null],
  ['sk_sandbox_1', null],
  // Credentials as `curl -u <key>:` sends them, for each length of base64 padding.
  [`Basic ${btoa('sk_sandbox_1:')}`, 'sk_sandbox_1'],
  [`Basic ${btoa('sk_sandbox_12:')}`, 'sk_sandbox_12'],
  [`Basic ${btoa('sk_sandbox_123:')}`, 'sk_sandbox_123'],
  [`basic ${btoa('cs_sandbox_-1_:')}`, 'cs_sandbox_-1_'],
  // No user name without a password: taken literally, so it is no key.
  [`Basic ${btoa('sk_sandbox_1:password')}`, btoa('sk_sandbox_1:password')],
  [`Basic ${btoa(':sk_sandbox_1')}`, btoa(':sk_sandbox_1')],
  [`Basic ${btoa('sk_sandbox_1')}`, btoa('sk_sandbox_1')],
  [`Basic ${btoa('a:b:')}`, btoa('a:b:')],
  [`Basic ${btoa('sk sandbox:')}`, btoa('sk sandbox:')],
  [`Basic ${btoa(':')}`, btoa(':')],
  [`Bearer ${btoa('sk_sandbox_1:')}`, btoa('sk_sandbox_1:')],
  [' Basic sk_sandbox_1', null],
  ['', null],
  [undefined, null],
])('%j carries %j', (header, credential) => {
  expect(parseBasicCredential(header)).toBe(credential);
});
