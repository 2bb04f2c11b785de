/** Aligns rows of texts in columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, index) => Math.max(cell.length, found[index] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** A list under its headings, or one sentence where it is empty. */
export function toTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string[] {
  return rows.length === 0 ? [whenEmpty] : alignColumns([headings, ...rows]);
}

/** A value of a setting or of an audit entry as text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A moment to the second; `never` for none. */
export function formatMoment(moment: Date | null): string {
  return moment === null ? 'never' : `${moment.toISOString().slice(0, 19)}Z`;
}
