import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { findXmlViolation } from '@pos/conformance/testing';
import { useTestCommand } from '../testing/command-runs.js';
import { listPageBlocks, runBlock } from '../testing/portal-page.js';

const PARTNERS = listPageBlocks().filter((block) => /EPOS_URL|--epos ws/.test(block));

const runner = useTestCommand();

test('the page has commands for an EPOS of a partner', () => {
  expect(PARTNERS).toHaveLength(3);
});

test.each(PARTNERS)(
  'works as written in the page: %s',
  async (block) => {
    const { code, output } = await runBlock(block, { folder: runner.folder, eposUrl: runner.epos.url });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    if (block.includes('--junit'))
      expect(findXmlViolation(readFileSync(runner.file('epos-tester/out.xml'), 'utf8'))).toBeNull();
  },
  300_000,
);
