/** What a call of an operation needs to know. */
export interface OperationFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Template with members in braces. */
  readonly path: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  /** What follows the path members in the arguments of a call. */
  readonly input: 'body' | 'query' | null;
  /** `read`: changes nothing; `key`: an idempotency key makes repeats one operation; `never`: no repeat is safe. */
  readonly repeat: 'read' | 'key' | 'never';
  /** An API key is sent. */
  readonly key?: true;
  readonly partners?: true;
  /** The secret of a customer is sent in place of a key. */
  readonly customerSecret?: true;
}
