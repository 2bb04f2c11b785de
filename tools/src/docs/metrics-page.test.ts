import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';

test('the page of metrics lists what the apps define', () => {
  const file = path.join(REPOSITORY, 'docs/reference/metrics.md');
  // In this process, other tests may have imported the modules that define metrics.
  const program = path.join(REPOSITORY, 'tools/dist/docs/print-metrics-page.js');
  const page = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
