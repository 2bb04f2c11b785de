import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { replaceSection } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';
import { partnerBlocks, PARTNERS_PAGE, runPartnerBlock } from './testing-partners-page.js';

const HERE = partnerBlocks().filter((block) => !block.includes('--all'));

const read = (file: string): string => readFileSync(path.join(REPOSITORY, file), 'utf8');
const source = (name: string): string => read(`tools/src/partners/${name}`);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'partners-page-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the page for partners', () => {
  test.each([
    ['grpc-epos.ts', 'ts'],
    ['rest-epos.ts', 'ts'],
  ])('shows %s exactly as it runs', (name, language) => {
    const wanted = replaceSection(read(PARTNERS_PAGE), name, `\`\`\`${language}\n${source(name)}\`\`\`\n`);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, PARTNERS_PAGE), wanted);
    expect(read(PARTNERS_PAGE)).toBe(wanted);
  });

  test('runs some of its commands here, and those that play all flows in the long tests', () => {
    expect(HERE).toHaveLength(2);
    expect(partnerBlocks()).toHaveLength(4);
  });

  test.each(HERE)(
    'contains commands that work as written: %s',
    async (block) => {
      const { code, output } = await runPartnerBlock(block, folder);
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
      if (block.includes('tester run')) expect(output).toMatch(/^9 passed, 3 skipped/m);
      else expect(existsSync(path.join(folder, 'partners/stubs/service/tables/v1/tables_service.ts'))).toBe(true);
    },
    120_000,
  );
});

describe('an EPOS that a partner can copy', () => {
  test.each([
    [
      'grpc-epos.ts',
      ['@grpc/grpc-js', '@pos/grpc-contracts/tables', '@pos/grpc-contracts/tables-error', 'node:crypto'],
    ],
    ['rest-epos.ts', ['node:http', 'node:net']],
  ])('%s needs only what a partner gets', (name, modules) => {
    const imported = [...source(name).matchAll(/ from '([^']+)'/g)].map(([, module]) => module);
    expect(imported.sort()).toEqual(modules);
  });

  test.each(['grpc-epos.ts', 'rest-epos.ts'])('%s is shorter than 150 lines', (name) => {
    expect(source(name).trimEnd().split('\n').length).toBeLessThan(150);
  });
});
