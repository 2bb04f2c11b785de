import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { renderConfigurationPage } from './configuration.js';

test('the page of settings lists what the apps read', async () => {
  const file = path.join(REPOSITORY, 'docs/reference/configuration.md');
  const page = await renderConfigurationPage();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
