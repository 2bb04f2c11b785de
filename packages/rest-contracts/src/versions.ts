import { isMembers } from './reshape.js';

/** Every release of the API, oldest first. A date is a promise: what a release writes never changes. */
export const RELEASES = ['2022-04-07', '2023-11-12', '2023-12-12', '2024-02-05', '2025-09-10', '2026-02-27'] as const;
export type Release = (typeof RELEASES)[number];

export const LATEST_RELEASE: Release = '2026-02-27';

/**
 * The release a `version` header selects: the newest one not later than the date.
 * Null when it is not a date of the calendar (`yyyy-mm-dd`) or lies before the first release.
 */
export function resolveVersion(date: string): Release | null {
  if (!isDate(date)) return null;
  // Dates in this form order as text.
  return RELEASES.findLast((release) => release <= date) ?? null;
}

/** One breaking change of what is written. The code knows only the newest shape; older releases see the change undone. */
export interface VersionChange {
  /** The first release that writes the new shape. */
  readonly since: Release;
  /** One sentence for the changelog. */
  readonly says: string;
  /** Operations whose answers changed. */
  readonly operations: readonly string[];
  /** Makes the shape before the change out of the shape after it, without changing what it is given. */
  readonly undo: (body: unknown) => unknown;
}

/** Every breaking change, newest first. Nothing else in the code asks for a version. */
export const VERSION_CHANGES: readonly VersionChange[] = [
  {
    since: '2024-02-05',
    says:
      'A setup intent that is given up after its card was authorised is `Closed`, before it was `Canceled`; and its ' +
      '`paymentMethods` may hold `SavedCard`, which was not written before.',
    operations: [
      'createSetupIntent',
      'readSetupIntent',
      'cancelSetupIntent',
      'refreshSetupSecret',
      'readPublicSetupIntent',
      'refreshPublicSetupSecret',
    ],
    undo: (body) => {
      if (!isMembers(body)) return body;
      const { status, paymentMethods } = body;
      return {
        ...body,
        status: status === 'Closed' ? 'Canceled' : status,
        paymentMethods: Array.isArray(paymentMethods)
          ? paymentMethods.filter((method) => method !== 'SavedCard')
          : paymentMethods,
      };
    },
  },
];

/** A value that requests of older releases do not know. */
export interface LaterValue {
  /** The first release that reads it. */
  readonly since: Release;
  readonly operation: string;
  readonly member: string;
  readonly value: string;
}

/** Every value that was added to a member after its first release. */
const LATER_VALUES: readonly LaterValue[] = [
  {
    since: '2024-02-05',
    operation: 'createSetupIntent',
    member: 'merchantInitiatedTransactionType',
    value: 'Unscheduled',
  },
];

/** Members of a body that has been read whose values the release does not know yet, with what is to be said of them. */
export function valuesOfLater(
  body: unknown,
  { operationId, release }: { operationId: string; release: Release },
): Readonly<Record<string, readonly string[]>> {
  const unknown = LATER_VALUES.filter(
    ({ since, operation, member, value }) =>
      since > release && operation === operationId && isMembers(body) && body[member] === value,
  );
  return Object.fromEntries(
    unknown.map(({ member, value, since }) => [member, [`${value} is read from version ${since} on.`]]),
  );
}

/** The answer of an operation as a release writes it. */
export function asWritten(
  body: unknown,
  {
    operationId,
    release,
    changes = VERSION_CHANGES,
  }: { operationId: string; release: Release; changes?: readonly VersionChange[] },
): unknown {
  return changes
    .filter(({ since, operations }) => since > release && operations.includes(operationId))
    .reduce((shape, { undo }) => undo(shape), body);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
