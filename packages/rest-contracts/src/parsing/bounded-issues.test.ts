import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { findTooManyIssues } from './bounded-issues.js';
import { payByCard } from '../card-vault/client-payments.js';
import { createPaymentIntent, searchPaymentIntents } from '../payment-intents/payment-intent-operations.js';
import { readBody } from './reading.js';

const PAYABLE = { amount: { value: 1, currencyCode: 'GBP' }, reference: 'a' };

describe('a body with more violations than are named', () => {
  test('is checked only up to the hundredth violation', () => {
    let checked = 0;
    const Counted = z.object({
      lines: z.array(
        z.object({
          name: z.string().check(() => {
            checked += 1;
          }),
          value: z.number(),
        }),
      ),
    });
    const body = { lines: Array.from({ length: 20_000 }, () => ({ name: 'a' })) };
    const reading = readBody(Counted, body);
    expect(reading.ok).toBe(false);
    expect(checked).toBe(100);
  });

  test.each([
    [
      'itemLines',
      { ...PAYABLE, itemLines: Array.from({ length: 60 }, () => ({ modifiers: new Array(320).fill({}) })) },
    ],
    ['taxLines', { ...PAYABLE, taxLines: new Array(1000).fill({}) }],
    [
      'metadata',
      { ...PAYABLE, metadata: Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 'aaaaaaaaaa'])) },
    ],
  ])('names at most a hundred of them: %s', (member, body) => {
    const reading = readBody(createPaymentIntent.body, body);
    expect(reading.ok).toBe(false);
    const names = reading.ok ? [] : Object.keys(reading.errors);
    expect(names.length).toBeLessThanOrEqual(100);
    expect(names.every((name) => name.startsWith(member))).toBe(true);
  });

  test('keeps the order and the paths of the violations', () => {
    const List = z.object({ list: z.array(z.object({ id: z.string() })) });
    const issues = findTooManyIssues(List, { list: new Array(500).fill({}) }, 3);
    expect(issues.map(({ path }) => path)).toEqual([
      ['list', 0, 'id'],
      ['list', 1, 'id'],
      ['list', 2, 'id'],
    ]);
  });

  test('a large value with fewer violations is left to its schema', () => {
    const list = Array.from({ length: 500 }, (_, at) => (at < 99 ? {} : { id: 'a' }));
    expect(findTooManyIssues(z.array(z.object({ id: z.string() })), list, 100)).toEqual([]);
  });
});

describe('a list that is too long', () => {
  test.each([
    ['paymentMethods', createPaymentIntent.body, { ...PAYABLE, paymentMethods: new Array(5000).fill('x') }],
    ['itemLines', createPaymentIntent.body, { ...PAYABLE, itemLines: new Array(1001).fill({}) }],
    ['taxLines', createPaymentIntent.body, { ...PAYABLE, taxLines: new Array(1001).fill(7) }],
    ['statuses', searchPaymentIntents.body, { statuses: new Array(5000).fill('x') }],
  ])('is refused by its length alone: %s', (member, schema, body) => {
    const reading = readBody(schema, body);
    expect(reading.ok ? {} : reading.errors).toEqual({
      [member]: [expect.stringMatching(/^Must have at most \d+ elements\.$/)],
    });
  });

  test('its elements are not read', () => {
    let checked = 0;
    const element = z.string().check(() => {
      checked += 1;
    });
    expect(readBody(z.object({ list: z.array(element).min(1).max(3) }), { list: ['a', 'b', 'c', 'd'] })).toEqual({
      ok: false,
      errors: { list: ['Must have at most 3 elements.'] },
    });
    expect(checked).toBe(0);
  });
});

test("a payer's metaData is refused by its size before its members are checked", () => {
  const metaData = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, '4111 1111 1111 1111']));
  const card = { cardNumber: '4111111111111111', cardName: 'A', expiryDate: '12/32', cV2: '020' };
  const reading = readBody(payByCard.body, { ...card, metaData });
  expect(reading.ok ? {} : reading.errors).toEqual({ metaData: ['Must be at most 16384 bytes of JSON.'] });
});

test('of many spellings of a member, only the first difference is reported', () => {
  const spellings = Array.from({ length: 512 }, (_, bits) =>
    Array.from('reference', (letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  const body = { ...PAYABLE, ...Object.fromEntries(spellings.map((name, at) => [name, at])) };
  const reading = readBody(createPaymentIntent.body, body);
  expect(reading.ok ? {} : reading.errors).toMatchObject({
    reference: expect.arrayContaining(['Is sent twice with different values.']),
  });
});
