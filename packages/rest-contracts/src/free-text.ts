import { type CardWriting, holdsCardNumber, holdsSecurityCode } from '@pos/core/card-number';
import { z } from 'zod';
import { EmailInput, text } from './shapes.js';

// Members into which people type. Whatever is kept in clear must hold neither a card number nor its security code, wherever
// they were typed by mistake.

const MESSAGE = 'Must not hold a card number.';
const CODE_MESSAGE = 'Must not hold the security code of a card.';

/** Text for people to read. */
export function freeText(limits: Parameters<typeof text>[0]) {
  return text(limits).check((subject) => refuseCard(subject, subject.value, 'any'));
}

/** Text by which an integrator knows something of his own: a number in one piece is his, one in groups is a card's. */
export function ownReference(limits: Parameters<typeof text>[0]) {
  return text(limits).check((subject) => refuseCard(subject, subject.value, 'grouped'));
}

/** An e-mail address that somebody has typed. */
export const TypedEmail = EmailInput.check((subject) => {
  refuseCard(subject, subject.value, 'any');
});

/** What an integrator adds, mostly ids of his own. */
export const Metadata = members('grouped');

/** What a payer's browser adds: somebody has typed it. */
export const PayersMetadata = members('any');

function members(writing: CardWriting) {
  return z
    .record(z.string(), z.unknown())
    .default({})
    .check((subject) => {
      for (const [name, value] of Object.entries(subject.value)) {
        const json = JSON.stringify({ [name]: value });
        // The name may be what it is about, so the member is named as a whole.
        refuseCard(subject, json, writing);
      }
    });
}

/** The input is left out of the issue: what is told further must not hold it. */
function refuseCard(subject: { readonly issues: z.core.$ZodRawIssue[] }, value: string, writing: CardWriting): void {
  if (holdsCardNumber(value, writing)) subject.issues.push({ code: 'custom', input: null, message: MESSAGE });
  if (holdsSecurityCode(value)) subject.issues.push({ code: 'custom', input: null, message: CODE_MESSAGE });
}
