import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The path and the message of an issue, as a sentence for the sender of the request. */
export function formatIssue(issue: Issue, value: unknown): { path: readonly PropertyKey[]; message: string } {
  if (issue.code === 'invalid_union') return findInnermostIssue(issue, value);
  return { path: issue.path, message: formatSentence(issue, value) };
}

/** The issue of the option with the fewest issues, which explains the value best. */
function findInnermostIssue(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  value: unknown,
): ReturnType<typeof formatIssue> {
  const nearest = issue.errors.reduce<readonly Issue[]>(
    (best, issues) => (best.length === 0 || issues.length < best.length ? issues : best),
    [],
  );
  const first = nearest[0];
  if (first === undefined) {
    // No option applies, because the discriminator is missing or unknown.
    const isMissing = formatPath(value, issue.path) === undefined;
    return { path: issue.path, message: isMissing ? 'Is required.' : `Must be ${formatChoices(listChoices(issue))}.` };
  }
  const inner = formatIssue(first, formatPath(value, issue.path));
  return { path: [...issue.path, ...inner.path], message: inner.message };
}

/** The allowed values of the discriminator. */
function listChoices(issue: Extract<Issue, { code: 'invalid_union' }>): readonly string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function formatSentence(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  const member = formatPath(value, issue.path);
  if (member === undefined) return 'Is required.';
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'number' && isFractionText(member) ? 'int' : issue.expected;
    return `Must be ${TYPE_NAMES[expected] ?? 'of another type'}.`;
  }
  if (issue.code === 'invalid_value') return `Must be ${formatChoices(issue.values.map(String))}.`;
  if (issue.code === 'too_small') return formatBound(issue.origin, 'at least', Number(issue.minimum));
  if (issue.code === 'too_big') return formatBound(issue.origin, 'at most', Number(issue.maximum));
  if (issue.code === 'invalid_format') return issue.message.startsWith('Must') ? issue.message : 'Is not well formed.';
  return 'Is not well formed.';
}

/** Recognises `"10.00"` where a whole number is required. */
function isFractionText(member: unknown): boolean {
  return typeof member === 'string' && /^-?\d+\.\d+$/.test(member);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'absent',
};

function formatChoices(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
}

function formatBound(origin: string, side: 'at least' | 'at most', limit: number): string {
  if (origin === 'array' || origin === 'set')
    return `Must have ${side} ${limit} ${limit === 1 ? 'element' : 'elements'}.`;
  if (origin === 'string') return `Must be ${side} ${limit} characters.`;
  return `Must be ${side} ${limit}.`;
}

function formatPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}
