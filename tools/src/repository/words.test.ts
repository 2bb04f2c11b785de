import { expect, test } from '@jest/globals';
import { findWord, REPLACED_WORDS } from './replaced-words.js';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

const repository = readTree(REPOSITORY);

test.each(REPLACED_WORDS)('nothing says %s, for which the term is: %s', (word) => {
  expect(findWord(word, repository)).toEqual([]);
});

test('a word is found in a text and in the name of a file', () => {
  const tree = [{ file: 'core/abc.ts', text: 'a\nthe abc\n' }];
  expect(findWord(/\babc\b/, tree)).toEqual(['core/abc.ts', 'core/abc.ts:2 the abc']);
});
