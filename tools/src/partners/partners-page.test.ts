import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replaceSection } from '../docs/page-blocks.js';
import { REPOSITORY } from '../repository/repository.js';
import { listPartnerBlocks, PARTNERS_PAGE } from './testing-partners-page.js';

const read = (file: string): string => readFileSync(path.join(REPOSITORY, file), 'utf8');
const source = (name: string): string => read(`tools/src/partners/${name}`);

describe('the page for partners', () => {
  test.each([
    ['grpc-epos.ts', 'ts'],
    ['rest-epos.ts', 'ts'],
  ])('shows %s exactly as it runs', (name, language) => {
    const wanted = replaceSection(read(PARTNERS_PAGE), name, `\`\`\`${language}\n${source(name)}\`\`\`\n`);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(REPOSITORY, PARTNERS_PAGE), wanted);
    expect(read(PARTNERS_PAGE)).toBe(wanted);
  });

  test('has the commands that the long tests run', () => {
    expect(listPartnerBlocks()).toHaveLength(4);
  });
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
