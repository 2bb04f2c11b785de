import { afterAll, beforeAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSandboxAcquirer, type SandboxAcquirer } from '../sandbox/sandbox-acquirer.js';
import { runPageBlock } from './command-runs.js';

/** The adapter of a partner, and a folder for the files of its runs; both are there while the tests of a file run. */
export interface TestAdapter {
  readonly acquirer: SandboxAcquirer;
  /** The path of a file in the folder. */
  file(name: string): string;
  /** Runs a block of the page with the adapter; resolves with its code, and with its output if it failed. */
  runPageBlock(block: string): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Opens an adapter before the tests of the file, and closes it after them. */
export function useTestAdapter(): TestAdapter {
  let folder: string;
  let acquirer: SandboxAcquirer;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'acquirer-tester-'));
    acquirer = await openSandboxAcquirer({ seed: 'adapter of a partner' });
  });
  afterAll(() => {
    acquirer.close();
    rmSync(folder, { recursive: true });
  });
  return {
    get acquirer() {
      return acquirer;
    },
    file: (name) => path.join(folder, name),
    async runPageBlock(block) {
      const env = { ADAPTER: `grpc://${acquirer.address}`, ACQUIRER_CREDENTIAL: acquirer.credential };
      const { code, output } = await runPageBlock(block, { folder, env });
      return { code, output: code === 0 ? '' : output };
    },
  };
}
