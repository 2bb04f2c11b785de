import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../repository/repository.js';
import { ACCOUNT_PAGES, OPERATOR_PAGES } from './portal-pages.js';

test('the browser scenarios open every page of the portal whose address has no parameter', () => {
  const router = readFileSync(path.join(REPOSITORY, 'apps/portal/src/web/router.tsx'), 'utf8');
  const addresses = [...router.matchAll(/^ {4}path: '(?<address>\/[^'$]*)',$/gm)].map(
    ({ groups }) => groups?.['address'],
  );
  expect([...ACCOUNT_PAGES, ...OPERATOR_PAGES].map(([address]) => address).sort()).toEqual(addresses.sort());
});
