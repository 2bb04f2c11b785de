import { describe, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import fc from 'fast-check';
import { BODY_DEPTH_MAX, isStorableText, parseJson } from './json-body.js';
import { toCanonicalJson } from './idempotency-key.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a JSON body', () => {
  test('is read as JSON.parse reads it, or refused; nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.json({ stringUnit: 'binary' })), (text) => {
        let read: unknown;
        try {
          read = parseJson(bytes(text));
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          return;
        }
        expect(read).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused at every depth beyond the limit, of lists and objects alike', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: BODY_DEPTH_MAX + 1, maxLength: 60 }), (kinds) => {
        const text = kinds.reduce((inner, isList) => (isList ? `[${inner}]` : `{"a":${inner}}`), '1');
        expect(() => parseJson(bytes(text))).toThrow('nested deeper');
      }),
    );
  });

  test.each([
    ['an unfinished list of objects', `[${'{},'.repeat(20_000)}`],
    ['many members', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])))],
    ['many empty lists', `[${new Array(20_000).fill('[]').join(',')}]`],
    ['many members inside one', `{"a":{"b":[${new Array(20_000).fill('1').join(',')}]}}`],
  ])('with too many values is refused before it is parsed: %s', (_, text) => {
    expect(() => parseJson(bytes(text))).toThrow('The body holds more than 20000 values.');
  });

  test('with the maximum of values is read', () => {
    expect(parseJson(bytes(JSON.stringify(new Array(19_998).fill(1))))).toHaveLength(19_998);
  });

  test.each(['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'])(
    'changes nothing but itself: %s',
    (text) => {
      parseJson(bytes(text));
      expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    },
  );

  test.each([
    ['plain', true],
    ['🍲', true],
    ['\ud83c', false],
    ['\udf72x', false],
    ['a\u0000', false],
    ['\u0001\u007f', true],
  ])('%j is sound text: %p', (text, isSound) => {
    expect(isStorableText(text)).toBe(isSound);
  });
});

describe('the canonical form of a body', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(toCanonicalJson(shuffled(value))).toBe(toCanonicalJson(value))),
    );
  });

  test('identifies the body: two bodies with one form are equal', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => value !== null),
        (value) => expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });

  test('has its names in alphabetical order', () => {
    expect(toCanonicalJson({ b: 1, 10: 1, a: { d: 1, c: 1 }, 9: 1 })).toBe('{"10":1,"9":1,"a":{"c":1,"d":1},"b":1}');
  });

  test.each([
    ['[1,2]', '[2,1]'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['{"a":{"b":1}}', '{"b":{"a":1}}'],
  ])('%s and %s are two bodies', (one, other) => {
    expect(toCanonicalJson(JSON.parse(one))).not.toBe(toCanonicalJson(JSON.parse(other)));
  });

  test('no body, null and an empty object are equal', () => {
    expect(new Set([undefined, null, {}].map(toCanonicalJson)).size).toBe(1);
  });
});
