import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pageBlocks, runBlock, testerScript } from './testing-page.js';

// The blocks that need an EPOS of a partner are run by the long tests.
const HERE = pageBlocks().filter((block) => !/EPOS_URL|--epos ws/.test(block));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tester-page-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('`pnpm tester` is the compiled command', () => {
  expect(testerScript()).toBe('node apps/epos-tester/dist/main.js');
  expect(HERE).toHaveLength(2);
});

test.each(HERE)(
  'works as the page has it: %s',
  async (block) => {
    const { code, said } = await runBlock(block, { folder, eposUrl: '' });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    if (!block.includes('--html')) return;
    expect(said).toMatch(/^5 passed, 5 skipped \(the reports say why\); \d+ of \d+ clauses shown/m);
    expect(existsSync(path.join(folder, 'epos-tester/report.html'))).toBe(true);
    expect(readFileSync(path.join(folder, 'epos-tester/report.html'), 'utf8')).toContain('Everything is as expected');
  },
  120_000,
);
