import type { Caller } from '@pos/core/accounts/caller';
import type { Readable } from '@pos/core/refusals/readable-value';
import type { BodyOf, Operation } from '@pos/rest-contracts/operation/operation';

/** Refuses `validation_failed`, by member, what a body says beyond its form; an unreadable member is left out of the body. */
export interface MemberCheck {
  check(caller: Caller, body: unknown): void | Promise<void>;
}

/** By the id of the operation. They run only when a request is refused for its form, so that one answer names all faults. */
export type MemberChecks = ReadonlyMap<string, MemberCheck>;

/** The check of an operation's members, for the table of an app. The operation itself refuses the same when it is called. */
export function defineMemberCheck<const O extends Operation>(
  { id }: O,
  check: (caller: Caller, body: Readable<BodyOf<O>>) => void | Promise<void>,
): readonly [string, MemberCheck] {
  return [id, { check }];
}
