import { expect, test } from '@jest/globals';
import { readPage } from './page-blocks.js';

const GROUPS = ['Breaking', 'Added', 'Changed', 'Fixed', 'Security'];
/** A change is one line that is read at a glance. */
const LINE_LENGTH_MAX = 420;
const [, ...RELEASES] = readPage('CHANGELOG.md').split(/^## /m);

test('a release lists its changes by group, in the order in which a reader needs them', () => {
  expect(RELEASES.length).toBeGreaterThan(1);
  for (const release of RELEASES) {
    const groups = [...release.matchAll(/^### (.+)$/gm)].map((match) => match[1] ?? '');
    expect(groups).toEqual(GROUPS.filter((group) => groups.includes(group)));
    expect(groups.length).toBeGreaterThan(0);
  }
});

test('a change is one line within a group', () => {
  const changes = RELEASES.flatMap((release) => release.split(/^### /m).slice(1)).flatMap((group) =>
    group.split('\n').slice(1),
  );
  const others = changes.filter((line) => line !== '' && !/^(- .+|\*\*.+\*\*)$/.test(line));
  expect(others).toEqual([]);
  expect(changes.filter((line) => line.length > LINE_LENGTH_MAX)).toEqual([]);
});

test('nothing precedes the groups of a release but a sentence about it', () => {
  const heads = RELEASES.map((release) => release.split(/^### /m)[0] ?? '');
  expect(heads.filter((head) => /^- /m.test(head))).toEqual([]);
});
