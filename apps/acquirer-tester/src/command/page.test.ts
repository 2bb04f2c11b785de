import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSandboxAcquirer, type SandboxAcquirer } from '../sandbox/sandbox-acquirer.js';
import { listPageBlocks, runPageBlock } from '../testing/command-runs.js';

// The commands of the page that do not play all flows: `page.long.test.ts` has those that do, and the tests of the
// reference adapter run the blocks that start processes.

let folder: string;
let adapter: SandboxAcquirer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'acquirer-tester-'));
  adapter = await openSandboxAcquirer({ seed: 'adapter of a partner' });
});

afterAll(() => {
  adapter.close();
  rmSync(folder, { recursive: true });
});

const blocks = listPageBlocks();

test('the page has commands for the sandbox, for the lists and for an adapter', () => {
  expect(blocks.filter((block) => block.includes('pnpm acquirer-tester'))).toHaveLength(6);
});

// In the order of the page: the profile that one writes is read by another.
test.each(blocks.filter((block) => !/dist\/main\.js|curl|--all/.test(block)))(
  'a command of the page works as written: %s',
  async (block) => {
    const env = { ADAPTER: `grpc://${adapter.address}`, ACQUIRER_CREDENTIAL: adapter.credential };
    const { code, output } = await runPageBlock(block, { folder, env });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  },
  120_000,
);
