import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { refuseCardInText } from '../shapes/free-text.js';
import { isOneDirection, Moment, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';

const ADDRESS_MAX = 254;

/** One plain ASCII address: no name, no list, no comment, and no character that could end a header. */
const MailAddressInput = z
  .string()
  .refine((address) => address.length <= ADDRESS_MAX && ADDRESS_FORM.test(address), {
    error: `Must be a plain e-mail address in ASCII of at most ${ADDRESS_MAX} characters.`,
  })
  .check(refuseCardInText)
  .meta({ format: 'email', maxLength: ADDRESS_MAX });

const ADDRESS_FORM =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

const ADDRESSES_MAX = 10;

export const sendReceipt = {
  id: 'sendReceipt',
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/receipt',
  tag: 'Payment intents',
  summary: 'Mail the customer’s copy of a payment’s receipt',
  description:
    'The mail is on its way when the answer arrives; each address gets it once. A sandbox sends nothing: see its mailbox.',
  permission: 'payments.write',
  version: 'required',
  idempotency: 'optional',
  params: z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') }),
  body: z
    .object({
      emails: z
        .array(MailAddressInput)
        .min(1)
        .max(ADDRESSES_MAX)
        .describe('Addresses that get the customer’s copy, each once.'),
    })
    .meta({ id: 'ReceiptRequest', examples: [{ emails: ['guest@example.com'] }] }),
  returns: null,
  refusals: ['payment_intent_not_found', 'receipt_not_available'],
} as const satisfies Operation;

export const SandboxMail = z
  .object({
    id: z.uuid().describe('UUID of the mail.'),
    paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) that the receipt is about.'),
    to: z.string().describe('The receiver’s address.'),
    subject: z.string().describe('Subject line of the mail.'),
    text: z.string().describe('The receipt as plain text.'),
    html: z.string().describe('The same receipt as HTML.'),
    createdAt: Moment.describe('When the mail was requested.'),
  })
  .meta({
    id: 'SandboxMail',
    examples: [
      {
        id: '0b6e3f3a-2f0e-4f57-9d6a-6d2a0f3f7d11',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        to: 'guest@example.com',
        subject: 'Your receipt from The Corner Table',
        text: 'The Corner Table\nAmount: 12.50 GBP\n',
        html: '<!doctype html>\n',
        createdAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type SandboxMail = z.output<typeof SandboxMail>;

export const readMailbox = {
  id: 'readMailbox',
  method: 'GET',
  path: '/sandbox/mailbox',
  tag: 'Sandbox',
  summary: 'List the mails that this sandbox account would have sent, newest first',
  permission: 'any',
  sandboxOnly: 'path_unknown',
  version: 'optional',
  idempotency: 'none',
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('SandboxMailPage', SandboxMail),
  refusals: [],
} as const satisfies Operation;

export const sendPublicReceipt = {
  id: 'sendPublicReceipt',
  method: 'POST',
  path: '/payment-intents/public/{paymentIntentId}/receipt',
  tag: 'Payment intents, by the payer',
  summary: 'Mail the receipt to the payer',
  description:
    'Of one payment, at most three receipts are mailed within a day, those of the integrator included. Everybody with the link may request one: only the page that has paid, which proves it by the header `client-session-secret`, gets a copy with the card.',
  payerProof: true,
  permission: null,
  version: 'optional',
  idempotency: 'none',
  crossOrigin: true,
  params: z.object({ paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`).') }),
  body: z
    .object({ email: MailAddressInput.describe('The address that gets the customer’s copy.') })
    .meta({ id: 'PublicReceiptRequest', examples: [{ email: 'guest@example.com' }] }),
  returns: null,
  refusals: ['payment_intent_not_found', 'receipt_not_available', 'receipts_exhausted'],
} as const satisfies Operation;

export const RECEIPT_OPERATIONS = [sendReceipt, sendPublicReceipt] as const;
