import { expect, test } from '@jest/globals';
import { PROBLEM_REASONS } from '@pos/rest-contracts/problems';
import { PROBLEM_MESSAGES } from './problem-messages.js';

test.each(['en', 'de'] as const)('in %s every reason of the service has a text of whole sentences', (language) => {
  const texts = PROBLEM_MESSAGES[language];
  const wrong = PROBLEM_REASONS.filter((reason) => !/^[A-ZÄÖÜ][^`{}]{10,}[.]$/.test(texts[reason]));
  expect(wrong).toEqual([]);
});

test('the texts of the languages differ for every reason', () => {
  const { en, de } = PROBLEM_MESSAGES;
  expect(PROBLEM_REASONS.filter((reason) => en[reason] === de[reason])).toEqual([]);
});
