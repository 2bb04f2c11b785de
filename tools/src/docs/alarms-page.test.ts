import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALARM_ENDS } from '@pos/core/operators';
import { REPOSITORY } from '../repository/repository.js';

test('the page of alarms has every kind, and says when the service answers it itself', () => {
  const page = readFileSync(path.join(REPOSITORY, 'docs/operate/pending-payments-and-alarms.md'), 'utf8');
  const lines = page.slice(page.indexOf('## Alarms')).matchAll(/^\| `([A-Z]\w+)` \|.*\| ([^|]+) \|$/gm);
  const listed = Object.fromEntries([...lines].map(([, kind = '', end = '']) => [kind, end === 'never' ? null : end]));
  expect(listed).toEqual(ALARM_ENDS);
});
