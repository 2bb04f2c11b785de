import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

/** It has neither `ENCRYPTION_KEY` nor card numbers, which `docs/operate/security.md` states of this app alone. */
const WITHOUT_SECRETS = ['apps/checkout/src/main.ts'];

const entryPoints = readTree(REPOSITORY).filter(
  ({ file, text }) => /^apps\/.*\.ts$/.test(file) && !file.includes('test') && /\breadConfig\(\w+, /.test(text),
);

test('every process that holds secrets protects its memory before it reads a setting', () => {
  const found = entryPoints.map(({ file }) => file);
  expect(found).toEqual(expect.arrayContaining([...WITHOUT_SECRETS, 'apps/card-vault/src/rotate-keys.ts']));
  const late = entryPoints.filter(({ text }) => {
    const at = text.search(/\bprotectMemory\(/);
    return at === -1 || at > text.search(/\breadConfig\(/);
  });
  expect(late.map(({ file }) => file)).toEqual(WITHOUT_SECRETS);
});

test('every entry point ends a failed start with a sentence', () => {
  const raw = entryPoints.filter(({ text }) => !text.includes('exitOnFailure'));
  expect(raw.map(({ file }) => file)).toEqual([]);
});
