import { expect, test } from '@jest/globals';
import { formatRow } from './payment-export.js';

test.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "x"'], '"a,b","say ""x"""'],
  [['two\nlines'], '"two\nlines"'],
  // A spreadsheet would run these.
  [['=HYPERLINK("https://x.example")'], `"'=HYPERLINK(""https://x.example"")"`],
  [['+1', '-1', '@x'], `'+1,'-1,'@x`],
])('the cells %j are the line %j', (cells, line) => {
  expect(formatRow(cells)).toBe(line);
});
