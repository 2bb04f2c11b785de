import { z } from 'zod';

/** A check that a step has made, as it is kept with its run: what was found may come from anywhere, so it is text and no more. */
export const Check = z.object({
  /** An id of `CLAUSES`, or of a clause that an earlier tester knew. */
  clause: z.string(),
  member: z.string(),
  expected: z.string(),
  found: z.string(),
  holds: z.boolean(),
  /** The contract allows what was found, and the EPOS's maker should know of it; such a check holds. */
  isWarning: z.boolean().optional(),
  /** How often it was made with this outcome; of checks that hold, one stands for all elements of a list. */
  times: z.int(),
});
export type Check = z.output<typeof Check>;

/** A check that does not hold, or warns, in sentences. The clause comes last, in brackets. */
export function formatCheck(
  { clause, member, expected, found }: Pick<Check, 'clause' | 'member' | 'expected' | 'found'>,
  sentence: string,
): string {
  return `${member}: expected ${expected}, but found ${found}. ${sentence === '' ? '' : `${sentence} `}[${clause}]`;
}
