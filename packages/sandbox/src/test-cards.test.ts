import { expect, test } from '@jest/globals';
import { CardNumber } from '@pos/core/card-number';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/test-numbers';
import { findTestCard } from './test-cards.js';

test.each(TEST_NUMBERS)('%s is a card of the sandbox', (number) => {
  expect(findTestCard(number)?.number).toBe(number);
  expect(CardNumber.read(number)).not.toBeNull();
});

test.each(EXAMPLE_NUMBERS)('%s is a number, and no card of the sandbox', (number) => {
  expect(findTestCard(number)).toBeNull();
  expect(CardNumber.read(number)).not.toBeNull();
});
