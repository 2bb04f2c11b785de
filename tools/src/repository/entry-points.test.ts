import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

/** It has neither `ENCRYPTION_KEY` nor card numbers, which `docs/operate/security.md` states of this app alone. */
const WITHOUT_SECRETS = ['apps/checkout/src/main.ts'];

const sources = readTree(REPOSITORY).filter(({ file }) => /^apps\/.*\.ts$/.test(file) && !file.includes('test'));
/** Integrators run it on their own machines, with keys of their own and none of the service. */
const FOR_INTEGRATORS = ['apps/cli/src/main.ts'];
/** `runProcess` protects the memory and ends a failed start; its own tests verify that. */
const services = sources.filter(({ text }) => /\brunProcess\(/.test(text));
const commands = sources.filter(({ text }) => /\breadConfig\(\w+, /.test(text));

test('every app starts by runProcess, or is a command', () => {
  const found = [...services, ...commands].map(({ file }) => file).concat(FOR_INTEGRATORS);
  const others = sources.filter(({ file }) => /^apps\/[^/]+\/src\/main\.ts$/.test(file) && !found.includes(file));
  expect(others.map(({ file }) => file)).toEqual([]);
  expect(commands.map(({ file }) => file)).toEqual([
    'apps/admin/src/main.ts',
    'apps/card-vault/src/key-components.ts',
    'apps/card-vault/src/rotate-keys.ts',
    'apps/webhook-worker/src/replace-keys.ts',
  ]);
});

test('every app listens for signals before it loads what serves', () => {
  const loaded = services.flatMap(({ file, text }) =>
    [...text.matchAll(/ from '([^']+)';$/gm)].map(([, module = '']) => `${file}: ${module}`),
  );
  const early = loaded.filter(
    (each) => !/: (@pos\/service-kit\/lifecycle|\.\/(config\/)?([a-z]+-)?config\.js)$/.test(each),
  );
  expect(early).toEqual([]);
  expect(loaded).toHaveLength(2 * services.length);
});

test('every process that holds secrets protects its memory before it reads a setting', () => {
  const late = commands.filter(({ text }) => {
    const at = text.search(/\bprotectMemory\(/);
    return at === -1 || at > text.search(/\breadConfig\(/);
  });
  expect(late.map(({ file }) => file)).toEqual([]);
  const unprotected = services.filter(({ text }) => text.includes('hasSecrets'));
  expect(unprotected.map(({ file }) => file)).toEqual(WITHOUT_SECRETS);
});

test('every command ends a failed start with a sentence, and ends on a signal', () => {
  for (const call of ['exitOnFailure(', 'exitOnSignal()']) {
    const raw = commands.filter(({ text }) => !text.includes(call));
    expect(raw.map(({ file }) => file)).toEqual([]);
  }
});
