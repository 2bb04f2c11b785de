import { expect, test } from '@jest/globals';
import { listPlaceholders } from '@pos/web-ui/testing';
import { EPOS_TEXTS } from './epos-texts.js';
import { EPOS_TEXTS_GERMAN } from './epos-texts-german.js';
import { GUEST_TEXTS } from './guest-texts.js';
import { GUEST_TEXTS_GERMAN } from './guest-texts-german.js';
import { MACHINE_TEXTS } from './machine-texts.js';
import { MACHINE_TEXTS_GERMAN } from './machine-texts-german.js';
import { START_TEXTS } from './start-texts.js';
import { START_TEXTS_GERMAN } from './start-texts-german.js';

test.each([
  ['the machine', MACHINE_TEXTS, MACHINE_TEXTS_GERMAN],
  ['the kitchen', EPOS_TEXTS, EPOS_TEXTS_GERMAN],
  ['a payer', GUEST_TEXTS, GUEST_TEXTS_GERMAN],
  ['the start', START_TEXTS, START_TEXTS_GERMAN],
])('the German page of %s has the same texts, with the same placeholders', (_, english, german) => {
  const list = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts)
      .map(([key, text]) => [key, ...listPlaceholders(text)].join(' '))
      .sort();
  expect(list(german)).toEqual(list(english));
  expect(Object.values<string>(german).filter((text) => text.trim() === '')).toEqual([]);
});
