/** Shorter runs are in many words by chance, such as `rst` in `first`. */
const RUN_LENGTH_MIN = 3;

/** The keys of a row or a column, from left to right or from top to bottom: of QWERTY, QWERTZ and AZERTY. */
const KEY_LINES = [
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
  ...['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '1qay', '6zhn', '1aqw', '2zsx'],
];

/** How a character may follow another one; a set of bits, because `2` follows `1` in two ways. */
const SAME = 1;
const NEXT = 2;
const PREVIOUS = 4;
const NEXT_KEY = 8;
const PREVIOUS_KEY = 16;

const FOLLOWING_KEYS = new Set(
  KEY_LINES.flatMap((line) => Array.from(line.slice(1), (key, at) => `${line[at] ?? ''}${key}`)),
);

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

/** `distance` is 2 for every second character. */
function markRuns(characters: readonly string[], isPredictable: boolean[], distance: number): void {
  for (let last = (RUN_LENGTH_MIN - 1) * distance; last < characters.length; last += 1) {
    const [first = '', second = '', third = ''] = [2, 1, 0].map((back) => characters[last - back * distance]);
    if ((findSteps(first, second) & findSteps(second, third)) === 0) continue;
    for (const back of [2, 1, 0]) isPredictable[last - back * distance] = true;
  }
}

function findSteps(from: string, to: string): number {
  const difference = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
  if (difference === 0) return SAME;
  // Zero follows nine, as in 7890123.
  const isNext = difference === 1 || `${from}${to}` === '90';
  const isPrevious = difference === -1 || `${from}${to}` === '09';
  return (
    (isNext ? NEXT : 0) |
    (isPrevious ? PREVIOUS : 0) |
    (FOLLOWING_KEYS.has(`${from}${to}`) ? NEXT_KEY : 0) |
    (FOLLOWING_KEYS.has(`${to}${from}`) ? PREVIOUS_KEY : 0)
  );
}

/** A block of three characters or more that stands twice in a row, or more often. */
function markRepeatedBlocks(characters: readonly string[], isPredictable: boolean[]): void {
  for (let length = RUN_LENGTH_MIN; length <= characters.length / 2; length += 1) {
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
