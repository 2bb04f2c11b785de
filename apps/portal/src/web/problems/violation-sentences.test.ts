import { expect, test } from '@jest/globals';
import { ACCOUNT_SETTING_FIELDS } from '@pos/core/accounts';
import { findPasswordFaults } from '@pos/core/identity';
import { createApiKey } from '@pos/rest-contracts/accounts';
import type { Operation } from '@pos/rest-contracts/operation';
import { readBody } from '@pos/rest-contracts/parsing';
import { createPaymentIntent, refundPaymentIntent, sendReceipt } from '@pos/rest-contracts/payment-intents';
import { createAdministeredAccount, createPaymentView } from '@pos/rest-contracts/portal';
import { createSetupIntent } from '@pos/rest-contracts/setup-intents';
import { createDeliveryLink, createSubscription } from '@pos/rest-contracts/webhooks';
import { z } from 'zod';
import { translateViolation } from './violation-sentences.js';

const CARD = '4929 4212 3460 0821';
const MONEY = { value: 0, currencyCode: 'GB' };

// What people can enter wrongly in the forms of the portal.
const REFUSED: readonly (readonly [form: string, operation: Operation, body: object])[] = [
  ['a payment link without anything', createPaymentIntent, {}],
  ['a payment link with a wrong amount', createPaymentIntent, { amount: MONEY, reference: 'x'.repeat(500) }],
  ['a payment link with a card number', createPaymentIntent, { reference: CARD, description: `${CARD} 123` }],
  ['a refund of nothing', refundPaymentIntent, { amount: 0, refundReason: 'x'.repeat(5000) }],
  ['a refund of half a penny', refundPaymentIntent, { amount: 1.5 }],
  ['a receipt for no address', sendReceipt, { emails: ['nobody'] }],
  ['a receipt for nobody', sendReceipt, { emails: [] }],
  ['a subscription with a bad address', createSubscription, { url: 'shop', events: [] }],
  ['a subscription to an unknown event', createSubscription, { url: 'https://shop.example', events: ['x'] }],
  ['a link for a page with a path', createDeliveryLink, { frameAncestors: ['https://shop.example/pay'] }],
  ['a key without a label', createApiKey, { label: '', role: 'full' }],
  ['a key with a role that does not exist', createApiKey, { label: 'x'.repeat(200), role: 'boss' }],
  ['a setup intent without terms', createSetupIntent, { intendedAmount: MONEY, reference: '' }],
  ['an account in no zone', createAdministeredAccount, { name: '', currencies: ['pound'], timeZone: 'BST' }],
  ['a view without a name', createPaymentView, { name: '', filter: { from: 'today' } }],
];

test.each(REFUSED)('a German page has a German text for each violation of %s', (_, operation, body) => {
  const read = readBody(operation.body ?? z.never(), body);
  const sentences = read.ok ? [] : Object.values(read.errors).flat();
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.filter((sentence) => translateViolation(sentence, 'de') === null)).toEqual([]);
});

// Operators set the others by a command, and not in the portal.
const SETTINGS = Object.entries(ACCOUNT_SETTING_FIELDS).filter(
  ([name]) => !/^(?:cardA|acquirer\.|merchantIds)/.test(name),
);

test.each(SETTINGS)('a German page has a German text for a wrong %s', (_, field) => {
  const problem = field.findProblem({ of: 'another kind' });
  expect(problem).not.toBeNull();
  expect(translateViolation(`must ${problem ?? ''}`, 'de')).not.toBeNull();
});

test.each([
  ['at most 1250 can be refunded', 'At most 1250 can be refunded.', 'Das ist mehr, als noch möglich ist.'],
  ['must be in the future', 'Must be in the future.', 'Muss in der Zukunft liegen.'],
  ['Must be at most 35 characters.', 'Must be at most 35 characters.', 'Darf höchstens 35 Zeichen haben.'],
  ['must be between 1 and 99', 'Must be between 1 and 99.', 'Muss zwischen 1 und 99 liegen.'],
  ['Is never called: only https is called.', null, 'Der Dienst ruft nur https-Adressen auf.'],
  ['has a form that no release has today', null, null],
])('%s', (sentence, english, german) => {
  if (english !== null) expect(translateViolation(sentence, 'en')).toBe(english);
  expect(translateViolation(sentence, 'de')).toBe(german);
});

test.each([
  [
    'a short password of digits',
    '842605',
    ['Muss 12 bis 200 Zeichen haben.', 'Muss einen Buchstaben und eine Ziffer haben.'],
  ],
  ['few characters', 'k7xk77xkkx7k', ['Muss mindestens 5 verschiedene Zeichen haben.']],
  ['a common password', 'hunter2026!!', ['Ist ein häufiges Passwort, oder eines mit ein paar Zeichen mehr.']],
  ['a sequence', '123456789012a', ['Darf nicht größtenteils eine Folge oder Wiederholung sein.']],
  ['the own name', 'ann örtlund 7', ['Darf weder Ihren Namen noch Ihre E-Mail-Adresse enthalten.']],
  ['the service', 'the portal 77', ['Darf den Namen des Dienstes nicht enthalten.']],
])('a German page says what is wrong with %s', (_, password, german) => {
  const owner = { email: 'ann@corner.example', name: 'Ann Örtlund' };
  const faults = findPasswordFaults(password, owner, new Set(['hunter']));
  expect(faults.map((each) => translateViolation(each, 'de'))).toEqual(german);
});
