import { expect, test } from '@jest/globals';
import { removeControls } from './printable-text.js';

test.each([
  ['a plain name', 'Fish & chips', 'Fish & chips'],
  ['a name from right to left', 'שולחן 7', 'שולחן 7'],
  ['an override of the direction', 'Bar \u202e31 elbaT', 'Bar 31 elbaT'],
  [
    'marks, embeddings and isolates',
    '\u200ea\u200f\u061cb\u202ac\u202b\u202c\u202dd\u2066e\u2067\u2068\u2069',
    'abcde',
  ],
  ['controls and separators', 'a\0b\u001b[31mc\u007f\u0085\u2028d\u2029', 'ab[31mcd'],
  ['line breaks and tabs', 'a\n\tb', 'a\n\tb'],
  ['emoji and words with joiners', '👩\u200d🍳 می\u200cخواهم', '👩\u200d🍳 می\u200cخواهم'],
])('%s: what a display obeys is left out', (_, text, visible) => {
  expect(removeControls(text)).toBe(visible);
});
