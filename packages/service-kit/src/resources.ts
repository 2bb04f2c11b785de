import type { Method, Operation } from '@pos/rest-contracts/operation';

/** What lies under one path template: which methods it knows, and what each of them is. */
export interface Resource {
  readonly operations: ReadonlyMap<Method, Operation>;
  /** For the header `allow`: methods in the order they were declared, `HEAD` beside `GET`, and `OPTIONS`. */
  readonly allow: string;
}

/** Finds the resource that a concrete path names; null when no operation has such a path. */
export type Resources = (path: string) => Resource | null;

/**
 * Indexes the paths of an app. Fixed words win over ids (`/payment-intents/search` is never an intent called
 * "search"), so a method that only the id knows is not allowed on the word. A trailing slash makes no difference.
 */
export function indexResources(operations: readonly Operation[]): Resources {
  const root = node();
  for (const operation of operations) plant(root, operation);
  return (path) => {
    const steps = stepsOf(path);
    return steps.length > STEPS_MAX ? null : resourceAt(root, steps);
  };
}

/** Path without a trailing slash: two spellings of one resource have one idempotency key. */
export function canonicalPath(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

interface Node {
  readonly words: Map<string, Node>;
  id: Node | null;
  readonly operations: Map<Method, Operation>;
}

const STEPS_MAX = 20;

function node(): Node {
  return { words: new Map(), id: null, operations: new Map() };
}

function plant(root: Node, operation: Operation): void {
  let here = root;
  for (const step of stepsOf(operation.path)) {
    if (step.startsWith('{')) {
      here = here.id ??= node();
    } else {
      const next = here.words.get(step) ?? node();
      here.words.set(step, next);
      here = next;
    }
  }
  const rival = here.operations.get(operation.method);
  if (rival !== undefined) throw new Error(`${operation.id} and ${rival.id} have the same method and path`);
  here.operations.set(operation.method, operation);
}

function resourceAt(here: Node, steps: readonly string[]): Resource | null {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return here.operations.size === 0 ? null : { operations: here.operations, allow: allowed(here.operations) };
  }
  const word = here.words.get(step);
  const found = word === undefined ? null : resourceAt(word, rest);
  if (found !== null || here.id === null || step === '') return found;
  return resourceAt(here.id, rest);
}

function allowed(operations: ReadonlyMap<Method, Operation>): string {
  const methods = [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}

function stepsOf(path: string): readonly string[] {
  return canonicalPath(path).split('/').slice(1);
}
