import { expect, test } from '@jest/globals';
import { listPageBlocks } from '../testing/command-runs.js';
import { useTestAdapter } from '../testing/test-adapter.js';

// The commands of the page that do not play all flows: `page.long.test.ts` has those that do, and the tests of the
// reference adapter run the blocks that start processes.

const adapter = useTestAdapter();

const blocks = listPageBlocks();

test('the page has commands for the sandbox, for the lists and for an adapter', () => {
  expect(blocks.filter((block) => block.includes('pnpm acquirer-tester'))).toHaveLength(6);
});

// In the order of the page: the profile that one writes is read by another.
test.each(blocks.filter((block) => !/dist\/main\.js|curl|--all/.test(block)))(
  'a command of the page works as written: %s',
  async (block) => {
    expect(await adapter.runPageBlock(block)).toEqual({ code: 0, output: '' });
  },
  120_000,
);
