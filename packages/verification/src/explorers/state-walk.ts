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
  // A machine that refuses an input throws, which it does at most edges. Their stacks are read by nobody.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return walkAll(space);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function walkAll<Node>(space: StateSpace<Node>): {
  readonly nodes: readonly Node[];
  readonly violations: readonly string[];
} {
  const { first, computeKey } = space;
  const nodes = [first];
  const keys = [computeKey(first)];
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const ways: Ways = { firstFrom: [], firstName: [], from: [[]] };
  const violations = new Set<string>();
  const queue = [{ number: 0, node: first }];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const { number, node } = at;
    for (const problem of space.findProblems(node)) violations.add(`${problem} after ${findPath(number, ways)}`);
    if (violations.size > VIOLATIONS_MAX || isFound(violations, space.until)) break;
    for (const edge of space.listEdges(node)) {
      // Once for all edges to a node: there may be many.
      for (const problem of space.findEdgeProblems(node, edge)) violations.add(problem);
      const toKey = computeKey(edge.to);
      const known = numbers.get(toKey);
      const to = known ?? nodes.length;
      if (known === undefined) {
        if (to >= NODES_MAX) throw new Error(`more than ${NODES_MAX} states`);
        numbers.set(toKey, to);
        nodes.push(edge.to);
        keys.push(toKey);
        ways.from.push([]);
        queue.push({ number: to, node: edge.to });
      }
      if (ways.firstFrom[to] === undefined) {
        ways.firstFrom[to] = number;
        ways.firstName[to] = edge.name;
      }
      ways.from[to]?.push(number);
    }
  }
  const ends = nodes.flatMap((node, number) => (space.isEnd(node) ? [number] : []));
  for (const number of violations.size === 0 ? findDeadEnds(ends, ways) : []) {
    violations.add(`no way out of ${keys[number]}`);
  }
  return { nodes, violations: [...violations] };
}

function isFound(violations: ReadonlySet<string>, sought: RegExp | undefined): boolean {
  return sought !== undefined && [...violations].some((violation) => sought.test(violation));
}

/** The edges to each node, by the numbers of the nodes. The first of them is the one of the path that is shown. */
interface Ways {
  readonly firstFrom: number[];
  readonly firstName: string[];
  readonly from: number[][];
}

/** The nodes from which no end can be reached. */
function findDeadEnds(ends: readonly number[], { from }: Ways): number[] {
  const found = new Set(ends);
  const queue = [...ends];
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    for (const before of from[number] ?? []) {
      if (found.has(before)) continue;
      found.add(before);
      queue.push(before);
    }
  }
  return [...from.keys()].filter((number) => !found.has(number)).slice(0, LOST_NOTIFIED_MAX);
}

function findPath(to: number, { firstFrom, firstName }: Ways): string {
  const names: string[] = [];
  for (
    let number: number | undefined = to;
    number !== undefined && firstFrom[number] !== undefined && names.length < STEPS_NOTIFIED_MAX;
    number = firstFrom[number]
  ) {
    names.unshift(firstName[number] ?? '');
  }
  return names.join(', ');
}
