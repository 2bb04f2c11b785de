import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findReleaseCommit } from './release-commit.js';

const IDENTITY = ['-c', 'user.name=test', '-c', 'user.email=test@pay.example', '-c', 'commit.gpgsign=false'];

let checkout: string;
/** Each state of the record, and a commit after them that leaves it. */
const commits: string[] = [];

function git(...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: checkout, encoding: 'utf8' }).trim();
}

function commitFiles(files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(checkout, file), content);
  git('add', '.');
  git('commit', '--quiet', '--message', 'a change');
  commits.push(git('rev-parse', 'HEAD'));
}

beforeAll(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'pos-release-commit-'));
  mkdirSync(path.join(checkout, 'packages/store/migrations'), { recursive: true });
  git('init', '--quiet');
  const manifest = JSON.stringify({ version: '0.2.0' });
  commitFiles({ 'package.json': manifest, 'packages/store/migrations/releases.json': '[1]' });
  commitFiles({ 'packages/store/migrations/releases.json': '[2]' });
  commitFiles({ 'later.txt': 'x' });
});
afterAll(() => rmSync(checkout, { recursive: true }));

const RELEASE = { version: '0.2.0', commit: null, migrations: {} };

test('a release with a commit is built from it', () => {
  expect(findReleaseCommit({ ...RELEASE, commit: 'abc' }, checkout)).toEqual({
    commit: 'abc',
    origin: 'the commit of its record',
  });
});

test('a release without a tag is built from the last commit that recorded it, and the report says so', () => {
  expect(findReleaseCommit(RELEASE, checkout)).toEqual({
    commit: commits[1],
    origin: 'the last commit that recorded its migrations, because it has no tag yet',
  });
});

test('the tag of a release is taken before its record', () => {
  git('tag', 'v0.2.0', commits[0] ?? '');
  expect(findReleaseCommit(RELEASE, checkout)).toEqual({ commit: commits[0], origin: 'its tag v0.2.0' });
  git('tag', '--delete', 'v0.2.0');
});

test('a checkout whose record is of another version, or without history, is refused', () => {
  expect(() => findReleaseCommit({ ...RELEASE, version: '0.3.0' }, checkout)).toThrow('0.3.0 has no tag');
  expect(() => findReleaseCommit(RELEASE, tmpdir())).toThrow('fetch the whole history');
});
