import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { partnerBlocks, runPartnerBlock } from './testing-partners-page.js';

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
    const block = partnerBlocks().find((each) => each.includes('--all') && each.includes(`${way}-epos.js`)) ?? '';
    const { code, output } = await runPartnerBlock(block, folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toMatch(counted);
    expect(readFileSync(path.join(folder, `partners/${way}.xml`), 'utf8')).toContain('<testsuite');
  },
  180_000,
);
