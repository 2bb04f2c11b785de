import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  CLIENT_SECRET,
  CUSTOMER_SECRET,
  FOUND_LEAKS,
  KEY,
  KNOWN,
  NOT_FOUND,
  SHORT,
  STRANGER,
} from '../testing/leak-rows.js';
import { LeakScan } from './leak-scan.js';
import {
  createCv2MessageShapes,
  createExactShape,
  isPublishing,
  createNumberShapes,
  createOwnNumberShapes,
  createSecretShapes,
  createTextShapes,
} from './leak-shapes.js';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '../cards/test-card-numbers.js';

const NUMBERS = [...TEST_NUMBERS, ...EXAMPLE_NUMBERS];
const scan = new LeakScan([...createNumberShapes(NUMBERS), ...createCv2MessageShapes(), ...createSecretShapes()]);
/** A number with a valid check digit. */
const SPREAD = '5200000000000056';
const formsIn = (bytes: string | Buffer): string[] =>
  scan.find(Buffer.from(bytes)).map(({ kind, form }) => `${kind} ${form}`);

test.each(FOUND_LEAKS)('%s is found', (_, bytes, form) => {
  expect(formsIn(bytes)).toContain(form);
});

test.each(NOT_FOUND)('%s is not taken for a leak', (_, bytes) => {
  expect(formsIn(bytes)).toEqual([]);
});

test.each(['.', '_', '/'])('the groups of a card are found with %j between them, and nothing else is', (between) => {
  const [one, two] = [`5200${between}0000${between}0000${between}0056`, `3740${between}000000${between}09108`];
  for (const written of [one, two, Buffer.from(one, 'utf16le'), Buffer.from(`ab${one}`).toString('base64')]) {
    expect(formsIn(written)).toHaveLength(1);
  }
  expect(formsIn(`${one}${between}12${between}32`)).toEqual(['card number plain']);
  expect(formsIn(`${KNOWN}${between}5`)).toEqual(['card number plain']);
  // An amount, a path and a version, which contain the digits of a number in a row.
  for (const lead of [4, 8, 9, 14]) {
    expect(formsIn(`${SPREAD.slice(0, lead)}${between}${SPREAD.slice(lead)}`)).toEqual([]);
  }
});

test.each(NUMBERS)('%s is found among other numbers, in text and, where that is distinctive, packed', (number) => {
  const packed = Buffer.from(number.padEnd(16, 'f'), 'hex');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (before, after) => {
      for (const form of [Buffer.from(number), ...(isPublishing(packed) ? [packed] : [])]) {
        const leaks = scan.find(Buffer.concat([before, form, after]));
        expect(leaks.map(({ at }) => at)).toContain(before.length);
      }
    }),
    { numRuns: 20 },
  );
});

test('base64 reveals a number regardless of the text around it', () => {
  const around = fc.string({ unit: fc.constantFrom(...Array.from('ab {":,')), maxLength: 12 });
  fc.assert(
    fc.property(
      around,
      around,
      fc.constantFrom(KNOWN, STRANGER, SHORT, '5200 0000 0000 1005'),
      (before, after, number) => {
        const written = Buffer.from(`${before}${number}${after} ends here`).toString('base64');
        expect(formsIn(written)).toContain('card number base64');
      },
    ),
  );
});

test.each([
  ['Apple Pay', '{"version":"EC_v1","data":"x","header":{"ephemeralPublicKey":"MFkw","transactionId":"1"}}'],
  [
    'Google Pay',
    '{"protocolVersion":"ECv2","signedMessage":"{\\"encryptedMessage\\":\\"x\\",\\"ephemeralPublicKey\\":\\"y\\"}"}',
  ],
])('the encrypted token of %s is found, in text, in UTF-16 and in base64', (_, token) => {
  for (const bytes of [Buffer.from(token), Buffer.from(token, 'utf16le'), Buffer.from(btoa(token))]) {
    expect(scan.find(bytes).map(({ kind }) => kind)).toEqual(['wallet token']);
  }
});

test('a registered secret is found as it is, in UTF-16 and in base64', () => {
  const registered = new LeakScan(createTextShapes('webhook secret', 'hunter2hunter2'));
  for (const lead of ['', 'a', 'ab', 'abc']) {
    const text = `${lead}hunter2hunter2 ends`;
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(btoa(text))]) {
      expect(registered.find(bytes)).toHaveLength(1);
    }
  }
  expect(registered.find(Buffer.from(btoa('hunter3hunter3')))).toEqual([]);
});

test('where other numbers are allowed, one number is found in all its forms and no other', () => {
  const own = new LeakScan(createOwnNumberShapes([KNOWN]));
  expect(own.find(Buffer.from([STRANGER, SHORT, '5200-0000-0000-0056'].join()))).toEqual([]);
  for (const form of [KNOWN, '4456 5300 0009 1014', '4456-5300-0009-1014']) {
    expect(own.find(Buffer.from(form)).map(({ form }) => form)).toEqual(['plain']);
    expect(own.find(Buffer.from(btoa(`a${form} ends`))).map(({ form }) => form)).toEqual(['base64']);
  }
  expect(own.find(Buffer.from(KNOWN, 'hex')).map(({ form }) => form)).toEqual(['packed digits']);
});

test('a find states its place and shows nothing of what it found, nor of another secret before it', () => {
  const text = `order 12, ${KEY} ${CUSTOMER_SECRET} ${CLIENT_SECRET} {"cV2":"987"} ${KNOWN}`;
  const leaks = scan.findInText(text);
  expect(leaks.map(({ kind }) => kind)).toEqual(['API key', 'customer secret', 'client secret', 'CV2', 'card number']);
  expect(leaks.map(({ at }) => text.slice(at, at + 3))).toEqual(['sk_', 'cs_', 'AQA', 'cV2', '445']);
  expect(leaks[0]?.excerpt).toBe('order ××, [API key]');
  const shown = leaks.map(({ excerpt }) => excerpt).join('\n');
  expect(shown).toContain('44565300****1014');
  expect(shown).not.toMatch(/987|aB3_aB3_aB3_aB3_|00009101/);
});

test('a sign that is not four bytes is a defect', () => {
  expect(() => new LeakScan([createExactShape({ kind: 'CV2', form: 'plain' }, Buffer.from('12'))])).toThrow(
    'a sign has 4',
  );
});
