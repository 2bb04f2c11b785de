import { describeRepeat, ERROR_CATALOGUE } from '@pos/rest-contracts/problems';
import type { ErrorDetails, ErrorEntry, ReferenceOperation } from '../pages/reference/data/reference-data.js';

/** Every reason, for the list and the search. */
export function listErrors(): ErrorEntry[] {
  return ERROR_CATALOGUE.map(({ reason, status, meaning }) => ({ reason, status, meaning }));
}

/** What each reason means, and the operations that can answer it. */
export function createErrorDetails(operations: readonly ReferenceOperation[]): ErrorDetails {
  const reasonsOf = new Map(
    operations.map(({ id, problems }) => [id, new Set(problems.flatMap(({ reasons }) => reasons))]),
  );
  return Object.fromEntries(
    ERROR_CATALOGUE.map(({ reason, status, title, meaning, action }) => {
      const own = operations.filter(({ id }) => reasonsOf.get(id)?.has(reason) === true).map(({ id }) => id);
      const detail = { status, title: title.replace(/\.$/, ''), meaning, action, repeat: describeRepeat(reason) };
      return [reason, { ...detail, operations: own }];
    }),
  );
}
