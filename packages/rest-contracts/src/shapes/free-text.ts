import { type CardNumberNotation, containsCardNumber, containsSecurityCode } from '@pos/core/cards';
import { METADATA_BYTES_MAX } from '@pos/core/payment-intents';
import { z } from 'zod';
import { walkLeaves } from './leaves.js';
import { RECORD_BYTES_MAX } from './record-size.js';
import { EmailInput, text } from './shapes.js';

// Members with typed text. Text that is stored unencrypted must contain neither a card number nor its security code, in
// case a person typed it into the wrong member.

/** A longer text is refused for its length: no member accepts as much. */
const SEARCHED_LENGTH_MAX = 64 * 1024;
const METADATA_ISSUES_MAX = 2;
/** The limit of collected violations of one object; more would not be named. */
const ISSUES_MAX = 100;
const MESSAGE = 'Must not hold a card number.';
const CODE_MESSAGE = 'Must not hold the security code of a card.';

/** Text for people to read. */
export function freeText(limits: Parameters<typeof text>[0]) {
  return text(limits).check(refuseCardInText);
}

/** An integrator's own reference: digits in one piece are a reference, digits in groups are a card number. */
export function ownReference(limits: Parameters<typeof text>[0]) {
  return text(limits).check((subject) => refuseCard(subject, subject.value, 'grouped'));
}

/** An e-mail address that a person typed. */
export const TypedEmail = EmailInput.check(refuseCardInText);

/** The check of `freeText`, for text of another form. */
export function refuseCardInText(subject: { readonly value: string; readonly issues: z.core.$ZodRawIssue[] }): void {
  refuseCard(subject, subject.value, 'any');
}

/**
 * Checks each text within an object, at every depth, as text for people, and names its member. `ids` contains the
 * members with the sender's ids, which are checked as references.
 */
export function refuseCardsWithin(ids: ReadonlySet<string>) {
  return (subject: { readonly value: object; readonly issues: z.core.$ZodRawIssue[] }): void => {
    walkLeaves(subject.value, ({ path, name, value }) => {
      if (typeof value !== 'string' || subject.issues.length >= ISSUES_MAX) return;
      refuseCard({ issues: subject.issues, path }, value, ids.has(name) ? 'grouped' : 'any');
    });
  };
}

/** The integrator's additions, mostly its own ids. */
export const Metadata = recordMembers('grouped');

/** The additions of a payer's browser, which a person typed. */
export const PayersMetadata = recordMembers('any');

function recordMembers(writing: CardNumberNotation) {
  const record = z.record(z.string(), z.unknown());
  // The size is checked first: an object that is too large is neither read nor searched for numbers.
  RECORD_BYTES_MAX.add(record, METADATA_BYTES_MAX);
  return record.default({}).check((subject) => {
    for (const [name, value] of Object.entries(subject.value)) {
      if (subject.issues.length >= METADATA_ISSUES_MAX) return;
      const json = JSON.stringify({ [name]: value });
      // The name itself may contain the number, so the whole member is refused.
      refuseCard(subject, json, writing);
    }
  });
}

/** Where to add an issue, and the path inside the checked member. */
interface TextPath {
  readonly issues: z.core.$ZodRawIssue[];
  readonly path?: () => readonly PropertyKey[];
}

/** The input is left out of the issue, because an issue may be printed and must not contain it. */
function refuseCard({ issues, path = () => [] }: TextPath, value: string, writing: CardNumberNotation): void {
  if (value.length > SEARCHED_LENGTH_MAX) return;
  const note = (message: string) => issues.push({ code: 'custom', input: null, path: [...path()], message });
  if (containsCardNumber(value, writing)) note(MESSAGE);
  if (containsSecurityCode(value)) note(CODE_MESSAGE);
}
