import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { dividePassedTime, ProcessorMeter, readPostmaster, sumApps } from './processor-time.js';

/** Uses a processor for 400 ms, in a child that ends, and prints a line at the end. */
const BUSY_CHILD = `
  const busy = 'const end = process.cpuUsage().user + 400_000; while (process.cpuUsage().user < end);';
  require('node:child_process').spawnSync(process.execPath, ['-e', busy]);
  console.log('done');
  setInterval(() => undefined, 1_000);
`;

test('the time of children that ended is counted, that of other processes is not', async () => {
  const busy = spawn(process.execPath, ['-e', BUSY_CHILD], { stdio: ['ignore', 'pipe', 'inherit'] });
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: 'ignore' });
  try {
    const meter = new ProcessorMeter(() => [{ name: 'busy', pid: busy.pid ?? null }], idle.pid ?? 0);
    const before = meter.read();
    await once(busy.stdout, 'data');
    const { apps, database } = dividePassedTime(before, meter.read(), 2);
    expect(apps['busy']).toBeGreaterThanOrEqual(190);
    expect(database).toBeLessThan(190);
    expect(readPostmaster(idle.pid ?? 0)).toBe(process.pid);
  } finally {
    busy.kill('SIGKILL');
    idle.kill('SIGKILL');
  }
});

test('a process that does not run has no time', () => {
  const { apps, database } = new ProcessorMeter(() => [{ name: 'api', pid: null }], 2 ** 30).read();
  expect([apps['api'], database]).toEqual([Number.NaN, Number.NaN]);
});

test('time is divided among the rounds, and summed over the apps', () => {
  const passed = dividePassedTime(
    { apps: { api: 100, worker: 10 }, database: 50 },
    { apps: { api: 300, worker: 14 }, database: 150 },
    100,
  );
  expect(passed).toEqual({ apps: { api: 2, worker: 0.04 }, database: 1 });
  expect(sumApps(passed)).toBeCloseTo(2.04, 10);
});

test('an app that was started between two readings has no time', () => {
  const passed = dividePassedTime({ apps: {}, database: 0 }, { apps: { worker: 14 }, database: 1 }, 1);
  expect(passed.apps['worker']).toBeNaN();
});
