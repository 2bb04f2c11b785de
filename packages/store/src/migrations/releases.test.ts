import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { hashMigrations, readReleases, recordMigrations } from '../testing/releases.js';

if (process.env['UPDATE_GOLDEN'] === '1') recordMigrations();

const releases = readReleases();
const newest = releases.at(-1);
const changelog = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)(?: \(\d{4}-\d\d-\d\d\))?$/gm)]
  .map(([, version = '']) => version)
  .reverse();

test('every release of the changelog that upgrades start from lists its migrations, up to the version of the repository', () => {
  const first = versions.indexOf('0.2.0');
  expect(first).toBeGreaterThanOrEqual(0);
  expect(releases.map(({ version }) => version)).toEqual(versions.slice(first));
  const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as unknown;
  expect(manifest).toMatchObject({ version: newest?.version });
});

test('only the newest release may have no tag yet', () => {
  expect(releases.slice(0, -1).filter(({ commit }) => commit === null)).toEqual([]);
});

test('a migration that was released is never changed, renamed or removed', () => {
  const current = hashMigrations();
  for (const { migrations } of releases) expect(current).toMatchObject(migrations);
});

test('the record of a release without a tag has every migration', () => {
  if (newest?.commit === null) expect(newest.migrations).toEqual(hashMigrations());
});

test('a new migration comes after all that were released', () => {
  const released = Object.keys(newest?.migrations ?? {});
  const added = Object.keys(hashMigrations()).filter((file) => !released.includes(file));
  expect([...released, ...added]).toEqual([...released, ...added].sort());
});
