import { describe, expect, test } from '@jest/globals';
import { asWritten, RELEASES, resolveVersion, VERSION_CHANGES, type VersionChange } from './versions.js';

describe('the version header', () => {
  test.each([
    ['2022-04-07', '2022-04-07'],
    ['2023-11-11', '2022-04-07'],
    ['2023-11-12', '2023-11-12'],
    ['2024-02-04', '2023-12-12'],
    ['2024-02-29', '2024-02-05'],
    ['2026-02-26', '2025-09-10'],
    ['2026-02-27', '2026-02-27'],
    ['2999-12-31', '2026-02-27'],
  ])('%s selects %s', (sent, release) => {
    expect(resolveVersion(sent)).toBe(release);
  });

  test.each([
    '2022-04-06',
    '0001-01-01',
    '2023-02-29',
    '2026-13-01',
    '2026-2-27',
    '26-02-27',
    '2026-02-27T00:00:00Z',
    'latest',
    'v1',
    '2026-02-27 ',
    '',
  ])('%j selects none', (sent) => {
    expect(resolveVersion(sent)).toBeNull();
  });
});

describe('an older release', () => {
  const changes: readonly VersionChange[] = [
    { since: '2025-09-10', says: 'Two became one.', operations: ['read'], undo: (body) => `two(${String(body)})` },
    { since: '2024-02-05', says: 'Three became two.', operations: ['read'], undo: (body) => `three(${String(body)})` },
  ];

  test.each([
    ['2026-02-27', 'one'],
    ['2025-09-10', 'one'],
    ['2024-02-05', 'two(one)'],
    ['2023-12-12', 'three(two(one))'],
  ] as const)('%s sees %s', (release, shape) => {
    expect(asWritten('one', { operationId: 'read', release, changes })).toBe(shape);
  });

  test('operations that did not change are left alone', () => {
    expect(asWritten('one', { operationId: 'list', release: '2022-04-07', changes })).toBe('one');
  });
});

test('releases stand in the order of their dates, and changes newest first', () => {
  expect([...RELEASES].sort()).toEqual(RELEASES);
  const dates = VERSION_CHANGES.map(({ since }) => since);
  expect([...dates].sort().reverse()).toEqual(dates);
});
