import { afterEach, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from '../repository/repository.js';
import { findFreePorts } from '@pos/dev-database';
import { LOOPBACK } from '../dev/ports.js';

const MINUTE = 60_000;
const POLL_MS = 100;

let turbo: ChildProcess | undefined;

afterEach(async () => {
  if (turbo?.exitCode !== null || turbo.pid === undefined) return;
  // Its group: turbo, pnpm and the app.
  process.kill(-turbo.pid, 'SIGTERM');
  await once(turbo, 'close');
});

test(
  'turbo run serve passes the settings of the shell to the app',
  async () => {
    const [port = 0] = await findFreePorts(1);
    const url = `http://${LOOPBACK}:${port}/health/ready`;
    const output = startServing('@pos/checkout', {
      HTTP_PORT: String(port),
      API_BASE_URL: 'https://api.example',
      CARD_VAULT_URL: 'https://cards.example',
      CHALLENGE_ORIGINS: 'https:',
    });
    const until = performance.now() + MINUTE;
    let answer: Response | null = null;
    while (answer === null && performance.now() < until && turbo?.exitCode === null) {
      answer = await fetch(url).catch(() => null);
      await pause(POLL_MS);
    }
    expect([answer?.status, output()]).toEqual([200, expect.stringContaining('process.started')]);
  },
  2 * MINUTE,
);

/** Starts the task of one app, without the builds that it depends on. Returns its output so far. */
function startServing(filter: string, settings: Readonly<Record<string, string>>): () => string {
  // The variables of the outer turbo must not reach the inner one.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TURBO_'));
  const bin = path.join(REPOSITORY, 'node_modules/.bin');
  const PATH = `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`;
  turbo = spawn(path.join(bin, 'turbo'), ['run', 'serve', '--only', '--ui=stream', `--filter=${filter}`], {
    cwd: REPOSITORY,
    env: { ...Object.fromEntries(inherited), PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [turbo.stdout, turbo.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()));
  return () => output;
}
