import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const PATH = '/sandbox/epos';
const putSetting = (key: string, body: unknown) => testEnvironment.sendRequest('PUT', PATH, { key, body });
const readSetting = async (key: string) => parseJson(await testEnvironment.sendRequest('GET', PATH, { key }));

test('an account has the EPOS of the sandbox until it switches it off, and other accounts keep theirs', async () => {
  const [{ key }, other] = [await testEnvironment.createAccount(), await testEnvironment.createAccount()];
  expect(await readSetting(key)).toEqual({ isEnabled: true });
  expect((await putSetting(key, { isEnabled: false })).text).toBe('{"isEnabled":false}');
  expect(await readSetting(key)).toEqual({ isEnabled: false });
  expect(await readSetting(other.key)).toEqual({ isEnabled: true });
  expect((await putSetting(key, { isEnabled: true })).status).toBe(200);
  expect(await readSetting(key)).toEqual({ isEnabled: true });
});

test.each([
  ['nothing', {}],
  ['null', { isEnabled: null }],
  ['another word', { isEnabled: 'perhaps' }],
  ['a number', { isEnabled: 0 }],
])('%s is refused by the member, and nothing is changed', async (_, body) => {
  const { key } = await testEnvironment.createAccount();
  const answer = await putSetting(key, body);
  expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, ['isEnabled']]);
  expect(await readSetting(key)).toEqual({ isEnabled: true });
});
