import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../repository/repository.js';

/** In a process of its own: in this one, other tests may have imported the modules that define metrics. */
function renderInProcess(): string {
  const module = pathToFileURL(path.join(REPOSITORY, 'tools/dist/docs/metrics-page.js')).href;
  const program = `const { renderMetricsPage } = await import('${module}'); process.stdout.write(await renderMetricsPage());`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}

test('the page of metrics lists what the apps define', () => {
  const file = path.join(REPOSITORY, 'docs/reference/metrics.md');
  const page = renderInProcess();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});
