/** The keys of a row, from left to right, of QWERTY, QWERTZ and AZERTY. */
const ROWS = [
  ...[
    '1234567890',
    'qwertyuiop',
    'asdfghjkl',
    'zxcvbnm',
    'qwertzuiop',
    'yxcvbnm',
    'azertyuiop',
    'qsdfghjklm',
    'wxcvbn',
  ],
];
/** The keys of a column, from top to bottom. */
const COLUMNS = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '1qay', '6zhn', '1aqw', '2zsx'];

/** How a character may follow another one; a set of bits, because `2` follows `1` in two ways. */
const SAME = 1;
const NEXT = 2;
const PREVIOUS = 4;
const NEXT_IN_ROW = 8;
const PREVIOUS_IN_ROW = 16;
const NEXT_IN_COLUMN = 32;
const PREVIOUS_IN_COLUMN = 64;

const NEIGHBOURS_IN_ROW = listNeighbours(ROWS);
const NEIGHBOURS_IN_COLUMN = listNeighbours(COLUMNS);

function listNeighbours(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => Array.from(line.slice(1), (key, at) => `${line[at] ?? ''}${key}`)));
}

/**
 * How many characters of a text follow from the ones before them: `12345678`, `zyxw`, `qwerty`, `aaaa`, the same with one
 * character between each two (`1q2w3e4r`, `a1b2c3`), and each block that is repeated at once, except its first time.
 */
export function countPredictableCharacters(text: string): number {
  const characters = Array.from(text.toLowerCase());
  const isPredictable = characters.map(() => false);
  markRuns(characters, isPredictable, 1);
  markRuns(characters, isPredictable, 2);
  markRepeatedBlocks(characters, isPredictable);
  return isPredictable.filter(Boolean).length;
}

/** Marks the runs of characters that follow each other in one way. `distance` is 2 for every second character. */
function markRuns(characters: readonly string[], isPredictable: boolean[], distance: 1 | 2): void {
  for (let offset = 0; offset < distance; offset += 1) {
    let start = offset;
    let ways = ~0;
    for (let at = offset; at < characters.length; at += distance) {
      const following = findWays(characters[at] ?? '', characters[at + distance] ?? '');
      if ((ways & following) !== 0) {
        ways &= following;
        continue;
      }
      const run = { characters, start, end: at, distance };
      if (isLongRun(run)) for (let each = start; each <= at; each += distance) isPredictable[each] = true;
      start = following === 0 ? at + distance : at;
      ways = following === 0 ? ~0 : following;
    }
  }
}

/** Three equal characters or digits are a run. Three letters are in many words by chance, such as `rst` in `first`. */
function isLongRun(run: {
  readonly characters: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly distance: 1 | 2;
}): boolean {
  const { characters, start, end, distance } = run;
  const length = (end - start) / distance + 1;
  const [first = '', second = ''] = characters.slice(start, start + 2);
  const isShortAllowed = distance === 1 && (first === second || /^\p{Nd}$/u.test(first));
  return length >= (isShortAllowed ? 3 : 4);
}

function findWays(from: string, to: string): number {
  if (to === '') return 0;
  if (from === to) return SAME;
  const difference = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
  // Zero follows nine, as in 7890123.
  return (
    (difference === 1 || `${from}${to}` === '90' ? NEXT : 0) |
    (difference === -1 || `${from}${to}` === '09' ? PREVIOUS : 0) |
    (NEIGHBOURS_IN_ROW.has(`${from}${to}`) ? NEXT_IN_ROW : 0) |
    (NEIGHBOURS_IN_ROW.has(`${to}${from}`) ? PREVIOUS_IN_ROW : 0) |
    (NEIGHBOURS_IN_COLUMN.has(`${from}${to}`) ? NEXT_IN_COLUMN : 0) |
    (NEIGHBOURS_IN_COLUMN.has(`${to}${from}`) ? PREVIOUS_IN_COLUMN : 0)
  );
}

/** A block of three characters or more that stands twice in a row, or more often. */
function markRepeatedBlocks(characters: readonly string[], isPredictable: boolean[]): void {
  for (let length = 3; length <= characters.length / 2; length += 1) {
    let repeated = 0;
    for (let at = length; at <= characters.length; at += 1) {
      if (at < characters.length && characters[at] === characters[at - length]) {
        repeated += 1;
        continue;
      }
      if (repeated >= length) isPredictable.fill(true, at - repeated, at);
      repeated = 0;
    }
  }
}
