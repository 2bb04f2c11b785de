import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { LATEST_RELEASE, type Release, RELEASES, toLatestShape } from '@pos/rest-contracts/versions';
import { type Operation, takesBody } from '@pos/rest-contracts/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { SIMULATOR_OPERATIONS } from '@pos/rest-contracts/sandbox';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import { z } from 'zod';

/** The measured apps. */
export const BODY_APPS = ['api', 'card-vault', 'pay-at-table-gateway', 'epos-tester'] as const;
export type BodyApp = (typeof BODY_APPS)[number];

/** An operation that takes a body, at one release of the API. */
export interface BodyOperation {
  readonly app: BodyApp;
  readonly operation: Operation;
  readonly release: Release;
  readonly schema: z.ZodType;
}

/** The body is defined as empty, and any other is read and ignored. */
const NOTHING = z.object({});
const OLDEST_RELEASE = RELEASES[0];

/**
 * Every operation of every app that takes a body. Those whose body changed between releases are listed twice: at the
 * oldest release every version change is applied. The payment page takes none.
 */
export function listBodyOperations(): BodyOperation[] {
  const all = [
    ...listOperationsOf('api', API_OPERATIONS),
    ...listOperationsOf('card-vault', CARD_VAULT_OPERATIONS),
    ...listOperationsOf('pay-at-table-gateway', SIMULATOR_OPERATIONS),
    ...listOperationsOf('epos-tester', TESTER_OPERATIONS),
  ];
  return all.flatMap((each) => (hasChanged(each.schema) ? [each, { ...each, release: OLDEST_RELEASE }] : [each]));
}

function listOperationsOf(app: BodyApp, operations: readonly Operation[]): BodyOperation[] {
  return operations
    .filter((operation) => takesBody(operation))
    .map((operation) => ({ app, operation, release: LATEST_RELEASE, schema: operation.body ?? NOTHING }));
}

/** A schema without version changes returns the same object. */
function hasChanged(schema: z.ZodType): boolean {
  const sent = {};
  return toLatestShape(schema, sent, OLDEST_RELEASE).value !== sent;
}
