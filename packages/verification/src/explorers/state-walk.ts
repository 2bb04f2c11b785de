/** An edge from a node to the next. */
export interface Edge<Node> {
  readonly name: string;
  readonly to: Node;
}

/** The space to walk: nodes with the same key are one, so no rule may distinguish them. */
export interface StateSpace<Node> {
  readonly first: Node;
  readonly computeKey: (node: Node) => string;
  readonly listEdges: (node: Node) => readonly Edge<Node>[];
  readonly isEnd: (node: Node) => boolean;
  /** The conditions that must never hold, but do, as sentences. */
  readonly findProblems: (node: Node) => readonly string[];
  readonly findEdgeProblems: (from: Node, edge: Edge<Node>) => readonly string[];
  /** The walk ends with the first violation that matches: a planted bug needs to be found once. */
  readonly until?: RegExp | undefined;
}

const NODES_MAX = 200_000;
const VIOLATIONS_MAX = 20;
const STEPS_NOTIFIED_MAX = 40;
const LOST_NOTIFIED_MAX = 5;

/**
 * Walks every reachable node, and returns the violations, each with its path, and each node from which no end can be
 * reached. Throws when there are more nodes than an explorer should have.
 */
export function walkStates<Node>(space: StateSpace<Node>): {
  readonly nodes: readonly Node[];
  readonly violations: readonly string[];
} {
  const { first, computeKey } = space;
  const nodes = new Map<string, Node>([[computeKey(first), first]]);
  const comesFrom: WalkResult = new Map();
  const violations = new Set<string>();
  const queue = [first];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const key = computeKey(node);
    const note = (problem: string) => violations.add(`${problem} after ${findPath(key, comesFrom)}`);
    space.findProblems(node).forEach(note);
    if (violations.size > VIOLATIONS_MAX || isFound(violations, space.until)) break;
    for (const edge of space.listEdges(node)) {
      // Once for all edges to a node: there may be many.
      for (const problem of space.findEdgeProblems(node, edge)) violations.add(problem);
      const toKey = computeKey(edge.to);
      const ways = comesFrom.get(toKey);
      if (ways === undefined) comesFrom.set(toKey, [{ key, name: edge.name }]);
      else ways.push({ key, name: edge.name });
      if (nodes.has(toKey)) continue;
      if (nodes.size >= NODES_MAX) throw new Error(`more than ${NODES_MAX} states`);
      nodes.set(toKey, edge.to);
      queue.push(edge.to);
    }
  }
  const ends = [...nodes].filter(([, node]) => space.isEnd(node)).map(([key]) => key);
  for (const key of violations.size === 0 ? findDeadEnds([...nodes.keys()], ends, comesFrom) : []) {
    violations.add(`no way out of ${key}`);
  }
  return { nodes: [...nodes.values()], violations: [...violations] };
}

function isFound(violations: ReadonlySet<string>, sought: RegExp | undefined): boolean {
  return sought !== undefined && [...violations].some((violation) => sought.test(violation));
}

type WalkResult = Map<string, { readonly key: string; readonly name: string }[]>;

/** The nodes from which no end can be reached. */
function findDeadEnds(keys: readonly string[], ends: readonly string[], comesFrom: WalkResult): string[] {
  const found = new Set(ends);
  const queue = [...ends];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const { key: from } of comesFrom.get(key) ?? []) {
      if (!found.has(from)) queue.push(from);
      found.add(from);
    }
  }
  return keys.filter((key) => !found.has(key)).slice(0, LOST_NOTIFIED_MAX);
}

function findPath(key: string, comesFrom: WalkResult): string {
  const names: string[] = [];
  for (
    let at = comesFrom.get(key)?.[0];
    at !== undefined && names.length < STEPS_NOTIFIED_MAX;
    at = comesFrom.get(at.key)?.[0]
  ) {
    names.unshift(at.name);
  }
  return names.join(', ');
}
