import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createServerFolder } from '@pos/dev-database';
import { startWorld } from '../dev/world.js';

let dataDir: string;
let failure: unknown;

describe('a world of tests whose start fails', () => {
  beforeAll(async () => {
    dataDir = createServerFolder('pos-failed-start-');
    const options = { ports: 'free', restaurants: 2, durable: false, count: { 'epos-tester': 0 } } as const;
    failure = await startWorld({ dataDir, ...options, env: { api: { LOG_LEVEL: 'deafening' } } }).catch(
      (error: unknown) => error,
    );
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  test('names the process that ended, and quotes what it said', () => {
    expect(String(failure)).toMatch(/api ended before it was ready; [^]*LOG_LEVEL/);
  });

  test('leaves no files', () => {
    expect(existsSync(dataDir) ? readdirSync(dataDir) : []).toEqual([]);
    expect(readdirSync(path.dirname(dataDir))).not.toContain(path.basename(dataDir));
  });
});
