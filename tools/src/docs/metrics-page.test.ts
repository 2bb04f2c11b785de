import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { renderMetricsPage } from './metrics-page.js';

test('the page of metrics lists what the apps define', async () => {
  const file = path.join(REPOSITORY, 'docs/reference/metrics.md');
  const page = await renderMetricsPage();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
