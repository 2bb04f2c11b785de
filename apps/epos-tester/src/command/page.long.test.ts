import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { xmlFault } from '../reports/testing-markup.js';
import { PartnerEpos } from './testing-command.js';
import { pageBlocks, runBlock } from './testing-page.js';

const PARTNERS = pageBlocks().filter((block) => /EPOS_URL|--epos ws/.test(block));

let folder: string;
let epos: PartnerEpos;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tester-page-'));
  epos = await PartnerEpos.open();
});

afterAll(() => {
  epos.close();
  rmSync(folder, { recursive: true });
});

test('the page has commands for an EPOS of a partner', () => {
  expect(PARTNERS).toHaveLength(3);
});

test.each(PARTNERS)(
  'works as the page has it: %s',
  async (block) => {
    const { code, said } = await runBlock(block, { folder, eposUrl: epos.url });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    if (block.includes('--junit'))
      expect(xmlFault(readFileSync(path.join(folder, 'epos-tester/out.xml'), 'utf8'))).toBeNull();
  },
  300_000,
);
