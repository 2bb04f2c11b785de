import { expect, test } from '@jest/globals';
import { createTranslate } from '@pos/web-ui/testing';
import { MACHINE_TEXTS } from '../../messages/machine-texts.js';
import { MACHINE_TEXTS_GERMAN } from '../../messages/machine-texts-german.js';
import { listTableNotes } from './table-notes.js';

const catalogue = { en: MACHINE_TEXTS, de: MACHINE_TEXTS_GERMAN };

test.each([
  ['one bill that cannot be shown', { shown: 4, hidden: 1 }, '1 bill cannot be shown'],
  ['several', { shown: 4, hidden: 3 }, '3 bills cannot be shown'],
  // Somebody waits there, so the machine does not say that nobody does.
  ['no bill that can be shown', { shown: 0, hidden: 1 }, '1 bill cannot be shown'],
  ['no bill at all', { shown: 0, hidden: 0 }, 'Nobody is waiting to pay'],
])('with %s the waiter reads one sentence', (_, counts, sentence) => {
  expect(listTableNotes(counts, createTranslate(catalogue, 'en'))).toEqual([sentence]);
});

test('a list that has every bill needs no sentence', () => {
  expect(listTableNotes({ shown: 4, hidden: 0 }, createTranslate(catalogue, 'en'))).toEqual([]);
});

test('the sentence has a German form for one and for several', () => {
  const t = createTranslate(catalogue, 'de');
  expect(listTableNotes({ shown: 1, hidden: 1 }, t)).toEqual(['1 Rechnung kann nicht angezeigt werden']);
  expect(listTableNotes({ shown: 1, hidden: 2 }, t)).toEqual(['2 Rechnungen können nicht angezeigt werden']);
});
