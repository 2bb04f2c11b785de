import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runBench } from './testing/bench-run.js';

const MINUTES = 60_000;

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
