/** A longer name is compared by its beginning. */
const COMPARED_LENGTH_MAX = 60;
const EDITS_MAX = 2;

/**
 * The known name that the sender of an unknown one probably meant: at most two letters are missing, added, changed or
 * swapped, and no other name is as near. Null where it is not obvious.
 */
export function findNearestName(sent: string, known: Iterable<string>): string | null {
  const wanted = sent.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  const allowed = wanted.length < 4 ? 0 : wanted.length < 6 ? 1 : EDITS_MAX;
  const ranked = [...new Set(known)]
    .map((name) => ({ name, edits: countEdits(wanted, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((left, right) => left.edits - right.edits);
  const [first, second] = ranked;
  return first === undefined || first.edits === second?.edits ? null : first.name;
}

/** The distance of two words, where a swap of two neighbours counts as one edit. */
function countEdits(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > EDITS_MAX) return Infinity;
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  const get = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      rows[row]?.push(
        Math.min(
          get(row - 1, column) + 1,
          get(row, column - 1) + 1,
          get(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? get(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return get(left.length, right.length);
}
