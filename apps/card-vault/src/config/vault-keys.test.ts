import { expect, test } from '@jest/globals';
import { createMasterKey } from '../testing/card-requests.js';
import { combineComponents, readVaultKeys } from './vault-keys.js';

const read = (...entries: readonly string[]) => readVaultKeys(entries.join(','))!;
const first = read(createMasterKey('a', 0b0011), createMasterKey('b', 7));
const second = read(createMasterKey('a', 0b0101));
const third = read(createMasterKey('a', 0b1000));

const bytesOf = (combined: ReturnType<typeof combineComponents>, id: string): number[] =>
  'keys' in combined ? [...new Set(combined.keys.get(id))] : [];

test('a key is the exclusive or of its components, in any order, and a key without further components is itself', () => {
  for (const further of [
    [second, third],
    [third, second],
  ]) {
    const combined = combineComponents(first, further, 1);
    expect(combined).toMatchObject({ currentId: 'a' });
    expect(bytesOf(combined, 'a')).toEqual([0b1110]);
    expect(bytesOf(combined, 'b')).toEqual([7]);
  }
  expect(bytesOf(combineComponents(first, [null, second], 1), 'a')).toEqual([0b0110]);
});

test.each([
  [
    'an id that the first list lacks',
    [read(createMasterKey('c', 1))],
    1,
    'has a component of c, which VAULT_KEYS lacks',
  ],
  ['a key in one piece where two are needed', [second], 2, 'b has 1 of at least 2 components'],
  [
    'a component twice, which would cancel itself',
    [read(createMasterKey('b', 7))],
    1,
    'two components of b are the same',
  ],
] as const)('components are refused: %s', (_, further, componentsMin, problem) => {
  expect(combineComponents(first, further, componentsMin)).toEqual({ problem });
});
