import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { normalizeBody } from '../shapes/normal-form.js';
import { NewPaymentIntent } from '../payment-intents/payment-intents.js';
import { readBody, readQuery, type BodyResult } from './reading.js';
import { createTerminalSession } from '../terminal-sessions/terminal-sessions.js';
import { listTerminals } from '../accounts/terminals.js';
import { createSubscription } from '../webhooks/webhooks.js';

const GBP = { value: 1250, currencyCode: 'GBP' };
const NOT_AN_ADDRESS = 'Must be an absolute http or https address of at most 2048 characters.';
const CUSTOMER = 'cust_sandbox_AAAAAAAAAAAAAAAAAAAAAA';
const LEAST = { amount: GBP, reference: 'table 4' };

function errorsOf(reading: BodyResult<unknown>): Readonly<Record<string, readonly string[]>> {
  return reading.ok ? {} : reading.errors;
}

function getValue<T>(reading: BodyResult<T>): T {
  if (!reading.ok) throw new Error(`refused: ${JSON.stringify(reading.errors)}`);
  return reading.value;
}

describe('a payment intent may be requested', () => {
  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['as documented', LEAST, { amount: GBP, reference: 'table 4', captureMode: 'Auto', paymentMethods: ['Card'] }],
    ['with members in any case', { AMOUNT: { Value: 5, CURRENCYCODE: 'GBP' }, Reference: 'a' }, { amount: { value: 5, currencyCode: 'GBP' }, reference: 'a' }],
    ['with an amount that is text', { ...LEAST, amount: { value: '1000', currencyCode: 'gbp' } }, { amount: { value: 1000, currencyCode: 'GBP' } }],
    ['with a boolean that is text', { ...LEAST, cardHolderNotPresent: 'True' }, { cardHolderNotPresent: true }],
    ['with enums in any case', { ...LEAST, captureMode: 'MANUAL', paymentMethods: ['wallet', 'SAVEDCARD'] }, { captureMode: 'Manual', paymentMethods: ['Wallet', 'SavedCard'] }],
    ['with null for absent', { ...LEAST, description: null, customer: null, captureMode: null, itemLines: null, metadata: null }, { captureMode: 'Auto', itemLines: [], metadata: {} }],
    ['with unknown members', { ...LEAST, colour: 'blue' }, LEAST],
    ['with one member in two spellings that agree', { ...LEAST, Reference: 'table 4' }, { reference: 'table 4' }],
    ['with an amount in two spellings that agree', { ...LEAST, Amount: { CurrencyCode: 'GBP', Value: '1250' } }, LEAST],
    ['with null under another spelling', { ...LEAST, Reference: null, REFERENCE: null }, { reference: 'table 4' }],
    ['with null under the documented spelling', { amount: GBP, reference: null, Reference: 'table 4' }, { reference: 'table 4' }],
    ['with metadata left as sent', { ...LEAST, metadata: { Amount: 'x', n: null, deep: { A: 1 } } }, { metadata: { Amount: 'x', n: null, deep: { A: 1 } } }],
    ['with a timespan', { ...LEAST, AutoExpireIn: '1.00:00:30' }, { autoExpireIn: 86_430_000 }],
    ['with an offset', { ...LEAST, expireAt: '2026-03-01T12:00:00.123456789+01:00' }, { expireAt: new Date('2026-03-01T11:00:00.123Z') }],
    ['with customerId for id', { ...LEAST, customer: { CustomerID: CUSTOMER } }, { customer: { id: CUSTOMER } }],
    ['with both, when they agree', { ...LEAST, customer: { customerId: CUSTOMER, id: CUSTOMER } }, { customer: { id: CUSTOMER } }],
    ['with name for caption', { ...LEAST, itemLines: [{ name: 'Soup', amountTotal: GBP }] }, { itemLines: [{ caption: 'Soup', quantity: 1, amountTotal: GBP, modifiers: [] }] }],
    ['with MOTO for keyed entry', { ...LEAST, transactionSource: 'moto' }, { cardHolderNotPresent: true }],
    ['with another source, which has no effect', { ...LEAST, transactionSource: 'ECOM' }, { cardHolderNotPresent: false }],
    ['with a negative price on a line', { ...LEAST, itemLines: [{ amountTotal: { value: -5, currencyCode: 'GBP' } }] }, { itemLines: [{ quantity: 1, amountTotal: { value: -5, currencyCode: 'GBP' }, modifiers: [] }] }],
    ['with 60 emoji as reference', { ...LEAST, reference: '🍲'.repeat(60) }, { reference: '🍲'.repeat(60) }],
    [
      'with part of a config',
      { ...LEAST, config: { payment: { TipsAllowed: 'true' } } },
      {
        config: expect.objectContaining({
          payment: { customAmountAllowed: false, tipsAllowed: true, holdRaiseAllowed: false },
          details: { showTotal: false, showReference: false },
        }),
      },
    ],
  ])('%s', (_, sent, read) => {
    expect(getValue(readBody(NewPaymentIntent, sent))).toMatchObject(read);
  });
});

describe('a payment intent is refused, and every invalid member is named', () => {
  // oxfmt-ignore
  test.each<[string, unknown, Record<string, string[]>]>([
    ['nothing at all', undefined, { amount: ['Is required.'], reference: ['Is required.'] }],
    ['null', null, { amount: ['Is required.'], reference: ['Is required.'] }],
    ['a list', [LEAST], { body: ['Must be an object.'] }],
    ['a bare text', 'hello', { body: ['Must be an object.'] }],
    ['a required member that is null', { ...LEAST, reference: null }, { reference: ['Is required.'] }],
    ['an empty reference', { ...LEAST, reference: '' }, { reference: ['Must not be empty.'] }],
    ['61 characters', { ...LEAST, reference: 'x'.repeat(61) }, { reference: ['Must be at most 60 characters.'] }],
    ['a reference that is a number', { ...LEAST, reference: 4 }, { reference: ['Must be text.'] }],
    ['an amount without its parts', { ...LEAST, amount: {} }, { 'amount.value': ['Is required.'], 'amount.currencyCode': ['Is required.'] }],
    ['a bare amount', { ...LEAST, amount: 1250 }, { amount: ['Must be an object.'] }],
    ['nothing to pay', { ...LEAST, amount: { ...GBP, value: 0 } }, { 'amount.value': ['Must be at least 1.'] }],
    ['less than nothing', { ...LEAST, amount: { ...GBP, value: -1 } }, { 'amount.value': ['Must be at least 1.'] }],
    ['more than a card message holds', { ...LEAST, amount: { ...GBP, value: 1_000_000_000_000 } }, { 'amount.value': ['Must be at most 999999999999.'] }],
    ['a fraction', { ...LEAST, amount: { ...GBP, value: 12.5 } }, { 'amount.value': ['Must be a whole number.'] }],
    ['a fraction as text', { ...LEAST, amount: { ...GBP, value: '12.5' } }, { 'amount.value': ['Must be a whole number.'] }],
    ['a fraction of nothing as text', { ...LEAST, amount: { ...GBP, value: '10.00' } }, { 'amount.value': ['Must be a whole number.'] }],
    ['a fraction without digits behind its point', { ...LEAST, amount: { ...GBP, value: '10.' } }, { 'amount.value': ['Must be a number.'] }],
    ['a fraction without digits before its point', { ...LEAST, amount: { ...GBP, value: '.5' } }, { 'amount.value': ['Must be a number.'] }],
    ['a comma for the point', { ...LEAST, amount: { ...GBP, value: '10,00' } }, { 'amount.value': ['Must be a number.'] }],
    ['a plus sign', { ...LEAST, amount: { ...GBP, value: '+10' } }, { 'amount.value': ['Must be a number.'] }],
    ['two signs', { ...LEAST, itemLines: [{ amountTotal: { ...GBP, value: '--10' } }] }, { 'itemLines[0].amountTotal.value': ['Must be a number.'] }],
    ['a blank behind the sign', { ...LEAST, itemLines: [{ amountTotal: { ...GBP, value: '- 10' } }] }, { 'itemLines[0].amountTotal.value': ['Must be a number.'] }],
    ['an amount with a blank at its end', { ...LEAST, amount: { ...GBP, value: '12 ' } }, { 'amount.value': ['Must be a number.'] }],
    ['an amount with a line end', { ...LEAST, amount: { ...GBP, value: '12\n' } }, { 'amount.value': ['Must be a number.'] }],
    ['an amount in octal', { ...LEAST, amount: { ...GBP, value: '0o17' } }, { 'amount.value': ['Must be a number.'] }],
    ['digits of another alphabet', { ...LEAST, amount: { ...GBP, value: '\u0661\u0662' } }, { 'amount.value': ['Must be a number.'] }],
    ['digits with a separator', { ...LEAST, amount: { ...GBP, value: '1_000' } }, { 'amount.value': ['Must be a number.'] }],
    ['a whole number above the safe integers, as text', { ...LEAST, amount: { ...GBP, value: '9007199254740993' } }, { 'amount.value': ['Must be at most 9007199254740991.', 'Must be at most 999999999999.'] }],
    ['a fraction of nothing in a tip', { ...LEAST, tipsAmount: { ...GBP, value: '0.0' } }, { 'tipsAmount.value': ['Must be a whole number.'] }],
    ['a fraction of nothing on a line', { ...LEAST, itemLines: [{ quantity: '2.0', amountTotal: GBP }] }, { 'itemLines[0].quantity': ['Must be a whole number.'] }],
    ['an amount with blanks', { ...LEAST, amount: { ...GBP, value: ' 12' } }, { 'amount.value': ['Must be a number.'] }],
    ['an amount in hexadecimal', { ...LEAST, amount: { ...GBP, value: '0x10' } }, { 'amount.value': ['Must be a number.'] }],
    ['an amount with an exponent as text', { ...LEAST, amount: { ...GBP, value: '1e3' } }, { 'amount.value': ['Must be a number.'] }],
    ['an empty amount', { ...LEAST, amount: { ...GBP, value: '' } }, { 'amount.value': ['Must be a number.'] }],
    ['a list for an amount', { ...LEAST, amount: { ...GBP, value: [1] } }, { 'amount.value': ['Must be a number.'] }],
    ['an object for an amount', { ...LEAST, amount: { ...GBP, value: { v: 1 } } }, { 'amount.value': ['Must be a number.'] }],
    ['a boolean for an amount', { ...LEAST, amount: { ...GBP, value: true } }, { 'amount.value': ['Must be a number.'] }],
    ['no currency', { ...LEAST, amount: { value: 5, currencyCode: 'POUND' } }, { 'amount.currencyCode': ['Must be an ISO 4217 code of three letters.'] }],
    ['an unknown mode', { ...LEAST, captureMode: 'Later' }, { captureMode: ['Must be one of Auto, Manual.'] }],
    ['no payment method', { ...LEAST, paymentMethods: [] }, { paymentMethods: ['Must have at least 1 element.'] }],
    ['one unknown method', { ...LEAST, paymentMethods: ['Card', 'Cash'] }, { 'paymentMethods[1]': ['Must be one of Card, Wallet, SavedCard.'] }],
    ['an invalid day', { ...LEAST, expireAt: '2026-02-30T12:00:00Z' }, { expireAt: ['Must be an ISO 8601 timestamp with an offset or Z.'] }],
    ['a moment without a zone', { ...LEAST, expireAt: '2026-02-28T12:00:00' }, { expireAt: ['Must be an ISO 8601 timestamp with an offset or Z.'] }],
    ['a duration', { ...LEAST, autoExpireIn: 'PT1H' }, { autoExpireIn: ['Must be a timespan as hh:mm:ss or d.hh:mm:ss.'] }],
    ['a word for a boolean', { ...LEAST, cardHolderNotPresent: 'yes' }, { cardHolderNotPresent: ['Must be true or false.'] }],
    ['one for a boolean', { ...LEAST, cardHolderNotPresent: 1 }, { cardHolderNotPresent: ['Must be true or false.'] }],
    ['metadata that is text', { ...LEAST, metadata: 'x' }, { metadata: ['Must be an object.'] }],
    ['an address without a country', { ...LEAST, billingAddress: { city: 'Bath' } }, { 'billingAddress.countryCode': ['Is required.'] }],
    ['a script as link', { ...LEAST, config: { redirectUrl: 'javascript:alert(1)' } }, { 'config.redirectUrl': [NOT_AN_ADDRESS] }],
    ['a link with half of an escape', { ...LEAST, config: { redirectUrl: 'https://example.com/%zz' } }, { 'config.redirectUrl': [NOT_AN_ADDRESS] }],
    ['a link with a letter that is not escaped', { ...LEAST, config: { redirectUrl: 'https://example.com/café' } }, { 'config.redirectUrl': [NOT_AN_ADDRESS] }],
    ['a link with two fragments', { ...LEAST, config: { redirectUrl: 'https://example.com/#a#b' } }, { 'config.redirectUrl': [NOT_AN_ADDRESS] }],
    ['a link without its slashes', { ...LEAST, config: { redirectUrl: 'https:example.com' } }, { 'config.redirectUrl': [NOT_AN_ADDRESS] }],
    ['a link with a password', { ...LEAST, config: { cancelUrl: 'https://me:pw@example.com/' } }, { 'config.cancelUrl': [NOT_AN_ADDRESS] }],
    ['synonyms that disagree', { ...LEAST, customer: { id: CUSTOMER, customerId: 'b' } }, { 'customer.id': ['Is sent twice with different values.'] }],
    ['caption and name that disagree', { ...LEAST, itemLines: [{ caption: 'a', name: 'b', amountTotal: GBP }] }, { 'itemLines[0].caption': ['Is sent twice with different values.'] }],
    ['MOTO with the cardholder present', { ...LEAST, cardHolderNotPresent: false, transactionSource: 'MOTO' }, { cardHolderNotPresent: ['Is sent twice with different values.'] }],
    ['the documented spelling and another that disagree', { ...LEAST, Reference: 'table 5' }, { reference: ['Is sent twice with different values.'] }],
    ['two amounts, of which one is spelled as documented', { ...LEAST, Amount: { ...GBP, value: 1 } }, { amount: ['Is sent twice with different values.'] }],
    ['the documented spelling last, and another amount', { Amount: { ...GBP, value: 1 }, ...LEAST }, { amount: ['Is sent twice with different values.'] }],
    ['two values within one amount', { ...LEAST, amount: { ...GBP, Value: 1 } }, { 'amount.value': ['Is sent twice with different values.'] }],
    ['one member in two spellings that disagree', { amount: GBP, Reference: 'a', REFERENCE: 'b' }, { reference: ['Is sent twice with different values.'] }],
    [
      'many violations at once',
      { reference: '', captureMode: 'x', itemLines: [{}] },
      {
        amount: ['Is required.'],
        reference: ['Must not be empty.'],
        captureMode: ['Must be one of Auto, Manual.'],
        'itemLines[0].amountTotal': ['Is required.'],
      },
    ],
  ])('%s', (_, sent, errors) => {
    expect(errorsOf(readBody(NewPaymentIntent, sent))).toEqual(errors);
  });

  test('the refusal of a body with many violations names at most a hundred', () => {
    const itemLines = Array.from({ length: 900 }, () => ({}));
    expect(Object.keys(errorsOf(readBody(NewPaymentIntent, { ...LEAST, itemLines })))).toHaveLength(100);
  });
});

describe('a session of a card machine', () => {
  const { body } = createTerminalSession;
  const sale = { terminalId: 'tm', details: { sessionType: 'Sale', sale: { paymentIntentId: 'pi' } } };
  const refund = {
    terminalId: 'tm',
    details: { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId: 'pi', amount: GBP } },
  };
  const unlinked = {
    terminalId: 'tm',
    details: { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP, cardholderNotPresent: false } },
  };

  // oxfmt-ignore

  test.each<[string, unknown, unknown]>([
    ['nested', sale, sale],
    ['flat', { terminalId: 'tm', sessionType: 'Sale', paymentIntentId: 'pi' }, sale],
    ['flat in any case', { TerminalID: 'tm', SESSIONTYPE: 'sale', PaymentIntentId: 'pi' }, sale],
    ['nested in any case', { terminalId: 'tm', Details: { SessionType: 'SALE', Sale: { PAYMENTINTENTID: 'pi' } } }, sale],
    ['in both forms that agree', { ...sale, sessionType: 'Sale', paymentIntentId: 'pi' }, sale],
    ['half flat', { terminalId: 'tm', sessionType: 'Sale', Details: { Sale: { paymentIntentId: 'pi' } } }, sale],
    [
      'a refund, flat',
      {
        terminalId: 'tm',
        sessionType: 'MatchedRefund',
        paymentIntentId: 'pi',
        amount: { value: '1250', currencyCode: 'gbp' },
      },
      refund,
    ],
    ['an unlinked refund, flat', { terminalId: 'tm', sessionType: 'unlinkedrefund', amount: GBP }, unlinked],
    ['an amount in both spellings of one value', { ...unlinked, amount: { Value: '1250', currencyCode: 'GBP' } }, unlinked],
  ])('is read %s', (_, sent, read) => {
    expect(getValue(readBody(body, sent))).toEqual(read);
  });

  // oxfmt-ignore

  test.each<[string, unknown, Record<string, string[]>]>([
    ['without details', { terminalId: 'tm' }, { details: ['Is required.'] }],
    ['without a type', { terminalId: 'tm', details: {} }, { 'details.sessionType': ['Is required.'] }],
    ['of an unknown type', { terminalId: 'tm', sessionType: 'Gift' }, { sessionType: ['Must be one of Sale, MatchedRefund, UnlinkedRefund.'] }],
    ['without its intent', { terminalId: 'tm', sessionType: 'Sale' }, { paymentIntentId: ['Is required.'] }],
    ['with an empty sale', { terminalId: 'tm', details: { sessionType: 'Sale', sale: {} } }, { 'details.sale.paymentIntentId': ['Is required.'] }],
    ['with the member of another theme', { terminalId: 'tm', details: { sessionType: 'Sale', matchedRefund: { paymentIntentId: 'pi' } } }, { 'details.sale': ['Is required.'], 'details.matchedRefund': ['Must be absent.'] }],
    ['with two themes', { ...sale, details: { ...sale.details, unlinkedRefund: { amount: GBP } } }, { 'details.unlinkedRefund': ['Must be absent.'] }],
    ['with two types', { ...sale, sessionType: 'MatchedRefund' }, { 'details.sessionType': ['Is sent twice with different values.'] }],
    ['with two intents', { ...sale, paymentIntentId: 'other' }, { 'details.sale.paymentIntentId': ['Is sent twice with different values.'] }],
    ['with two amounts', { ...refund, amount: { value: 1, currencyCode: 'GBP' } }, { 'details.matchedRefund.amount': ['Is sent twice with different values.'] }],
    ['unlinked, yet with an intent', { terminalId: 'tm', sessionType: 'UnlinkedRefund', amount: GBP, paymentIntentId: 'pi' }, { paymentIntentId: ['Does not belong to an UnlinkedRefund.'] }],
    ['with details that are text', { terminalId: 'tm', sessionType: 'Sale', details: 'x' }, expect.anything() as never],
  ])('is refused %s', (_, sent, errors) => {
    expect(readBody(body, sent).ok).toBe(false);
    expect(errorsOf(readBody(body, sent))).toMatchObject(errors);
  });
});

describe('a subscription', () => {
  const { body } = createSubscription;
  const url = 'https://example.com/hook';

  test('names each kind once, in the documented spelling', () => {
    const sent = { events: ['PAYMENT_INTENT.created', 'payment_intent.created'], url };
    expect(getValue(readBody(body, sent)).events).toEqual(['payment_intent.created']);
  });

  // oxfmt-ignore

  test.each<[string, unknown, string]>([
    ['no kind', { events: [], url }, 'events'],
    ['an unknown kind', { events: ['payment_intent.created', 'payment_intent.lost'], url }, 'events'],
    ['another scheme', { events: ['payment_intent.created'], url: 'ftp://example.com' }, 'url'],
    ['an invalid address', { events: ['payment_intent.created'], url: 'example.com' }, 'url'],
    ['credentials in the address', { events: ['payment_intent.created'], url: 'https://a:b@example.com' }, 'url'],
    ['an address that never ends', { events: ['payment_intent.created'], url: `${url}/${'x'.repeat(2048)}` }, 'url'],
    ['a long description', { events: ['payment_intent.created'], url, description: 'x'.repeat(256) }, 'description'],
  ])('is refused with %s', (_, sent, member) => {
    expect(Object.keys(errorsOf(readBody(body, sent)))).toEqual([member]);
  });
});

describe('a query', () => {
  const { query } = listTerminals;

  // oxfmt-ignore

  test.each([
    ['statuses=Available&statuses=offline', ['Available', 'Offline']],
    ['statuses=available,INUSE', ['Available', 'InUse']],
    ['Statuses=Offline', ['Offline']],
    ['colour=blue', []],
    ['statuses=', []],
    ['', []],
  ])('lists may be repeated or separated by commas: %s', (sent, statuses) => {
    expect(getValue(readQuery(query, new URLSearchParams(sent)))).toEqual({ statuses });
  });

  // oxfmt-ignore

  test.each([
    ['statuses=Broken', 'statuses[0]'],
    ['statuses=Available,Broken', 'statuses[1]'],
  ])('is refused: %s', (sent, member) => {
    expect(Object.keys(errorsOf(readQuery(query, new URLSearchParams(sent))))).toEqual([member]);
  });

  const flags = z.object({ deep: z.boolean().default(false), limit: z.int().max(5).optional() });

  // oxfmt-ignore

  test.each([
    ['deep=TRUE&limit=5', { deep: true, limit: 5 }],
    ['DEEP=false', { deep: false }],
    ['deep=true&deep=true', { deep: true }],
  ])('members are read as text: %s', (sent, read) => {
    expect(getValue(readQuery(flags, new URLSearchParams(sent)))).toEqual(read);
  });

  // oxfmt-ignore

  test.each([
    ['deep=yes', ['deep']],
    ['deep=true&deep=false', ['deep']],
    ['deep=', ['deep']],
    ['limit=6&deep=maybe', ['deep', 'limit']],
    ['limit=1,2', ['limit']],
    ['limit=5.0', ['limit']],
    ['limit=%2B5', ['limit']],
    ['limit=5e0', ['limit']],
    ['limit=0x5', ['limit']],
    ['limit=%205', ['limit']],
  ])('is refused: %s', (sent, members) => {
    expect(Object.keys(errorsOf(readQuery(flags, new URLSearchParams(sent)))).sort()).toEqual(members);
  });
});

describe('any body', () => {
  /** A random variant of a valid body: member names and enum values in another case, numbers and booleans as text. */
  function disguised(value: unknown, coin: () => boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => disguised(item, coin));
    if (typeof value === 'number' || typeof value === 'boolean') return coin() ? String(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        coin() ? name.toUpperCase() : name,
        name === 'metadata' ? member : disguised(member, coin),
      ]),
    );
  }

  const amount = fc.record({
    value: fc.integer({ min: 1, max: 999_999_999_999 }),
    currencyCode: fc.constantFrom('GBP', 'EUR'),
  });
  const body = fc.record(
    {
      amount,
      reference: fc.string({ minLength: 1, maxLength: 60 }),
      captureMode: fc.constantFrom('Auto', 'Manual'),
      cardHolderNotPresent: fc.boolean(),
      metadata: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fc.jsonValue()),
      itemLines: fc.array(
        fc.record({
          caption: fc.string({ maxLength: 100 }),
          quantity: fc.integer({ min: -9, max: 9 }),
          amountTotal: amount,
        }),
        { maxLength: 3 },
      ),
      config: fc.record({ payment: fc.record({ tipsAllowed: fc.boolean() }) }),
    },
    { requiredKeys: ['amount', 'reference'] },
  );

  test('in a variant spelling is read as the plain one', () => {
    fc.assert(
      fc.property(body, fc.infiniteStream(fc.boolean()), (plain, coins) => {
        const coin = (): boolean => coins.next().value === true;
        expect(readBody(NewPaymentIntent, disguised(plain, coin))).toEqual(readBody(NewPaymentIntent, plain));
      }),
    );
  });

  test('is read or refused with a message, and never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (sent) => {
        const reading = readBody(NewPaymentIntent, sent);
        if (!reading.ok) expect(Object.values(reading.errors).every((messages) => messages.length > 0)).toBe(true);
      }),
    );
  });

  test('has the same normal form after a second normalisation', () => {
    const wild = fc.record(
      {
        Amount: fc.jsonValue(),
        amount: fc.jsonValue(),
        customer: fc.jsonValue(),
        captureMode: fc.constantFrom('AUTO', 'x', null, 3),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), wild, body), (sent) => {
        const once = normalizeBody(NewPaymentIntent, sent).value;
        expect(normalizeBody(NewPaymentIntent, once).value).toEqual(once);
      }),
    );
  });
});
