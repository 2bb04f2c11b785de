import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findFreePorts } from '@pos/dev-database';
import { runBench } from './testing/bench-run.js';

const MINUTES = 60_000;

/** Empty: nothing is installed yet. */
let dataDir = '';

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'bench-peers-'));
});

afterEach(async () => {
  await rm(dataDir, { recursive: true });
});

test(
  'the service and each peer that can be installed serve their rounds in turns without a failure',
  async () => {
    const { exitCode, output, error } = await runBench(['--peers', '--short']);
    const leftOut = [...error.matchAll(/left out: (.+)/g)].map(([, sentence = '']) => sentence);
    for (const sentence of leftOut) {
      process.stdout.write(`  NOT RUN: ${sentence}\n`);
      expect(sentence).toMatch(/^npm cannot install|^etcd is not installed/);
    }
    const measured = [...output.matchAll(/^\| (?:create|lock) \+ .*, against .* \| 16 \|/gm)];
    expect(measured).toHaveLength(3 - leftOut.length);
    // A failed round makes a ratio worthless.
    expect(error).not.toMatch(/rounds of .* failed/);
    expect(exitCode).toBe(measured.length === 0 ? 1 : 0);
    // Its telemetry would write an id here.
    expect(existsSync('.vendure')).toBe(false);
  },
  10 * MINUTES,
);

test('without a registry of packages a peer of npm is left out with the reason, and nothing is started', async () => {
  const [port = 0] = await findFreePorts(1);
  const registry = `http://127.0.0.1:${port}`;
  const { exitCode, output, error } = await runBench(['--peers', 'stripe-stateful-mock', '--short'], {
    npm_config_registry: registry,
    DATA_DIR: dataDir,
  });
  const refused = `connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(error).toMatch(
    new RegExp(`left out: npm cannot install stripe-stateful-mock \\d+\\.\\d+\\.\\d+: ${refused}\n`),
  );
  expect(error).toContain('no peer was measured');
  expect(error).not.toContain('starting PostgreSQL');
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
});

test('a run without any peer fails with --print too, and does not change the page', async () => {
  const words = ['--peers', '--print', '--write'];
  const { exitCode, output, error } = await runBench(words, {
    DATA_DIR: dataDir,
    PATH: path.join(dataDir, 'no-programs'),
  });
  expect(error).toMatch(/left out: npm cannot install vendure .*: npm does not run/);
  expect(error).toMatch(/left out: npm cannot install stripe-stateful-mock .*: npm does not run/);
  expect(error).toContain('left out: etcd is not installed here (Debian: etcd-server)');
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
});

test('an unknown peer is refused with the names of the peers, before anything is installed', async () => {
  const { exitCode, output, error } = await runBench(['--peers', 'vendure,magento'], { DATA_DIR: dataDir });
  expect(error).toContain('--peers takes vendure, stripe-stateful-mock, etcd');
  expect(existsSync(path.join(dataDir, 'peers'))).toBe(false);
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
});
