import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { LeakScan } from '@pos/core/leak-scan';
import { ownNumberShapes } from '@pos/core/leak-shapes';
import { LeakStory } from './leak-story.js';
import { isMemoryReadable, scanMemory } from './process-memory.js';

const MINUTES = 60_000;
let story: LeakStory;

beforeAll(async () => {
  story = await LeakStory.open();
}, 2 * MINUTES);
afterAll(() => story.remove(), MINUTES);

test(
  'whatever payers, integrators and mistaken ones send, no number, CV2, key or secret is in a file, a log or foreign memory',
  async () => {
    await story.live(1);
    const { finds, cards, isMemoryScanned } = await story.search();
    if (!isMemoryScanned)
      process.stderr.write('*** Memory was NOT looked through: this machine does not let it be read.\n');
    expect(finds).toEqual([]);
    expect(cards).toBeGreaterThan(10);
  },
  5 * MINUTES,
);

test('a number that a process has in its memory is found there', async () => {
  const number = story.traffic.card().cardNumber;
  const child = spawn(
    process.execPath,
    ['-e', 'process.stdin.once("data", (text) => { kept = `${text}`; console.log("got it"); })'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const pid = child.pid ?? 0;
  child.stdin.write(`{"cardNumber":"${number}"}`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const scan = new LeakScan(ownNumberShapes([number]));
  if (isMemoryReadable(pid)) expect(scanMemory(scan, { pid }).leaks.length).toBeGreaterThan(0);
  child.kill('SIGKILL');
});
