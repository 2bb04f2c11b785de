import type { Caller } from '@pos/core/accounts';
import type { Readable } from '@pos/core/refusals';
import type { BodyOf, Operation } from '@pos/rest-contracts/operation';

/**
 * Refuses `validation_failed`, by member, for rules beyond the shape of a body. Unreadable members are missing in
 * `body`.
 */
export interface MemberCheck {
  check(caller: Caller, body: unknown): void | Promise<void>;
}

/**
 * By the operation's id. They run only when the shape of a request is invalid, so that one answer names all violations.
 */
export type MemberChecks = ReadonlyMap<string, MemberCheck>;

/** An entry for an app's table of checks. The operation itself refuses the same members when it is called. */
export function defineMemberCheck<const O extends Operation>(
  { id }: O,
  check: (caller: Caller, body: Readable<BodyOf<O>>) => void | Promise<void>,
): readonly [string, MemberCheck] {
  return [id, { check }];
}
