import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { testDataPage } from './test-data.js';

test('docs/integrate/test-cards-and-amounts.md lists what the sandbox does; UPDATE_GOLDEN=1 writes it', () => {
  const file = path.join(REPOSITORY, 'docs/integrate/test-cards-and-amounts.md');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, testDataPage());
  expect(readFileSync(file, 'utf8')).toBe(testDataPage());
});
