import { z } from 'zod';

/** A check of a step, as it is stored with its run. `found` may have any origin, so it is plain text. */
export const Check = z.object({
  /** An id of `CLAUSES`, or of a clause of an earlier version of the tester. */
  clause: z.string(),
  member: z.string(),
  expected: z.string(),
  found: z.string(),
  holds: z.boolean(),
  /** The contract allows what was found, but the partner should know about it. Such a check holds. */
  isWarning: z.boolean().optional(),
  /** How often it was made with this outcome. Checks of list elements that hold are stored as one. */
  times: z.int(),
});
export type Check = z.output<typeof Check>;

/** A sentence for a check that fails or warns. The clause comes last, in brackets. */
export function formatCheck(
  { clause, member, expected, found }: Pick<Check, 'clause' | 'member' | 'expected' | 'found'>,
  sentence: string,
): string {
  return `${member}: expected ${expected}, but found ${found}. ${sentence === '' ? '' : `${sentence} `}[${clause}]`;
}
