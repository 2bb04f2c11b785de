/** A table of states as markdown: one row per state, a final one without moves. */
export function renderMovesTable(
  moves: Readonly<Record<string, Readonly<Record<string, string>> | readonly string[]>>,
): string {
  const rows = Object.entries(moves).map(([state, targets]) => {
    const isList = Array.isArray(targets);
    const words = Object.entries(targets).map(([move, target]) =>
      isList ? `\`${target}\`` : `${move} → \`${target}\``,
    );
    return `| \`${state}\` | ${words.length === 0 ? '(final)' : words.join(', ')} |`;
  });
  return ['| from | to |', '|---|---|', ...rows].join('\n') + '\n';
}
