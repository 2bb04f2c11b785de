import type { UnreadableMember } from '@pos/rest-contracts/epos-data';

export type { UnreadableMember };

const ELEMENT_LENGTH_MAX = 100;
const MEMBER_LENGTH_MAX = 200;
const PROBLEM_LENGTH_MAX = 200;

/** Names a member in the lengths that are logged and stored: an EPOS decides how long its own ids are. */
export function limitUnreadable({ element, member, problem, isSkipped }: UnreadableMember): UnreadableMember {
  return {
    element: element.slice(0, ELEMENT_LENGTH_MAX),
    member: member.slice(0, MEMBER_LENGTH_MAX),
    problem: problem.slice(0, PROBLEM_LENGTH_MAX),
    isSkipped,
  };
}

/** The member without places in lists: `items[].quantity`. All weighed items of a restaurant are one finding. */
export function toMemberPattern(member: string): string {
  return member.replaceAll(/\[\d+\]/g, '[]');
}
