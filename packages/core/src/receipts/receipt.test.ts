import { describe, expect, test } from '@jest/globals';
import { money } from '../money/money.js';
import { RECEIPT_LINE_TYPES, createReceipt, type ReceiptLine, type ReceiptSubject } from './receipt.js';
import { createApproval, gbp, HEADING, testId, VISA } from '../testing/builders.js';

test('the merchant copy of a sale that is to be signed', () => {
  expect(printed(createReceipt('merchant', subject({ isSignatureWanted: true })).lines)).toMatchInlineSnapshot(`
   "The Corner Table
   020 7946 0000
   1 High Street
   <NewLine>
   Merchant: ******2345
   Terminal: ****0001
   Scheme: VISA
   Table: 7
   <SingleLineSeperator>
   VISA CREDIT
   AID: A0000000031010
   VISA
   ************1096
   PAN SEQ: 01
   CONTACTLESS
   <SingleLineSeperator>
   SALE
   *Amount: 25.00 GBP
   *Gratuity: 5.00 GBP
   *Cashback: 0.05 GBP
   *Total: 30.05 GBP
   *SUCCESSFUL
   <NewLine>
   Signature: ______________________
   <NewLine>
   Thank you
   2026-03-01 12:00:00 UTC
   Auth code: 204711
   Transaction: 77d45ac6-e8bb-4068-bd1a-9d4beec24fe0
   Session: ts_sandbox_2e3ac5e08bfa574ae1a06f69
   <DoubleLineSeperator>
   MERCHANT COPY
   Please keep for your records"
  `);
});

test.each([
  ['a name', 'Bar 2', 'Handset: Bar 2'],
  ['its own number', HEADING.tid, 'Handset: ****0001'],
  ['a name with its number', `Machine ${HEADING.tid}`, 'Handset: Machine ****0001'],
])('a machine that has %s is named without showing its number', (_, handset, line) => {
  const copy = printed(createReceipt('customer', subject({ heading: { ...HEADING, handset } })).lines);
  expect(copy).toContain(line);
  expect(copy).not.toContain(HEADING.tid);
});

test('a machine whose number is unknown is named as it is', () => {
  const heading = { ...HEADING, tid: '', handset: 'Bar 2' };
  expect(printed(createReceipt('customer', subject({ heading })).lines)).toContain('Handset: Bar 2');
});

test('the customer copy has neither signature line nor ids', () => {
  expect(printed(createReceipt('customer', subject({ isSignatureWanted: true })).lines)).toMatchInlineSnapshot(`
   "The Corner Table
   020 7946 0000
   1 High Street
   <NewLine>
   Merchant: ******2345
   Terminal: ****0001
   Scheme: VISA
   Table: 7
   <SingleLineSeperator>
   VISA CREDIT
   AID: A0000000031010
   VISA
   ************1096
   PAN SEQ: 01
   CONTACTLESS
   <SingleLineSeperator>
   SALE
   *Amount: 25.00 GBP
   *Gratuity: 5.00 GBP
   *Cashback: 0.05 GBP
   *Total: 30.05 GBP
   *SUCCESSFUL
   <NewLine>
   Thank you
   2026-03-01 12:00:00 UTC
   Auth code: 204711
   <DoubleLineSeperator>
   CUSTOMER COPY
   Please keep this receipt"
  `);
});

describe('lines', () => {
  test('without a value are left out', () => {
    const bare = subject({
      heading: { ...HEADING, phoneNumber: null, site: '', table: null },
      approval: createApproval(gbp(2000), {
        aid: null,
        panSequence: null,
        cardProduct: null,
        authCode: '',
        merchantId: '',
      }),
      gratuity: null,
      cashback: gbp(0),
    });
    const text = printed(createReceipt('customer', bare).lines);
    for (const label of ['Table:', 'AID', 'PAN SEQ', 'Auth code', 'Merchant:', 'Gratuity', 'Cashback', 'null']) {
      expect(text).not.toContain(label);
    }
  });

  test('never show a whole card number, merchant number or TID', () => {
    const text = printed(createReceipt('merchant', subject({})).lines);
    for (const secret of [VISA.cardNumber, '44565300', '9000012345', '90000001']) expect(text).not.toContain(secret);
  });

  test.each<[string, Partial<ReceiptSubject>, readonly string[]]>([
    ['a refund', { kind: 'refund' }, ['REFUND', 'SUCCESSFUL']],
    ['a declined card', { isApproved: false }, ['SALE', 'DECLINED']],
    ['a hold', { kind: 'preAuthorisation' }, ['PRE-AUTHORISATION', 'SUCCESSFUL']],
    ['the completion of a hold', { kind: 'completion' }, ['COMPLETION', 'SUCCESSFUL']],
  ])('of %s contain it', (_, more, words) => {
    const text = printed(createReceipt('customer', subject(more)).lines);
    for (const word of words) expect(text).toContain(word);
  });

  test.each([
    [1250, 'JPY', 'Total: 1250 JPY'],
    [1250, 'KWD', 'Total: 1.250 KWD'],
    [125_000, 'HUF', 'Total: 1250.00 HUF'],
  ])('have the decimals of the currency: %d minor units of %s', (value, currencyCode, line) => {
    const text = printed(
      createReceipt('customer', subject({ amount: money(value, currencyCode), ...NO_EXTRAS })).lines,
    );
    expect(text.split('\n')).toContain(`*${line}`);
  });

  test('have the time of the location, with its offset', () => {
    const heading = { ...HEADING, timeZone: 'America/New_York' };
    expect(printed(createReceipt('customer', subject({ heading })).lines)).toContain('2026-03-01 07:00:00 UTC-05:00');
  });

  test('a declined card signs nothing', () => {
    const declined = subject({ isApproved: false, isSignatureWanted: true });
    expect(printed(createReceipt('merchant', declined).lines)).not.toContain('Signature');
  });

  test('are of the five kinds, and the total is large and bold', () => {
    const { lines } = createReceipt('merchant', subject({ isSignatureWanted: true }));
    for (const { lineType } of lines) expect(RECEIPT_LINE_TYPES).toContain(lineType);
    expect(lines.find(({ text }) => text?.value.startsWith('Total'))?.text).toEqual({
      value: 'Total: 30.05 GBP',
      size: 'SizeHeader1',
      align: 'AlignLeft',
      emphasisBold: true,
    });
  });
});

const NO_EXTRAS = { gratuity: null, cashback: null };

function subject(more: Partial<ReceiptSubject>): ReceiptSubject {
  return {
    heading: HEADING,
    approval: createApproval(gbp(3005)),
    isApproved: true,
    kind: 'sale',
    isSignatureWanted: false,
    sessionId: testId('terminalSession'),
    amount: gbp(2500),
    gratuity: gbp(500),
    cashback: gbp(5),
    ...more,
  };
}

function printed(lines: readonly ReceiptLine[]): string {
  return lines
    .map(({ lineType, text }) => (text ? `${text.emphasisBold ? '*' : ''}${text.value}` : `<${lineType}>`))
    .join('\n');
}
