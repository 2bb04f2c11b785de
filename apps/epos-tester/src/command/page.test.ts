import { expect, test } from '@jest/globals';
import { EXITS } from '@pos/conformance/command';
import { HELP } from './listing.js';
import { listPageBlocks, runBlock, getScript } from '../testing/portal-page.js';

// `reference-epos.long.test.ts` runs the commands that play flows, and the long tests run those that need a partner's EPOS.
const LISTS = listPageBlocks().filter((block) => !/EPOS_URL|--epos ws|pnpm certify/.test(block));

test('`pnpm tester` is the compiled command, and `pnpm certify` plays everything at the sandbox', () => {
  expect(getScript('tester')).toBe('node apps/epos-tester/dist/command/main.js');
  expect(getScript('certify')).toBe('pnpm run certify:epos && pnpm run certify:acquirer');
  expect(getScript('certify:epos')).toMatch(
    /^node apps\/epos-tester\/dist\/command\/main\.js run --epos reference --all --param lockSeconds=1 --param waitSeconds=2 /,
  );
  expect(LISTS).toHaveLength(1);
});

test('without arguments it prints its usage, and needs no setting of the app', async () => {
  const { code, output } = await runBlock('unset DATABASE_URL; pnpm tester', { folder: '.', eposUrl: '' });
  expect({ code, output }).toEqual({ code: EXITS.usage, output: HELP });
});

test.each(LISTS)('works as the page has it: %s', async (block) => {
  const { code, output } = await runBlock(block, { folder: '.', eposUrl: '' });
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
});
