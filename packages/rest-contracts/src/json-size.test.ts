import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasMoreValuesThan } from './json-size.js';

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
        expect(hasMoreValuesThan(valuesOf(JSON.parse(json)) - 1, json)).toBe(true);
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

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + valuesOf(each), 1);
}
