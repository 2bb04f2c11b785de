import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { readTree } from '../repository/source-tree.js';

const LICENCE = 'Apache-2.0';

const read = (file: string): string => readFileSync(path.join(REPOSITORY, file), 'utf8');
const tree = readTree(REPOSITORY);
const manifests = tree.filter(({ file }) => /(^|\/)package\.json$/.test(file));
/** Folders that are packed and sent to somebody else, apart from what the manifests say. */
const PACKED = ['proto', 'packages/grpc-contracts', 'apps/cli', 'apps/epos-tester', 'deploy/helm/pos'];

function listPackedFolders(): string[] {
  const forPartners = manifests.filter(({ text }) => !(JSON.parse(text) as { private?: boolean }).private);
  const sdks = new Set(tree.flatMap(({ file }) => /^sdks\/(?!vectors\/)[a-z]+(?=\/)/.exec(file) ?? []));
  return [...PACKED, ...forPartners.map(({ file }) => path.posix.dirname(file)), ...sdks];
}

test('the licence of the repository is the Apache License 2.0', () => {
  expect(read('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
});

test.each(listPackedFolders())('%s contains the licence', (folder) => {
  expect(existsSync(path.join(REPOSITORY, folder, 'LICENSE'))).toBe(true);
  expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
});

test.each(manifests.map(({ file }) => file))('%s names the licence', (file) => {
  expect(JSON.parse(read(file))).toMatchObject({ license: LICENCE });
});

test.each([
  ['sdks/python/pyproject.toml', `license = { text = "${LICENCE}" }`],
  ['sdks/php/composer.json', `"license": "${LICENCE}"`],
  ['sdks/csharp/Pos.Webhooks/Pos.Webhooks.csproj', `<PackageLicenseExpression>${LICENCE}<`],
  ['deploy/helm/pos/Chart.yaml', `license: ${LICENCE}`],
])('%s names the licence', (file, text) => {
  expect(read(file)).toContain(text);
});
