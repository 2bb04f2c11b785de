import { expect, test } from '@jest/globals';
import { createTranslate } from '@pos/web-ui/testing';
import { EPOS_MESSAGES } from './epos-messages.js';
import { summarizeUnreadable } from './unreadable-summary.js';

const QUANTITY = {
  element: '118',
  member: 'items[0].quantity',
  clause: 'schema.value',
  problem: 'is 0,5',
  skipped: false,
};
const TOTAL = {
  element: '119',
  member: 'totalAmount.value',
  clause: 'schema.value',
  problem: 'is missing',
  skipped: true,
};

test.each([
  ['all of which was read', [], null],
  ['with one odd member', [QUANTITY], 'Members that cannot be read: 1'],
  ['with a bill that is missing', [QUANTITY, TOTAL], 'Cannot be shown: 1'],
  ['with a bill that is missing for two reasons', [TOTAL, { ...TOTAL, member: 'id' }], 'Cannot be shown: 1'],
  ['with two bills that are missing', [TOTAL, { ...TOTAL, element: '120' }], 'Cannot be shown: 2'],
])('an answer %s has its sentence', (_, members, sentence) => {
  expect(summarizeUnreadable(members, createTranslate(EPOS_MESSAGES, 'en'))).toBe(sentence);
});
