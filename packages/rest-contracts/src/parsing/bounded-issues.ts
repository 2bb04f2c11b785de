import { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A value with at most this many values inside is checked in one piece. */
const PIECE_VALUES_MAX = 200;

/**
 * The issues of a large value, found piece by piece up to the limit. Empty when there are fewer issues than the limit,
 * or the value is small. zod itself would collect every issue first: 300,000 of them take seconds and a gigabyte. The
 * caller runs the checks of the lists and objects that contain the pieces.
 */
export function findTooManyIssues(schema: z.core.$ZodType, value: unknown, limit: number): readonly Issue[] {
  if (countValues(value, PIECE_VALUES_MAX) <= PIECE_VALUES_MAX) return [];
  const issues: Issue[] = [];
  collectIssues(schema, { value, path: [] }, { issues, limit });
  return issues.length >= limit ? issues.slice(0, limit) : [];
}

interface ValuePart {
  readonly value: unknown;
  readonly path: Path;
}

interface IssueCollection {
  readonly issues: Issue[];
  readonly limit: number;
}

function collectIssues(schema: z.core.$ZodType, { value, path }: ValuePart, found: IssueCollection): void {
  if (found.issues.length >= found.limit) return;
  // zod exports the union of its own schema classes; every schema of this package is one of them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isLarge = countValues(value, PIECE_VALUES_MAX) > PIECE_VALUES_MAX;
  if (isLarge && 'innerType' in def) collectIssues(def.innerType, { value, path }, found);
  else if (isLarge && def.type === 'pipe') collectIssues(def.in, { value, path }, found);
  else if (isLarge && def.type === 'lazy') collectIssues(def.getter(), { value, path }, found);
  else if (def.type === 'array' && isLarge && Array.isArray(value)) {
    for (let index = 0; index < value.length && found.issues.length < found.limit; index += 1) {
      collectIssues(def.element, { value: value[index] as unknown, path: [...path, index] }, found);
    }
  } else if (def.type === 'object' && isLarge && isRecord(value)) {
    for (const [name, member] of Object.entries(def.shape)) {
      collectIssues(member, { value: value[name], path: [...path, name] }, found);
    }
  } else checkPart(schema, { value, path }, found);
}

function checkPart(schema: z.core.$ZodType, { value, path }: ValuePart, { issues, limit }: IssueCollection): void {
  for (const issue of z.safeParse(schema, value).error?.issues ?? []) {
    if (issues.length >= limit) return;
    issues.push({ ...issue, path: [...path, ...issue.path] });
  }
}

/** Counts values up to one above the limit. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const each of inner) {
    count += countValues(each, limit - count);
    if (count > limit) return count;
  }
  return count;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
