import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiWorld, jsonOf, problemOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const PATH = '/sandbox/epos';
const put = (key: string, body: unknown) => world.send('PUT', PATH, { key, body });
const read = async (key: string) => jsonOf(await world.send('GET', PATH, { key }));

test('an account has the EPOS of the sandbox until it switches it off, and other accounts keep theirs', async () => {
  const [{ key }, other] = [await world.newcomer(), await world.newcomer()];
  expect(await read(key)).toEqual({ isEnabled: true });
  expect((await put(key, { isEnabled: false })).text).toBe('{"isEnabled":false}');
  expect(await read(key)).toEqual({ isEnabled: false });
  expect(await read(other.key)).toEqual({ isEnabled: true });
  expect((await put(key, { isEnabled: true })).status).toBe(200);
  expect(await read(key)).toEqual({ isEnabled: true });
});

test.each([
  ['nothing', {}],
  ['null', { isEnabled: null }],
  ['another word', { isEnabled: 'perhaps' }],
  ['a number', { isEnabled: 0 }],
])('%s is refused by the member, and nothing is changed', async (_, body) => {
  const { key } = await world.newcomer();
  const answer = await put(key, body);
  expect([answer.status, Object.keys(problemOf(answer).errors)]).toEqual([400, ['isEnabled']]);
  expect(await read(key)).toEqual({ isEnabled: true });
});
