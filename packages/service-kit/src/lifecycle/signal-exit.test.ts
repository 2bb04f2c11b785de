import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends a command with %i', async (signal, code) => {
  const script = `
    import { exitOnSignal } from '@pos/service-kit/lifecycle';
    exitOnSignal();
    setInterval(() => undefined, 1_000);
    process.stdout.write('running');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([code, null]);
});
