import type { Method, Operation } from '@pos/rest-contracts/operation';

/** The operations of one path template by method. */
export interface Resource {
  readonly operations: ReadonlyMap<Method, Operation>;
  /** For the header `allow`: methods in the order they were declared, `HEAD` beside `GET`, and `OPTIONS`. */
  readonly allow: string;
}

/** Finds the resource that a concrete path names; null when no operation has such a path. */
export type ResourceIndex = (path: string) => Resource | null;

/**
 * Indexes the paths of an app. Fixed words win over ids (`/payment-intents/search` is never an intent called
 * "search"), so a method that only the id has is not allowed on the word. A trailing slash has no effect.
 */
export function indexResources(operations: readonly Operation[]): ResourceIndex {
  const root = createNode();
  for (const operation of operations) insertOperation(root, operation);
  return (path) => {
    const steps = splitPath(path);
    return steps.length > SEGMENTS_MAX ? null : findResource(root, steps);
  };
}

/** Path without a trailing slash: two spellings of one resource have one idempotency key. */
export function canonicalPath(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

interface PathNode {
  readonly segments: Map<string, PathNode>;
  parameter: PathNode | null;
  readonly operations: Map<Method, Operation>;
}

const SEGMENTS_MAX = 20;

function createNode(): PathNode {
  return { segments: new Map(), parameter: null, operations: new Map() };
}

function insertOperation(root: PathNode, operation: Operation): void {
  let current = root;
  for (const step of splitPath(operation.path)) {
    if (step.startsWith('{')) {
      current = current.parameter ??= createNode();
    } else {
      const next = current.segments.get(step) ?? createNode();
      current.segments.set(step, next);
      current = next;
    }
  }
  const existing = current.operations.get(operation.method);
  if (existing !== undefined) throw new Error(`${operation.id} and ${existing.id} have the same method and path`);
  current.operations.set(operation.method, operation);
}

function findResource(current: PathNode, steps: readonly string[]): Resource | null {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return current.operations.size === 0
      ? null
      : { operations: current.operations, allow: formatAllowHeader(current.operations) };
  }
  const matched = current.segments.get(step);
  const found = matched === undefined ? null : findResource(matched, rest);
  if (found !== null || current.parameter === null || step === '') return found;
  return findResource(current.parameter, rest);
}

function formatAllowHeader(operations: ReadonlyMap<Method, Operation>): string {
  const methods = [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}

function splitPath(path: string): readonly string[] {
  return canonicalPath(path).split('/').slice(1);
}
