import { applyCallMove, createAcquirerCall } from '@pos/core/acquirer-calls';
import { insertAcquirerCall } from '@pos/store/payments';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTablePayment } from '@pos/core/tables';
import { gbp } from '@pos/core/testing';
import * as webhooks from '@pos/rest-contracts/webhooks';
import { deleteApiKey, listApiKeys } from '@pos/store/repositories';
import { insertTablePayment } from '@pos/store/tables';
import {
  ApiTestEnvironment,
  GBP_20,
  parseJson,
  createKeyText,
  parseProblem,
  type TestRequest,
} from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const ANY_MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as unknown;

test('the document that is served is the one that was agreed on', async () => {
  const golden = new URL('../../../../packages/rest-contracts/openapi/api.json', import.meta.url);
  const answer = await testEnvironment.sendRequest('GET', '/openapi.json', { key: null, headers: { version: null } });
  expect(parseJson(answer)).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('health needs no key', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const answer = await testEnvironment.sendRequest('GET', path, { key: null, headers: { version: null } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ status: 'ok', release: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  }
});

// oxfmt-ignore
test.each([
  ['2022-04-07', 200, '2022-04-07'],
  ['2023-11-11', 200, '2022-04-07'],
  ['2024-01-31', 200, '2023-12-12'],
  ['2025-09-10', 200, '2025-09-10'],
  ['2026-02-26', 200, '2025-09-10'],
  ['2999-12-31', 200, '2026-02-27'],
  ['2022-04-06', 400, '2026-02-27'],
  ['2026-02-30', 400, '2026-02-27'],
  ['26-02-27',   400, '2026-02-27'],
  ['latest',     400, '2026-02-27'],
  [null,         400, '2026-02-27'],
])('the version %s: %i, answered as %s', async (version, status, release) => {
  const answer = await testEnvironment.sendRequest('GET', '/webhooks/events', { headers: { version } });
  expect([answer.status, answer.headers['version']]).toEqual([status, release]);
  if (status === 400) expect(Object.keys(parseProblem(answer).errors)).toEqual(['version']);
});

const CARD = '4456 5300 0009 1014';
const SETUP_BODY = { reference: 'Saturday', merchantInitiatedTransactionType: 'NoShow', terms: 'You pay.' };
test.each<[string, object, string]>([
  ['/payment-intents', { amount: GBP_20, reference: 'r', description: `call back, ${CARD}` }, 'description'],
  ['/payment-intents', { amount: GBP_20, reference: 'r', metadata: { cardNumber: 4456530000091014 } }, 'metadata'],
  ['/setup-intents', { ...SETUP_BODY, terms: `on ${CARD}` }, 'terms'],
  ['/customers', { name: CARD }, 'name'],
  ['/webhooks', { events: ['payment_intent.created'], url: 'https://a.example', description: CARD }, 'description'],
  ['/api-keys', { label: CARD, role: 'full' }, 'label'],
])(
  'a card number in a text of %s, %j, is refused, and neither the answer nor the log repeats it',
  async (path, body, member) => {
    const from = testEnvironment.logLines.length;
    const answer = await testEnvironment.sendRequest('POST', path, { body });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, [member]]);
    expect(
      [answer.text, ...testEnvironment.logLines.slice(from)].filter((output) => /4456 ?5300 ?0009 ?1014/.test(output)),
    ).toEqual([]);
  },
);

test('partner headers are required on terminals only, and logged on every operation that receives them', async () => {
  const none = { 'software-house-id': null, 'reseller-id': null };
  expect((await testEnvironment.sendRequest('GET', '/webhooks/events', { headers: none })).status).toBe(200);
  expect(
    Object.keys(parseProblem(await testEnvironment.sendRequest('GET', '/terminals', { headers: none })).errors).sort(),
  ).toEqual(['reseller-id', 'software-house-id']);
  const headers = {
    'Software-House-Id': 'both',
    'RESELLER-ID': 'both',
    'software-house-id': null,
    'reseller-id': null,
  };
  const answer = await testEnvironment.sendRequest('GET', '/terminals', { headers });
  expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([200, undefined]);
  expect(
    testEnvironment.logLines.some((line) => line.includes('"software_house_id":"both","reseller_id":"both"')),
  ).toBe(true);
});

test('a deleted key is refused one second later', async () => {
  const { key, scope } = await testEnvironment.createAccount();
  const status = async () => (await testEnvironment.sendRequest('GET', '/webhooks', { key })).status;
  expect(await status()).toBe(200);
  await testEnvironment.testDatabase.database.transact(scope, async (tx) => {
    for (const { id } of await listApiKeys(tx)) await deleteApiKey(tx, id);
  });
  await pause(1_000);
  expect(await status()).toBe(401);
});

describe('webhooks', () => {
  test('the kinds are listed by their subject', async () => {
    expect(await testEnvironment.createClient()(webhooks.listEventKinds, {})).toEqual([
      {
        model: 'PaymentIntent',
        events: ['payment_intent.created', 'payment_intent.status_updated', 'payment_intent.send-receipt'],
      },
      {
        model: 'TerminalSession',
        events: [
          'terminal_session.created',
          'terminal_session.status_updated',
          'terminal_session.signature_verification_required',
          'terminal_session.notification',
        ],
      },
    ]);
  });

  test('a subscription shows its one active secret, and is listed as it was created', async () => {
    const { key, scope } = await testEnvironment.createAccount();
    const secret = {
      id: expect.stringMatching(/^sc_[\w-]{22}$/) as unknown,
      value: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      standardValue: expect.stringMatching(/^whsec_[\w+/]+=*$/) as unknown,
      isActive: true,
      createdAt: ANY_MOMENT,
    };
    const body = { events: ['Payment_Intent.Created'], url: 'https://shop.example/hooks', description: 'shop' };
    const created = await testEnvironment.createClient(key)(webhooks.createSubscription, { body });
    expect(created).toEqual({
      id: expect.stringMatching(/^ws_[\w-]{22}$/) as unknown,
      accountId: scope.accountId,
      events: ['payment_intent.created'],
      url: 'https://shop.example/hooks',
      description: 'shop',
      secrets: [secret],
      secret,
      createdAt: ANY_MOMENT,
      updatedAt: ANY_MOMENT,
    });
    const other = { events: ['terminal_session.created'], url: 'https://shop.example/other' };
    const second = await testEnvironment.createClient(key)(webhooks.createSubscription, { body: other });
    expect('description' in second).toBe(false);
    expect(await testEnvironment.createClient(key)(webhooks.listSubscriptions, {})).toEqual([created, second]);
    const foreign = await testEnvironment.createClient(testEnvironment.keys.foreign)(webhooks.listSubscriptions, {});
    expect(foreign).toEqual([]);
  });

  test('one of many simultaneous requests for a kind succeeds', async () => {
    const { key } = await testEnvironment.createAccount();
    const body = { events: ['payment_intent.created'], url: 'https://shop.example/hooks' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => testEnvironment.sendRequest('POST', '/webhooks', { key, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['no kinds', { events: [] }, ['events']],
    ['an unknown kind', { events: ['payment_intent.created', 'payment_intent.lost'] }, ['events']],
    ['plain http', { url: 'http://shop.example' }, ['url']],
    ['credentials in the address', { url: 'https://me:secret@shop.example' }, ['url']],
    ['an address of 2,049 characters', { url: `https://shop.example/${'x'.repeat(2028)}` }, ['url']],
    ['a description of 256 characters', { description: 'x'.repeat(256) }, ['description']],
  ])('%s is refused', async (_, more, members) => {
    const body = { events: ['payment_intent.created'], url: 'https://shop.example', ...more };
    const answer = await testEnvironment.sendRequest('POST', '/webhooks', { body });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
  });
});

describe('the pending list', () => {
  test('contains a refund on a card machine whose outcome is unknown', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    const [sessionId, intentId] = await testEnvironment.testDatabase.database.transact(scope, async (tx) => {
      const ids = [await tx.newId('terminalSession'), await tx.newId('paymentIntent')] as const;
      for (const [reference, state] of [
        ['refund of a silent machine', 'lose'],
        ['refund that runs', 'send'],
      ] as const) {
        const call = createAcquirerCall({
          ...{
            reference,
            kind: 'Refund',
            acquirer: 'default',
            merchantId: 'M-1',
            originalReference: null,
            paymentIntentId: ids[1],
            amount: gbp(700),
          },
          ...{ terminalSessionId: ids[0], deadlineAt: tx.databaseNow },
        });
        await insertAcquirerCall(tx, applyCallMove(call, state));
      }
      return ids;
    });
    const answer = await testEnvironment.sendRequest('GET', '/pay-at-table/pending', {
      key,
      headers: { version: null },
    });
    expect(JSON.parse(answer.text)).toEqual([
      {
        ...{ paymentId: sessionId, paymentIntentId: intentId, currency: 'GBP', state: 'Expired', attempts: 1 },
        ...{ baseAmount: 700, gratuityAmount: 0, cashbackAmount: 0, alarm: false },
        since: expect.any(String) as unknown,
      },
    ]);
  });

  test('contains approved money that is neither recorded nor returned, with an alarm after a minute', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    const list = async () =>
      JSON.parse(
        (await testEnvironment.sendRequest('GET', '/pay-at-table/pending', { key, headers: { version: null } })).text,
      ) as unknown;
    expect(await list()).toEqual([]);
    const paymentIds = await testEnvironment.testDatabase.database.transact(scope, async (tx) => {
      const ids: string[] = [];
      for (const [state, agoMs] of [
        ['Approved', 59_000],
        ['RecordUnknown', 61_000],
        ['NeedsOperator', 1_000],
        ['Started', 90_000],
        ['Recorded', 90_000],
      ] as const) {
        const id = await tx.newUuid();
        const since = new Date(tx.databaseNow.getTime() - agoMs);
        const part = {
          id,
          origin: 'journey',
          journeyId: await tx.newUuid(),
          leaseId: null,
          sessionId: 'S-12',
          orderId: null,
          intentId: await tx.newId('paymentIntent'),
        } as const;
        const { payment } = startTablePayment(
          { ...part, base: gbp(2400), gratuity: gbp(300), cashback: gbp(0), paidBefore: gbp(0) },
          since,
        );
        await insertTablePayment(tx, {
          ...payment,
          state,
          recordCalls: 3,
          lastError: state === 'RecordUnknown' ? 'no answer' : null,
        });
        ids.push(id);
      }
      return ids;
    });
    const visible = {
      journeyId: expect.any(String) as unknown,
      sessionId: 'S-12',
      paymentIntentId: expect.stringMatching(/^pi_/) as unknown,
      baseAmount: 2400,
      gratuityAmount: 300,
      cashbackAmount: 0,
      currency: 'GBP',
      since: ANY_MOMENT,
      attempts: 3,
    };
    expect(new Set((await list()) as unknown[])).toEqual(
      new Set([
        { ...visible, paymentId: paymentIds[0], state: 'Approved', alarm: false },
        { ...visible, paymentId: paymentIds[1], state: 'RecordUnknown', alarm: true, lastError: 'no answer' },
        { ...visible, paymentId: paymentIds[2], state: 'NeedsOperator', alarm: true },
      ]),
    );
  });
});

describe('hostile input is answered and never trusted', () => {
  const intent = (more: Record<string, unknown>): TestRequest => ({
    body: { amount: GBP_20, reference: 'r', ...more },
  });
  const HOSTILE_TEXT = [
    `'; drop table payment_intents; --`,
    '\u202e\u0007\u001b[2J',
    '{{7*7}}${7*7}<script>',
    '\uffff\ufdd0',
    '\u00e9'.normalize('NFD'),
    ' \t\r\n ',
  ];

  test.each(HOSTILE_TEXT)('%j is returned unchanged', async (text) => {
    const metadata = { [text]: text, constructor: 'c', toString: 1, list: [text] };
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents', intent({ reference: text, metadata }));
    expect(parseJson(answer)).toMatchObject({ reference: text, metadata });
  });

  // oxfmt-ignore
  test.each<[string, string, string, TestRequest, number]>([
    ['a NUL in a member', 'POST', '/payment-intents', intent({ reference: 'a\u0000' }), 400],
    ['half of a pair in metadata', 'POST', '/payment-intents', { body: '{"amount":{"value":1,"currencyCode":"GBP"},"reference":"r","metadata":{"a":"\\ud800"}}' }, 400],
    ['33 levels', 'POST', '/payment-intents', { body: `${'{"metadata":'.repeat(33)}1${'}'.repeat(33)}` }, 400],
    ['another prototype', 'POST', '/payment-intents', { body: '{"__proto__":{"amount":{"value":1,"currencyCode":"GBP"},"reference":"r"}}' }, 400],
    ['another prototype in metadata', 'POST', '/payment-intents', { body: '{"amount":{"value":1,"currencyCode":"GBP"},"reference":"r","metadata":{"__proto__":{"polluted":true}}}' }, 400],
    ['a constructor for an amount', 'POST', '/payment-intents', { body: '{"amount":{"constructor":{"prototype":{}}},"reference":"r"}' }, 400],
    ['1e400', 'POST', '/payment-intents', { body: '{"amount":{"value":1e400,"currencyCode":"GBP"},"reference":"r"}' }, 400],
    ['-0', 'POST', '/payment-intents', { body: '{"amount":{"value":-0,"currencyCode":"GBP"},"reference":"r"}' }, 400],
    ['a number beyond every double in metadata', 'POST', '/payment-intents', { body: '{"amount":{"value":1,"currencyCode":"GBP"},"reference":"r","metadata":{"n":1e400}}' }, 200],
    ['hexadecimal', 'POST', '/payment-intents', intent({ amount: { value: '0x10', currencyCode: 'GBP' } }), 400],
    ['2,000 lines', 'POST', '/payment-intents', intent({ itemLines: Array.from({ length: 2_000 }, () => ({ amountTotal: GBP_20 })) }), 400],
    ['sums beyond every integer', 'POST', '/payment-intents', intent({ itemLines: [{ amountTotal: GBP_20, quantity: 2147483647, modifiers: [{ id: 'm', name: 'm', quantity: 2147483647, amountPerModifier: { value: 999999999999, currencyCode: 'GBP' } }] }] }), 400],
    ['the end of time', 'POST', '/payment-intents', intent({ expireAt: '9999-12-31T23:59:59.999999999Z' }), 200],
    ['after the end of time', 'POST', '/payment-intents', intent({ expireAt: '9999-12-31T23:59:59-18:00' }), 400],
    ['a search from before time', 'POST', '/payment-intents/search', { body: { startDate: '0000-01-01T00:00:00Z' } }, 400],
    ['a header of 9 KB', 'GET', '/webhooks', { headers: { 'reseller-id': 'x'.repeat(9_000) } }, 200],
    ['an endless key', 'GET', '/webhooks', { key: `sk_sandbox_${'x'.repeat(9_000)}` }, 401],
    ['a key with a quote', 'GET', '/webhooks', { key: `sk_sandbox_'or'1'='1` }, 401],
    ['an invalid traceparent', 'GET', '/webhooks', { headers: { traceparent: '00-zz-zz-zz' } }, 200],
    ['XML', 'POST', '/payment-intents', { body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', headers: { 'content-type': 'application/xml' } }, 415],
    ['a body for a read', 'GET', '/webhooks', { body: '{"a":1}' }, 200],
    ['a mebibyte and more', 'POST', '/payment-intents', intent({ metadata: { a: 'x'.repeat(1024 * 1024) } }), 413],
    ['a path up and away', 'GET', '/payment-intents/../../etc/passwd', {}, 404],
    ['a query of 10,000 names', 'GET', `/terminals?${Array.from({ length: 1_000 }, (_, at) => `n${at}=1`).join('&')}`, {}, 200],
    ['an unknown method', 'PATCH', '/payment-intents', {}, 405],
  ])('%s', async (_, method, path, sent, status) => {
    const answer = await testEnvironment.sendRequest(method, path, sent);
    expect([answer.status, answer.text]).toEqual([status, expect.not.stringContaining('polluted')]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

test('no line of the log holds a key, a client secret or the secret of a webhook', async () => {
  const { key } = await testEnvironment.createAccount();
  const { clientSessionSecret = '', id } = await testEnvironment.createIntent({}, key);
  const body = { events: ['payment_intent.created'], url: 'https://shop.example/hooks' };
  const { secret } = await testEnvironment.createClient(key)(webhooks.createSubscription, { body });
  const wrongKey = createKeyText('sandbox');
  const refused = [
    await testEnvironment.sendRequest('GET', `/payment-intents/${id}`, { key: wrongKey }),
    await testEnvironment.sendRequest('GET', `/payment-intents/${clientSessionSecret}`, { key }),
    await testEnvironment.sendRequest('GET', `/payment-intents/${key}`, { key }),
    await testEnvironment.sendRequest('POST', '/payment-intents', { key, body: { amount: clientSessionSecret } }),
    await testEnvironment.sendRequest('POST', '/webhooks', { key, body: { ...body, url: secret.value } }),
    await testEnvironment.sendRequest('GET', `/webhooks?key=${key}`, { key, headers: { version: key } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 404, 404, 400, 400, 400]);
  for (const answer of refused) await testEnvironment.findRefusal(answer);
  const secrets = [key, wrongKey, clientSessionSecret, secret.value, ...Object.values(testEnvironment.keys)];
  expect(testEnvironment.logLines.length).toBeGreaterThan(50);
  expect(testEnvironment.logLines.filter((line) => secrets.some((text) => line.includes(text)))).toEqual([]);
  const answers = refused.map(({ text }) => text);
  expect(answers.filter((text) => secrets.some((each) => text.includes(each)))).toEqual([]);
});
