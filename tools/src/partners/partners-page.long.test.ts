import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listPartnerBlocks, runPartnerBlock } from './testing-partners-page.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'partners-page-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ['grpc', /^17 passed, \d+ skipped/m],
  ['rest', /^\d+ passed, \d+ skipped/m],
])(
  'the example EPOS over %s keeps every clause of its capabilities',
  async (way, counted) => {
    const block = listPartnerBlocks().find((each) => each.includes('--all') && each.includes(`${way}-epos.js`)) ?? '';
    const { code, output } = await runPartnerBlock(block, folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toMatch(counted);
    expect(readFileSync(path.join(folder, `partners/${way}.xml`), 'utf8')).toContain('<testsuite');
  },
  180_000,
);

test.each(listPartnerBlocks().filter((block) => !block.includes('--all')))(
  'the commands that play no whole list of flows work as written: %s',
  async (block) => {
    const { code, output } = await runPartnerBlock(block, folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    if (block.includes('tester run')) expect(output).toMatch(/^9 passed, 3 skipped/m);
    else expect(existsSync(path.join(folder, 'partners/stubs/service/tables/v1/tables_service.ts'))).toBe(true);
  },
  120_000,
);
