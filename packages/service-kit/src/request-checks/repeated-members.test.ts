import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { VALID_BODY, VALID_HEADERS, startOrderServer } from '../testing/order-server.js';
import { findRepeatedMembers } from './repeated-members.js';

const find = (json: string): readonly string[] =>
  findRepeatedMembers(new TextEncoder().encode(json), JSON.parse(json.replace(/^\ufeff/, '')));

// oxfmt-ignore
test.each<[string, string, readonly string[]]>([
  ['no member',                    '{}',                                                   []],
  ['no body',                      'null',                                                 []],
  ['each member once',             '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',            []],
  ['colons and quotes in text',    '{"a":":\\":\\\\","b\\"":"::"}',                        []],
  ['a member twice',               '{"captureMode":"Manual","captureMode":"Auto"}',        ['captureMode']],
  ['equal values',                 '{"a":1,"a":1}',                                        []],
  ['a number and its text',        '{"a":"1000","a":1000}',                                []],
  ['equal objects',                '{"a":{"x":1,"y":[2]},"a":{"Y":[2], "x":1,"z":null}}',  []],
  ['objects that differ',          '{"a":{"x":1},"a":{"x":2}}',                            ['a']],
  ['lists in another order',       '{"a":[1,2],"a":[2,1]}',                                ['a']],
  ['the first and third of three', '{"a":1,"a":2,"a":1}',                                  ['a']],
  ['null and a value',             '{"a":"x","a":null}',                                   ['a']],
  ['a member of an object',        '{"amount":{"value":1,"value":2}}',                     ['amount.value']],
  ['a member of a list',           '{"a":[{"b":1},{"b":1,"b":2}]}',                        ['a[1].b']],
  ['inside of a lost value',       '{"a":{"b":1,"b":2},"a":{"b":2}}',                      ['a.b']],
  ['an escaped name',              '{"\\u0063aptureMode":"Manual","captureMode":"Auto"}',  ['captureMode']],
  ['a byte order mark',            '\ufeff{"a":1,"a":2}',                                  ['a']],
  ['spaces everywhere',            ' { "a" : 1 ,\t"a"\r\n: [ 2 , { } ] } ',                ['a']],
  ['an inherited name',            '{"__proto__":1,"__proto__":2,"constructor":3}',        ['__proto__']],
  ['texts with quotes',            '{"a":"\\"","a":"\\\\"}',                               ['a']],
  ['numbers of every form',        '{"a":-1.5E+3,"a":-1500,"b":true,"b":false}',           ['b']],
])('%s', (_, json, repeated) => {
  expect(find(json)).toEqual(repeated);
});

test('JSON as programs write it repeats nothing', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(find(JSON.stringify(value))).toEqual([])));
});

test('a member that is added again with another value is found, at every place', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, value, inner) => {
      const json = `{"a":[${JSON.stringify(inner)},{${JSON.stringify(name)}:[0,${JSON.stringify(value)}],${JSON.stringify(name)}:1}]}`;
      expect(find(json)).toEqual([`a[1].${name}`]);
    }),
  );
});

test('at most 20 members are named', () => {
  const members = Array.from({ length: 30 }, (_, at) => `"m${at}":1,"m${at}":2`);
  expect(find(`{${members.join(',')}}`)).toHaveLength(20);
});

test('the time is that of the text, also where equal objects are repeated at each of 13 levels', () => {
  const nest = (level: number): string =>
    level === 0 ? '{"x":1}' : `{"a":${nest(level - 1)},"a": ${nest(level - 1)}}`;
  const json = nest(13);
  const value: unknown = JSON.parse(json);
  const started = performance.now();
  expect(findRepeatedMembers(new TextEncoder().encode(json), value)).toEqual([]);
  // 20 ms on a developer's machine; comparing the objects member by member at each level takes many times as long.
  expect(performance.now() - started).toBeLessThan(1_000);
});

test.each([
  ['/orders', 400],
  ['/orders/search', 200],
])('%s answers %d to a body that has a member twice, because only one of them moves money', async (path, status) => {
  const orderServer = await startOrderServer();
  try {
    const body = JSON.stringify(VALID_BODY).replace('{', '{"reference":"table 5","\\u0061mount":{"value":1},');
    const answer = await orderServer.send('POST', path, { headers: VALID_HEADERS, body });
    expect(answer.status).toBe(status);
    if (status === 400) {
      const twice = ['Is sent twice with different values.'];
      expect(answer.body['errors']).toEqual({ reference: twice, amount: twice });
    }
    const equal = JSON.stringify(VALID_BODY).replace('{', '{"reference":"table 4",');
    expect((await orderServer.send('POST', path, { headers: VALID_HEADERS, body: equal })).status).toBe(200);
  } finally {
    await orderServer.close();
  }
});
