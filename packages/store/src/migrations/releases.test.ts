import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { hashMigrations, readReleases } from '../testing/releases.js';

const releases = readReleases();
const changelog = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version = '']) => version);

test('every release of the changelog lists its migrations, and the newest is the version of the repository', () => {
  expect(releases.map(({ version }) => version)).toEqual([...versions].reverse());
  const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as unknown;
  expect(manifest).toMatchObject({ version: releases.at(-1)?.version });
});

test('a migration that was released is never changed, renamed or removed', () => {
  const current = hashMigrations();
  for (const { migrations } of releases) expect(current).toMatchObject(migrations);
});

test('a new migration comes after all that were released', () => {
  const released = Object.keys(releases.at(-1)?.migrations ?? {});
  const added = Object.keys(hashMigrations()).filter((file) => !released.includes(file));
  expect([...released, ...added]).toEqual([...released, ...added].sort());
});
