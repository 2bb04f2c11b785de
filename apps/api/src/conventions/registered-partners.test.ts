import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PartnerStatus } from '@pos/core/accounts';
import { changePartnerStatus, enforcePartners, registerPartner } from '@pos/administration/partners';
import { ApiTestEnvironment, parseJson, parseProblem, type TestRequest } from '../testing/api-test-environment.js';

const CHANGE = { actor: 'tests', reason: 'tests' };
const HOUSE = 'House of Tills';
/** A change is seen when the key is looked up again. */
const SEEN_MS = 1_000;
const INTENT = { amount: { value: 2000, currencyCode: 'GBP' }, reference: 'r' };

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  const { database } = testEnvironment.testDatabase;
  await registerPartner(database, CHANGE, { kind: 'software-house', id: HOUSE, name: HOUSE, contact: null });
});
afterAll(() => testEnvironment.close());

const send = (method: string, path: string, request: TestRequest = {}) =>
  testEnvironment.sendRequest(method, path, { key: testEnvironment.keys.production, ...request });

async function setStatus(status: PartnerStatus): Promise<void> {
  const { database } = testEnvironment.testDatabase;
  await changePartnerStatus(database, CHANGE, { kind: 'software-house', id: HOUSE, status });
  await pause(SEEN_MS);
}

test.each([
  ['registered partners', {}, 200],
  ['another registered software house', { 'software-house-id': HOUSE }, 200],
  ['a software house that is not registered', { 'software-house-id': 'nobody' }, 403],
  ['a reseller that is not registered', { 'reseller-id': HOUSE }, 403],
  ['no software house', { 'software-house-id': null }, 400],
])('a request about terminals with %s', async (_, headers, status) => {
  expect((await send('GET', '/terminals', { headers })).status).toBe(status);
});

test.each([
  ['no partners', { 'software-house-id': null, 'reseller-id': null }, 200],
  ['a text that no partner header takes', { 'software-house-id': 'x'.repeat(101) }, 200],
  ['a reseller that is not registered', { 'reseller-id': 'nobody' }, 403],
])('a payment, whose partner headers are optional, with %s', async (_, headers, status) => {
  expect((await send('POST', '/payment-intents', { body: INTENT, headers })).status).toBe(status);
});

test('the problem names each header, and says what to do', async () => {
  const headers = { 'software-house-id': 'nobody', 'reseller-id': 'nobody' };
  const answer = await send('POST', '/payment-intents', { body: INTENT, headers });
  expect(parseProblem(answer)).toMatchObject({
    status: 403,
    reason: 'partner_not_registered',
    errors: { 'software-house-id': ['Is not registered.'], 'reseller-id': ['Is not registered.'] },
  });
  const rows = await testEnvironment.queryRows('select id from payment_intents where software_house_id = $1', [
    'nobody',
  ]);
  expect(rows).toEqual([]);
});

test('the sandbox accepts any partner', async () => {
  const headers = { 'software-house-id': 'nobody', 'reseller-id': 'nobody' };
  const { full: key } = testEnvironment.keys;
  expect((await send('GET', '/terminals', { key, headers })).status).toBe(200);
});

test('a retired partner begins nothing, and its payments and earlier requests are answered', async () => {
  const headers = { 'software-house-id': HOUSE };
  const first = { body: INTENT, headers: { ...headers, idempotencyKey: 'begun-before' } };
  const begun = await send('POST', '/payment-intents', first);
  expect(begun.status).toBe(200);
  const path = `/payment-intents/${String(parseJson(begun)['id'])}`;
  await setStatus('Retired');
  try {
    const repeated = await send('POST', '/payment-intents', first);
    expect([repeated.status, repeated.text]).toEqual([200, begun.text]);
    const another = { body: INTENT, headers: { ...headers, idempotencyKey: 'begun-after' } };
    for (const request of [another, { body: INTENT, headers }]) {
      const refused = await send('POST', '/payment-intents', request);
      expect(parseProblem(refused)).toMatchObject({ status: 403, errors: { 'software-house-id': ['Is retired.'] } });
    }
    expect((await send('GET', '/terminals', { headers })).status).toBe(403);
    expect((await send('GET', path, { headers })).status).toBe(200);
    expect((await send('DELETE', path, { headers })).status).toBeLessThan(300);
  } finally {
    await setStatus('Active');
  }
  // The key of the refused request was not bound to the refusal.
  const later = { body: INTENT, headers: { ...headers, idempotencyKey: 'begun-after' } };
  expect((await send('POST', '/payment-intents', later)).status).toBe(200);
});

test('while a partner is retired, each request either begins its payment or is refused without a row', async () => {
  const headers = { 'software-house-id': HOUSE };
  let isOver = false;
  const retire = pause(200)
    .then(() => setStatus('Retired'))
    .then(() => pause(100))
    .finally(() => (isOver = true));
  const statuses: number[] = [];
  for (let number = 0; !isOver; number += 1) {
    const body = { ...INTENT, reference: `race ${number}` };
    statuses.push((await send('POST', '/payment-intents', { body, headers })).status);
    await pause(5);
  }
  await retire;
  const firstRefused = statuses.indexOf(403);
  // Once one process refuses, it does not accept again.
  expect(new Set(statuses.slice(0, firstRefused))).toEqual(new Set([200]));
  expect(new Set(statuses.slice(firstRefused))).toEqual(new Set([403]));
  const rows = await testEnvironment.queryRows(`select id from payment_intents where reference like 'race %'`, []);
  expect(rows).toHaveLength(firstRefused);
  await setStatus('Active');
});

test('while partners are not enforced, any is accepted, and the log names those that would be refused', async () => {
  const { database } = testEnvironment.testDatabase;
  await enforcePartners(database, CHANGE, { isEnforced: false });
  await pause(SEEN_MS);
  expect((await send('GET', '/terminals', { headers: { 'reseller-id': 'old dealer' } })).status).toBe(200);
  const lines = testEnvironment.logLines.filter((line) => line.includes('"partner.not_registered"'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ kind: 'reseller', id: 'old dealer', status: null }),
  ]);
  await enforcePartners(database, CHANGE, { isEnforced: true });
  await pause(SEEN_MS);
  expect((await send('GET', '/terminals', { headers: { 'reseller-id': 'old dealer' } })).status).toBe(403);
});
