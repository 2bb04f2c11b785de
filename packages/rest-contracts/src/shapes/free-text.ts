import { type CardNumberNotation, containsCardNumber, containsSecurityCode } from '@pos/core/cards/card-number';
import { METADATA_BYTES_MAX } from '@pos/core/refusals/violations';
import { z } from 'zod';
import { walkLeaves } from './leaves.js';
import { RECORD_BYTES_MAX } from './record-size.js';
import { EmailInput, text } from './shapes.js';

// Members into which people type. Whatever is kept in clear must hold neither a card number nor its security code, wherever
// they were typed by mistake.

/** A longer text is refused for its length: no member takes as much. */
const SEARCHED_LENGTH_MAX = 64 * 1024;
const METADATA_ISSUES_MAX = 2;
/** No more faults of one object are noted: they would not be named. */
const ISSUES_MAX = 100;
const MESSAGE = 'Must not hold a card number.';
const CODE_MESSAGE = 'Must not hold the security code of a card.';

/** Text for people to read. */
export function freeText(limits: Parameters<typeof text>[0]) {
  return text(limits).check((subject) => refuseCard(subject, subject.value, 'any'));
}

/** An integrator's own reference: a number in one piece is a reference, a number in groups is a card number. */
export function ownReference(limits: Parameters<typeof text>[0]) {
  return text(limits).check((subject) => refuseCard(subject, subject.value, 'grouped'));
}

/** An e-mail address that somebody has typed. */
export const TypedEmail = EmailInput.check((subject) => {
  refuseCard(subject, subject.value, 'any');
});

/**
 * Judges each text within an object, however deep, as text for people to read, and names its member. Under `ids` stand
 * members that hold the sender's ids, which are checked as references.
 */
export function refuseCardsWithin(ids: ReadonlySet<string>) {
  return (subject: { readonly value: object; readonly issues: z.core.$ZodRawIssue[] }): void => {
    walkLeaves(subject.value, ({ path, name, value }) => {
      if (typeof value !== 'string' || subject.issues.length >= ISSUES_MAX) return;
      refuseCard({ issues: subject.issues, path }, value, ids.has(name) ? 'grouped' : 'any');
    });
  };
}

/** What an integrator adds, mostly their own ids. */
export const Metadata = recordMembers('grouped');

/** What a payer's browser adds: somebody has typed it. */
export const PayersMetadata = recordMembers('any');

function recordMembers(writing: CardNumberNotation) {
  const record = z.record(z.string(), z.unknown());
  // Its size is judged first: what is too large is neither read nor searched for numbers.
  RECORD_BYTES_MAX.add(record, METADATA_BYTES_MAX);
  return record.default({}).check((subject) => {
    for (const [name, value] of Object.entries(subject.value)) {
      if (subject.issues.length >= METADATA_ISSUES_MAX) return;
      const json = JSON.stringify({ [name]: value });
      // The name may be what it is about, so the member is named as a whole.
      refuseCard(subject, json, writing);
    }
  });
}

/** Where to note what is wrong, and with which member inside the one that is judged. */
interface TextPath {
  readonly issues: z.core.$ZodRawIssue[];
  readonly path?: () => readonly PropertyKey[];
}

/** The input is left out of the issue: what is told further must not hold it. */
function refuseCard({ issues, path = () => [] }: TextPath, value: string, writing: CardNumberNotation): void {
  if (value.length > SEARCHED_LENGTH_MAX) return;
  const note = (message: string) => issues.push({ code: 'custom', input: null, path: [...path()], message });
  if (containsCardNumber(value, writing)) note(MESSAGE);
  if (containsSecurityCode(value)) note(CODE_MESSAGE);
}
