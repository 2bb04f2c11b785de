import type { ProblemReason } from '../problems/problems.js';

/**
 * One request of an operation and its answer. Examples are data: the documents contain them, and a test plays the
 * list of them against the whole service. Ids are invented; the player replaces each by the id that the service gave.
 */
export interface OperationExample {
  readonly operationId: string;
  /** The key of the example in the document. */
  readonly name: string;
  /** What the example shows, in a sentence. */
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The first example of the schema when absent. */
  readonly body?: unknown;
  /** The secret of the intent or customer, for operations by payers. */
  readonly secret?: string;
  /** The origin of the page that sends the request. */
  readonly origin?: string;
  /** The request is sent without an API key. */
  readonly isWithoutKey?: true;
  /** The body of the success. The first example of the schema when absent. */
  readonly answer?: unknown;
  readonly refusal?: ExampleRefusal;
}

export interface ExampleRefusal {
  readonly reason: ProblemReason;
  readonly detail: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

type ExampleRequest = Pick<OperationExample, 'params' | 'query' | 'body' | 'secret' | 'origin' | 'answer'>;

/** A request that succeeds. The part before the colon of the title is the operation, the part after it the name. */
export function accept(title: string, summary: string, request: ExampleRequest = {}): OperationExample {
  return { ...readTitle(title), summary, ...request };
}

/** A request that is refused; its name is the reason. */
export function refuse(
  operationId: string,
  request: Omit<ExampleRequest, 'answer'>,
  refusal: ExampleRefusal & { readonly summary: string },
): OperationExample {
  const { summary, ...problem } = refusal;
  return { operationId, name: problem.reason, summary, ...request, refusal: problem };
}

/** An operation that reads or deletes without input, and refuses only what every operation refuses. */
export function refuseWithoutKey(operationId: string): OperationExample {
  return {
    ...{
      operationId,
      name: 'unauthenticated',
      summary: 'The API key is missing, unknown or deleted',
      isWithoutKey: true,
    },
    refusal: { reason: 'unauthenticated', detail: KEY_NEEDED },
  };
}

const KEY_NEEDED =
  'A valid API key is needed: `authorization: Basic <key>` with the key as it is, `authorization: Bearer <key>`, or the ' +
  'user name without a password as `curl -u <key>:` sends it.';

function readTitle(title: string): { operationId: string; name: string } {
  const [operationId = '', name = 'success'] = title.split(':');
  return { operationId, name };
}
