import { expect, test } from '@jest/globals';
import { CardNumber, EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/cards';
import { findTestCard, createFreshNumber } from './test-cards.js';

test.each(TEST_NUMBERS)('%s is a card of the sandbox', (number) => {
  expect(findTestCard(number)?.number).toBe(number);
  expect(CardNumber.read(number)).not.toBeNull();
});

test.each(EXAMPLE_NUMBERS)('%s is a number, and no card of the sandbox', (number) => {
  expect(findTestCard(number)).toBeNull();
  expect(CardNumber.read(number)).not.toBeNull();
});

test.each([
  ['4456530000091014', 'Approve'],
  ['4456530000001013', 'Decline'],
  ['4456530000001096', 'Challenge'],
] as const)('a fresh number similar to %s behaves like it: %s, with its own CV2', (similarTo, behaviour) => {
  for (const chance of [0, 0.123_45, 0.999_99]) {
    const number = createFreshNumber(similarTo, chance);
    expect(CardNumber.read(number)?.scheme).toBe('VISA');
    expect(findTestCard(number)).toMatchObject({ number, behaviour, cv2: number.slice(10, 13) });
  }
});

test.each([
  ['with a wrong check digit', '4456537707123454'],
  ['similar to a card that is not a Visa', createFreshNumber('5200000000001005', 0.5)],
  ['similar to no card', '4456537799000004'],
])('a fresh number %s is not a card of the sandbox', (_, number) => {
  expect(findTestCard(number)).toBeNull();
});
