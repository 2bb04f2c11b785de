import type { Operation } from '@pos/rest-contracts/operation';

/**
 * Where an operation is called. Its method and path have the types of the contract, so a copy that differs does not
 * compile; the schemas of the contract stay out of the page.
 */
export interface Endpoint<O extends Operation> {
  readonly method: O['method'];
  readonly path: O['path'];
  /** Served by the portal itself and not forwarded to the API. */
  readonly isOwn?: true;
  /** Never set: it only carries the type. */
  readonly operationType?: O;
}
