/** The permitted moves of a state machine: for each state its moves and their targets, or only the targets. */
export type Moves = Readonly<Record<string, Readonly<Record<string, string>> | readonly string[]>>;

/** A table of states as Markdown: one row per state, final states without moves. */
export function renderMovesTable(moves: Moves): string {
  const rows = Object.entries(moves).map(([state, targets]) => {
    const isList = Array.isArray(targets);
    const words = Object.entries(targets).map(([move, target]) =>
      isList ? `\`${target}\`` : `${move} → \`${target}\``,
    );
    return `| \`${state}\` | ${words.length === 0 ? '(final)' : words.join(', ')} |`;
  });
  return ['| from | to |', '|---|---|', ...rows].join('\n') + '\n';
}

/** A state diagram in Mermaid: one arrow per pair of states, with all moves between them. */
export function renderMovesDiagram(moves: Moves): string {
  const [initial = ''] = Object.keys(moves);
  const arrows = Object.entries(moves).flatMap(([state, targets]) => {
    const entries = Object.entries(targets);
    if (entries.length === 0) return [`  ${state} --> [*]`];
    const names = Array.isArray(targets) ? () => '' : (to: string) => `: ${listMovesTo(entries, to).join(', ')}`;
    return [...new Set(entries.map(([, to]) => to))].map((to) => `  ${state} --> ${to}${names(to)}`);
  });
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${initial}`, ...arrows, '```'].join('\n') + '\n';
}

function listMovesTo(entries: readonly (readonly [string, string])[], state: string): string[] {
  return entries.filter(([, to]) => to === state).map(([move]) => move);
}
