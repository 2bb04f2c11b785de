import { expect, test } from '@jest/globals';
import { findTypeError } from './type-check.js';

const FOLDERS = new Map([['@pos/sandbox-app', 'apps/sandbox']]);

test.each([
  [
    "@pos/sandbox-app:declarations: src/main.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "apps/sandbox/src/main.ts:3:7 TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  [
    '@pos/sandbox-app:types: src/main.test.ts(10,1): error TS1005: x.\r',
    'apps/sandbox/src/main.test.ts:10:1 TS1005: x.',
  ],
  ['@pos/sandbox-app:declarations: > tsc -p tsconfig.build.json', null],
  ['@pos/unknown:declarations: src/main.ts(3,7): error TS2322: x.', null],
])('the type error in %s', (line, error) => {
  expect(findTypeError(line, FOLDERS)).toBe(error);
});
