import { expect, test } from '@jest/globals';
import { NewPaymentIntent } from '../payment-intents/payment-intents.js';
import { findNearestName } from './nearest-name.js';
import { readBody } from '../parsing/reading.js';

const NAMES = ['amount', 'captureMode', 'tipsAmount', 'reference', 'autoExpireIn', 'id'];

test.each([
  ['captureMod', 'captureMode'],
  ['captuerMode', 'captureMode'],
  ['capture_mode', 'captureMode'],
  ['tipAmount', 'tipsAmount'],
  ['refernece', 'reference'],
  ['colour', null],
  ['ids', null],
  ['', null],
  ['x'.repeat(5_000), null],
])('%s is nearest to %s', (sent, name) => {
  expect(findNearestName(sent, NAMES)).toBe(name);
});

test('of two names that are as near none is obvious', () => {
  expect(findNearestName('address', ['address1', 'address2'])).toBeNull();
});

test('an unknown member of a body is returned with the name that was probably meant, at any depth', () => {
  const sent = { amount: { value: 1, currencyCode: 'GBP', valeu: 2 }, reference: 'r', captureMod: 'Manual', colour: 1 };
  expect(readBody(NewPaymentIntent, sent)).toMatchObject({
    unknown: ['captureMod', 'colour', 'amount.valeu'],
    suggestions: new Map([
      ['captureMod', 'captureMode'],
      ['amount.valeu', 'value'],
    ]),
  });
});
