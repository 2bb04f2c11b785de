import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findTextMember, hasMoreValuesThan } from './json-size.js';

describe('counting the values of JSON', () => {
  test.each([
    ['1', 1],
    ['[]', 2],
    ['[1,2]', 3],
    ['{"a":[{},{}]}', 6],
    ['"a,b[c{d"', 1],
    ['["\\",[,{"]', 2],
    ['["\\\\",1]', 3],
    ['{"\\",":1}', 2],
  ])('%s has %i', (json, values) => {
    expect(hasMoreValuesThan(values, json)).toBe(false);
    expect(hasMoreValuesThan(values - 1, json)).toBe(true);
    expect(hasMoreValuesThan(values - 1, Buffer.from(json))).toBe(true);
  });

  test('every value of parsed JSON is counted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(hasMoreValuesThan(getValues(JSON.parse(json)) - 1, json)).toBe(true);
      }),
    );
  });

  test('reading stops above the limit', () => {
    let read = 0;
    const bytes = new Proxy(new Uint8Array(1000).fill(0x2c), {
      get(target, name) {
        if (name === 'length') return target.length;
        read += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(hasMoreValuesThan(10, bytes)).toBe(true);
    expect(read).toBeLessThan(15);
  });
});

describe('a member of an object that is too large to be parsed', () => {
  test.each([
    ['{"id":"7","result":{}}', '7'],
    ['{"result":{"id":"6","list":[{"id":"5"}]},"id" : "7" }', '7'],
    ['{"id":"6","id":"7"}', '7'],
    ['{"id":"6","id":7}', null],
    ['{"id":"6","id":{"id":"7"}}', null],
    ['{"id":"\\u0037\\"}{"}', '7"}{'],
    ['{"i\\u0064":"7"}', '7'],
    ['{"name":"id","x":"7"}', null],
    ['{"id":null}', null],
    ['[{"id":"7"}]', null],
    ['"id"', null],
    ['{"id":"7', null],
    ['', null],
  ])('of %s is %j', (json, text) => {
    expect(findTextMember(json, 'id')).toBe(text);
  });

  test('is what parsing finds', () => {
    const member = fc.oneof(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('id', 'a', '"', '{'), member), (value) => {
        const { id } = value;
        expect(findTextMember(JSON.stringify(value, null, 1), 'id')).toBe(typeof id === 'string' ? id : null);
      }),
    );
  });
});

function getValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + getValues(each), 1);
}
