import { describe, expect, test } from '@jest/globals';
import { API_OPERATIONS } from './operations.js';
import {
  asWritten,
  type Release,
  RELEASES,
  resolveVersion,
  valuesOfLater,
  VERSION_CHANGES,
  type VersionChange,
} from './versions.js';

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

test('changes are of operations that there are, and undo nothing that is not the shape they know', () => {
  const known = API_OPERATIONS.map(({ id }) => id);
  for (const { operations, undo } of VERSION_CHANGES) {
    expect(operations.filter((id) => !known.includes(id))).toEqual([]);
    for (const other of [null, 7, 'text', [1]]) expect(undo(other)).toEqual(other);
  }
});

// prettier-ignore
test.each<[Release, string, unknown, string[]]>([
  ['2023-12-12', 'createSetupIntent', { merchantInitiatedTransactionType: 'Unscheduled' }, ['merchantInitiatedTransactionType']],
  ['2023-12-12', 'createSetupIntent', { merchantInitiatedTransactionType: 'NoShow' }, []],
  ['2024-02-05', 'createSetupIntent', { merchantInitiatedTransactionType: 'Unscheduled' }, []],
  ['2022-04-07', 'createPaymentIntent', { merchantInitiatedTransactionType: 'Unscheduled' }, []],
  ['2022-04-07', 'createSetupIntent', null, []],
])('%s of %s does not know yet: row %#', (release, operationId, body, members) => {
  expect(Object.keys(valuesOfLater(body, { operationId, release }))).toEqual(members);
});

test.each([
  ['2026-02-27', 'Closed', 'Closed', ['Card', 'SavedCard']],
  ['2023-12-12', 'Closed', 'Canceled', ['Card']],
  ['2023-12-12', 'Authorized', 'Authorized', ['Card']],
] as const)('in %s a setup intent that is %s is %s', (release, status, written, paymentMethods) => {
  const setup = { status, paymentMethods: ['Card', 'SavedCard'], reference: 'r' };
  expect(asWritten(setup, { operationId: 'readSetupIntent', release })).toEqual({
    ...{ status: written, paymentMethods, reference: 'r' },
  });
});
