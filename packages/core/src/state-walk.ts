/** One way on from a node. */
export interface Edge<Node> {
  readonly name: string;
  readonly to: Node;
}

/** What is walked: nodes of the same key are one, and no rule may tell them apart. */
export interface Maze<Node> {
  readonly first: Node;
  readonly keyOf: (node: Node) => string;
  readonly edgesOf: (node: Node) => readonly Edge<Node>[];
  readonly isEnd: (node: Node) => boolean;
  /** What must never be and is, in sentences. */
  readonly problemsOf: (node: Node) => readonly string[];
  readonly edgeProblemsOf: (from: Node, edge: Edge<Node>) => readonly string[];
  /** The walk ends with the first violation that matches: a planted bug needs to be found once. */
  readonly until?: RegExp | undefined;
}

const NODES_MAX = 200_000;
const VIOLATIONS_MAX = 20;
const STEPS_TOLD_MAX = 40;
const LOST_TOLD_MAX = 5;

/**
 * Visits every node that can be reached, and says what must never be and was, each with the way that leads there; also each
 * node from which no end can be reached. Throws when there are more nodes than an explorer should have.
 */
export function walk<Node>(maze: Maze<Node>): {
  readonly nodes: readonly Node[];
  readonly violations: readonly string[];
} {
  const { first, keyOf } = maze;
  const nodes = new Map<string, Node>([[keyOf(first), first]]);
  const comesFrom: Ways = new Map();
  const violations = new Set<string>();
  const queue = [first];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const key = keyOf(node);
    const note = (problem: string) => violations.add(`${problem} after ${pathTo(key, comesFrom)}`);
    maze.problemsOf(node).forEach(note);
    if (violations.size > VIOLATIONS_MAX || isFound(violations, maze.until)) break;
    for (const edge of maze.edgesOf(node)) {
      // Once for all the ways that lead to one: there may be many.
      for (const problem of maze.edgeProblemsOf(node, edge)) violations.add(problem);
      const toKey = keyOf(edge.to);
      const ways = comesFrom.get(toKey);
      if (ways === undefined) comesFrom.set(toKey, [{ key, name: edge.name }]);
      else ways.push({ key, name: edge.name });
      if (nodes.has(toKey)) continue;
      if (nodes.size >= NODES_MAX) throw new Error(`more than ${NODES_MAX} states`);
      nodes.set(toKey, edge.to);
      queue.push(edge.to);
    }
  }
  const ends = [...nodes].filter(([, node]) => maze.isEnd(node)).map(([key]) => key);
  for (const key of violations.size === 0 ? lost([...nodes.keys()], ends, comesFrom) : []) {
    violations.add(`no way out of ${key}`);
  }
  return { nodes: [...nodes.values()], violations: [...violations] };
}

function isFound(violations: ReadonlySet<string>, sought: RegExp | undefined): boolean {
  return sought !== undefined && [...violations].some((violation) => sought.test(violation));
}

type Ways = Map<string, { readonly key: string; readonly name: string }[]>;

/** Every node from which no end can be reached any more. */
function lost(keys: readonly string[], ends: readonly string[], comesFrom: Ways): string[] {
  const found = new Set(ends);
  const queue = [...ends];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const { key: from } of comesFrom.get(key) ?? []) {
      if (!found.has(from)) queue.push(from);
      found.add(from);
    }
  }
  return keys.filter((key) => !found.has(key)).slice(0, LOST_TOLD_MAX);
}

function pathTo(key: string, comesFrom: Ways): string {
  const names: string[] = [];
  for (
    let at = comesFrom.get(key)?.[0];
    at !== undefined && names.length < STEPS_TOLD_MAX;
    at = comesFrom.get(at.key)?.[0]
  ) {
    names.unshift(at.name);
  }
  return names.join(', ');
}
