import { expect, test } from '@jest/globals';
import { createReceiptMail, createReceiptCopy } from './receipt-mail.js';
import type { Capture, PaymentIntent } from '../payment-intents/payment-intent.js';
import { createAuthorizedIntent, createCapturedIntent, gbp, HEADING, NOON, testId } from '../testing/builders.js';

const PLACE = { heading: { ...HEADING, tid: '', table: null }, merchantId: '9000012345' };
const EXTRAS = { tipsAmount: gbp(150), cashbackAmount: gbp(500), serviceChargeAmount: gbp(50) };

test('the mail of a payment without a card machine contains the payment, masked, and the merchant', () => {
  const intent = createCapturedIntent(EXTRAS);
  const { subject, text } = createReceiptMail(intent, createReceiptCopy(intent, PLACE), 'The Corner Table');
  expect([subject, text]).toEqual([
    'Your receipt from The Corner Table',
    `The Corner Table
020 7946 0000
1 High Street

Merchant: ******2345
Scheme: VISA
--------------------------------
VISA
************1096
CONTACTLESS
--------------------------------
SALE
Amount: 20.50 GBP
Gratuity: 1.50 GBP
Cashback: 5.00 GBP
Total: 27.00 GBP
SUCCESSFUL

Thank you
2026-03-01 12:00:00 UTC
Auth code: 204711
================================
CUSTOMER COPY
Please keep this receipt
`,
  ]);
});

test.each([
  [{ ...createCapturedIntent(), status: 'Reversed' } as const, 'THIS PAYMENT WAS REVERSED'],
  [{ ...createCapturedIntent(), refunded: gbp(500) }, 'Refunded since: 5.00 GBP'],
  [{ ...createCapturedIntent(), status: 'Refunded', refunded: gbp(2000) } as const, 'Refunded since: 20.00 GBP'],
  [createAuthorizedIntent(), 'Please keep this receipt'],
])('the last line states the status of the payment since', (intent, last) => {
  const { text, html } = createReceiptMail(intent, createReceiptCopy(intent, PLACE), 'The Corner Table');
  expect(text.trimEnd().split('\n').at(-1)).toBe(last);
  expect(html).toContain(last);
});

test.each<[string, Partial<PaymentIntent>, readonly string[]]>([
  ['a hold', {}, ['PRE-AUTHORISATION', 'Amount: 20.00 GBP', 'Total: 20.00 GBP']],
  [
    'a part of a hold',
    { captured: gbp(500), captures: [createCapture(400, 100)] },
    ['COMPLETION', 'Amount: 4.00 GBP', 'Gratuity: 1.00 GBP', 'Total: 5.00 GBP'],
  ],
  [
    'a part of a hold whose other capture was declined',
    { captured: gbp(500), captures: [createCapture(500, 0), { ...createCapture(300, 300), status: 'Declined' }] },
    ['COMPLETION', 'Amount: 5.00 GBP', 'Total: 5.00 GBP'],
  ],
  [
    'a hold with a tip that is taken as a whole',
    { amount: gbp(1800), tipsAmount: gbp(200), captured: gbp(2000), captures: [createCapture(2000, 0)] },
    ['COMPLETION', 'Amount: 18.00 GBP', 'Gratuity: 2.00 GBP', 'Total: 20.00 GBP'],
  ],
])('the copy of %s says what was done, with that amount', (_, more, wanted) => {
  const { lines } = createReceiptCopy({ ...createAuthorizedIntent(), ...more }, PLACE);
  const texts = lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));
  const words = /^(SALE|PRE-AUTHORISATION|COMPLETION|REFUND|Amount|Gratuity|Cashback|Total)/;
  expect(texts.filter((text) => words.test(text))).toEqual(wanted);
});

function createCapture(amount: number, tips: number): Capture {
  return {
    ...{ id: testId('capture'), amount: gbp(amount), tipsAmount: gbp(tips) },
    ...{ status: 'Successful', createdAt: NOON },
  };
}

test('a name can neither end a header nor inject HTML', () => {
  const name = 'Salt & <script>alert(1)</script>\r\nBcc: everybody@example.com';
  const intent = createCapturedIntent();
  const copy = createReceiptCopy(intent, { ...PLACE, heading: { ...PLACE.heading, merchantName: name } });
  const { subject, text, html } = createReceiptMail(intent, copy, name);
  expect(subject).toBe('Your receipt from Salt & <script>alert(1)</script> Bcc: everybody@example.com');
  expect(text.split('\n')[0]).toBe('Salt & <script>alert(1)</script> Bcc: everybody@example.com');
  expect(html).toContain('Salt &amp; &lt;script&gt;alert(1)&lt;/script&gt; Bcc');
  expect(html).not.toContain('<script>');
});
