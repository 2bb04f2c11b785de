import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppProcess } from '../dev/app-process.js';
import { readWorldOptions } from '../dev/dev-settings.js';

const folder = mkdtempSync(path.join(tmpdir(), 'app-process-'));
let app: AppProcess | null = null;
afterAll(async () => {
  await app?.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('the start waits five minutes for an app, or as long as START_TIMEOUT_MS says', () => {
  expect(readWorldOptions({}).readyMsMax).toBe(300_000);
  expect(readWorldOptions({ START_TIMEOUT_MS: '900000' }).readyMsMax).toBe(900_000);
  expect(() => readWorldOptions({ START_TIMEOUT_MS: 'soon' })).toThrow('START_TIMEOUT_MS is not a number');
  expect(() => readWorldOptions({ START_TIMEOUT_MS: '5' })).toThrow('START_TIMEOUT_MS is less than 1000');
});

test('an app that is not ready in time is named with the setting that lets the start wait longer', async () => {
  const entry = path.join(folder, 'slow.mjs');
  writeFileSync(entry, 'setInterval(() => {}, 1000);');
  app = new AppProcess({
    ...{ name: 'slow', entry, env: {}, ready: 'http://127.0.0.1:9/health/ready', readyMsMax: 300 },
    logFile: path.join(folder, 'slow.log'),
  });
  app.start();
  await expect(app.untilReady()).rejects.toThrow('slow was not ready within 0.3 s; START_TIMEOUT_MS lets');
});
