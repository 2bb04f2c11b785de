import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { LeakScan } from '@pos/core/leaks/leak-scan';
import { createOwnNumberShapes } from '@pos/core/leaks/leak-shapes';
import { createFreshNumber } from '@pos/sandbox/cards/test-cards';
import { LeakScenario } from './leak-scenario.js';
import { isMemoryReadable, scanMemory } from './process-memory.js';

const MINUTES = 60_000;

/** It passes, because a machine that protects its memory is no failure; the last lines of the whole check list it. */
if (!isMemoryReadable(process.pid)) {
  test('NOT RUN: this machine does not permit to read memory, so it was not scanned for leaks', () => {
    expect(isMemoryReadable(process.pid)).toBe(false);
  });
}

test(
  'after valid and mistaken requests, no number, CV2, key or secret is in a file, a log or foreign memory',
  async () => {
    const scenario = await LeakScenario.open();
    try {
      await scenario.live(1);
      const { finds, cards } = await scenario.search();
      expect(finds).toEqual([]);
      expect(cards).toBeGreaterThan(10);
    } finally {
      await scenario.remove();
    }
  },
  5 * MINUTES,
);

test('a number that a process has in its memory is found there', async () => {
  const number = createFreshNumber('4456530000091014', 0.5);
  const keep = 'process.stdin.once("data", (text) => { kept = `${text}`; console.log("got it"); })';
  const child = spawn(process.execPath, ['-e', keep], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pid = child.pid ?? 0;
  child.stdin.write(`{"cardNumber":"${number}"}`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const scan = new LeakScan(createOwnNumberShapes([number]));
  const isFound = !isMemoryReadable(pid) || scanMemory(scan, { pid }).leaks.length > 0;
  child.kill('SIGKILL');
  expect(isFound).toBe(true);
});
