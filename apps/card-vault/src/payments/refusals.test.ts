import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_INTENT_CONFIG, type IntentConfig } from '@pos/core/payment-intents';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { Problem } from '@pos/rest-contracts/testing';
import { commitIntent } from '@pos/payments/testing';
import { lockIntent } from '@pos/store/payments';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { type VaultResponse, type Payable } from '../testing/card-requests.js';

let testEnvironment: VaultTestEnvironment;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

/** Checks both forms of a refusal: a problem, and a result that contains the status. */
function expectRefused({ status, body }: VaultResponse, code: number, members: readonly string[] = []): void {
  expect(Problem.parse(body)).toEqual(body);
  expect([status, body['status'], body['statusCode']]).toEqual([code, code, code]);
  expect(body['message']).toBe(body['detail']);
  expect(Object.keys(body['errors'] as object).sort()).toEqual([...members].sort());
}

describe('a submission is refused when', () => {
  test.each([
    ['the number is missing', { cardNumber: null }, 'cardNumber'],
    ['the number has a wrong check digit', { cardNumber: '4456530000091015' }, 'cardNumber'],
    ['the number has eleven digits', { cardNumber: '44565300009' }, 'cardNumber'],
    ['the number has twenty digits', { cardNumber: '44565300000910144444' }, 'cardNumber'],
    ['the number has a letter', { cardNumber: '445653000009101A' }, 'cardNumber'],
    ['the number is no text', { cardNumber: { digits: 1 } }, 'cardNumber'],
    ['the name is missing', { cardName: '' }, 'cardName'],
    ['the name is too long', { cardName: 'x'.repeat(101) }, 'cardName'],
    ['a number is typed as the name', { cardName: '4456 5300 0009 1014' }, 'cardName'],
    ['the scheme is not supported', { cardNumber: '3530111333300000' }, 'cardNumber'],
    ['the expiry has no such month', { expiryDate: '13/32' }, 'expiryDate'],
    ['the expiry is a year of four digits', { expiryDate: '12/2032' }, 'expiryDate'],
    ['the card has expired', { expiryDate: '12/25' }, 'expiryDate'],
    ['the CV2 is missing', { cV2: null }, 'cV2'],
    ['the CV2 has two digits', { cV2: '12' }, 'cV2'],
    ['the CV2 has five digits', { cV2: '12345' }, 'cV2'],
    ['the e-mail address is invalid', { emailAddress: 'nobody' }, 'emailAddress'],
    ['the phone number is too short', { phoneNumber: '12' }, 'phoneNumber'],
    ['the address has no country', { billingAddress: { address1: 'x' } }, 'billingAddress.countryCode'],
    ['the save box is neither ticked nor not', { savePaymentMethod: 'perhaps' }, 'savePaymentMethod'],
    ['a number is typed into the metadata', { metaData: { note: 'again 4456530000091014' } }, 'metaData'],
    ['the metadata are too large', { metaData: { note: 'x'.repeat(17_000) } }, 'metaData'],
  ])('%s, and the secret is still good', async (_, more, member) => {
    const payable = await testEnvironment.createPayable();
    const answer = await testEnvironment.payByCard(payable, more);
    expectRefused(answer, 400, [member]);
    const { detail, errors } = answer.body;
    expect(JSON.stringify([detail, errors])).not.toMatch(/\d{6}|12345|020/);
    expect(await testEnvironment.readState(payable)).toBe('Created');
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(0);
  });

  test('several members are invalid, all named at once', async () => {
    const payable = await testEnvironment.createPayable();
    const answer = await testEnvironment.payByCard(payable, { cardNumber: '1', expiryDate: '1', cV2: '1' });
    expectRefused(answer, 400, ['cardNumber', 'expiryDate', 'cV2']);
  });

  test('a member is sent twice with different values, and the secret is still good', async () => {
    const payable = await testEnvironment.createPayable();
    const members = '"cardNumber":"4456530000091014","cardName":"A GUEST","cV2":"020"';
    const body = `{"expiryDate":"01/31",${members},"expiryDate":"12/32"}`;
    const answer = await testEnvironment.postJson('/client/payments', body, { secret: payable.secret });
    expectRefused(answer, 400, ['expiryDate']);
    expect(await testEnvironment.readState(payable)).toBe('Created');
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(0);
  });

  test('a detail that the integrator requires is missing', async () => {
    const config: IntentConfig = {
      ...DEFAULT_INTENT_CONFIG,
      customerEmail: { collectionRequired: true },
      billingAddress: { collectionRequired: true },
      shippingDetails: { collectionRequired: true },
    };
    const payable = await testEnvironment.createPayable({ details: { config, itemLines: [], taxLines: [] } });
    expectRefused(await testEnvironment.payByCard(payable), 400, ['billingAddress', 'emailAddress', 'shippingDetails']);
    const filled = {
      emailAddress: 'guest@example.com',
      billingAddress: { countryCode: 'GB' },
      shippingDetails: { name: 'A Guest' },
    };
    expect((await testEnvironment.payByCard(payable, filled)).body['statusCode']).toBe(0);
  });

  test('the payment accepts no cards, or not this wallet', async () => {
    const walletOnly = await testEnvironment.createPayable({ paymentMethods: ['Wallet'] });
    expectRefused(await testEnvironment.payByCard(walletOnly), 400, ['cardNumber']);
    const cardOnly = await testEnvironment.createPayable();
    const content = { cardNumber: '4456530000091014', expiryDate: '12/32', cV2: '020' };
    const token = Buffer.from(JSON.stringify(content)).toString('base64url');
    const wallet = { wallet: 'GOOGLE_PAY', token };
    expectRefused(await testEnvironment.postJson('/client/payments/wallet', wallet, cardOnly), 400, ['wallet']);
  });

  test.each([
    ['is no base64', '!'],
    ['is no JSON', 'bm90'],
    ['names no card', Buffer.from('{"cardNumber":"1"}').toString('base64url')],
  ])('a token %s', async (_, token) => {
    const payable = await testEnvironment.createPayable({ paymentMethods: ['Wallet'] });
    expectRefused(
      await testEnvironment.postJson('/client/payments/wallet', { wallet: 'APPLE_PAY', token }, payable),
      400,
      ['token'],
    );
  });
});

describe('a secret is refused when it', () => {
  const SECRETS: readonly (readonly [string, (payable: Payable) => Promise<string> | string])[] = [
    ['is no secret', () => 'secret'],
    [
      'is changed in its last place',
      ({ secret }) => `${secret.slice(0, -4)}${secret.at(-4) === 'A' ? 'B' : 'A'}${secret.slice(-3)}`,
    ],
    ['was replaced', async (payable) => (await testEnvironment.replaceSecret(payable), payable.secret)],
    ['was used', async (payable) => (await testEnvironment.payByCard(payable, { cV2: '999' }), payable.secret)],
    ['belongs to an intent that was canceled', async (payable) => (await cancelIntent(payable), payable.secret)],
    ['belongs to an intent whose time is over', async (payable) => (await expireIntent(payable), payable.secret)],
  ];

  test.each(SECRETS)('%s', async (_, createInvalidSecret) => {
    const payable = await testEnvironment.createPayable();
    const secret = await createInvalidSecret(payable);
    expectRefused(await testEnvironment.payByCard({ secret }), 401);
    const deviceData = await testEnvironment.postJson(
      '/client/device-data',
      { cardNumber: '4456530000091014' },
      { secret },
    );
    expectRefused(deviceData, 401);
    expect(deviceData.headers).not.toHaveProperty('www-authenticate');
  });

  test('is of another account', async () => {
    const payable = await testEnvironment.createPayable();
    const bytes = Buffer.from(payable.secret, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3);
    expectRefused(await testEnvironment.payByCard({ secret: `${bytes.toString('base64url')}==` }), 401);
  });

  test('is half an hour old', async () => {
    const payable = await testEnvironment.createPayable();
    await testEnvironment.advanceTime(30 * 60_000);
    expectRefused(await testEnvironment.payByCard(payable), 401);
  });

  const byPayers = CARD_VAULT_OPERATIONS.filter((operation) => operation.clientSecret === true);
  test.each(byPayers.map(({ path }) => [path]))('is missing: %s', async (path) => {
    expectRefused(await testEnvironment.postJson(path, {}), 404);
  });

  test('is missing, before the body is read', async () => {
    expectRefused(await testEnvironment.postJson('/client/payments', '{'), 404);
  });
});

test.each([
  ['no JSON', '{', {}, 400],
  ['another media type', '{}', { 'content-type': 'text/plain' }, 415],
  ['too much', `"${'x'.repeat(1024 * 1024)}"`, {}, 413],
  ['an old version', '{}', { version: '2020-01-01' }, 400],
])('%s is also refused in the form of a result', async (_, body, headers, code) => {
  const { secret } = await testEnvironment.createPayable();
  const answer = await testEnvironment.postJson('/client/payments', body, { secret, headers });
  expect([answer.status, answer.body['statusCode']]).toEqual([code, code]);
});

test.each([
  ['is no secret', () => 'secret'],
  ['was replaced', async (payable: Payable) => (await testEnvironment.replaceSecret(payable), payable.secret)],
  ['belongs to an intent that was canceled', async (payable: Payable) => (await cancelIntent(payable), payable.secret)],
])('a body is not read when its secret %s', async (_, createInvalidSecret) => {
  const secret = await createInvalidSecret(await testEnvironment.createPayable());
  // Each body would be refused for its size, its syntax or its members if it were read.
  for (const body of [`[${'{},'.repeat(60_000)}`, '{"', '{"cardNumber":1}']) {
    const refused = await testEnvironment.postJson('/client/payments', body, { secret });
    expect([refused.status, refused.body['errors']]).toEqual([401, {}]);
  }
});

test('a paid intent answers 20 to each of its secrets', async () => {
  const payable = await testEnvironment.createPayable();
  const other = { ...payable, secret: await testEnvironment.refreshSecret(payable) };
  const paid = await testEnvironment.payByCard(other);
  expect(paid.body['statusCode']).toBe(0);
  const duplicate = { statusCode: 20, message: 'DUPLICATE', authCode: '' };
  // The answer to a secret that has not paid names no transaction.
  expect((await testEnvironment.payByCard(payable)).body).toEqual({ ...duplicate, transactionId: '' });
  const { transactionId } = paid.body;
  expect(transactionId).toMatch(/^[0-9a-f-]{36}$/);
  expect((await testEnvironment.payByCard(other)).body).toEqual({ ...duplicate, transactionId });
});

test('an intent accepts ten submissions in half an hour, and refuses the eleventh', async () => {
  const payable = await testEnvironment.createPayable();
  let { secret } = payable;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await testEnvironment.payByCard({ secret }, { cV2: '999' })).body['statusCode']).toBe(5);
    secret = await testEnvironment.refreshSecret(payable);
  }
  expectRefused(await testEnvironment.payByCard({ secret }), 400);
  await testEnvironment.advanceTime(29 * 60_000);
  secret = await testEnvironment.refreshSecret(payable);
  expectRefused(await testEnvironment.payByCard({ secret }), 400);
  await testEnvironment.advanceTime(2 * 60_000);
  expect((await testEnvironment.payByCard({ secret })).body['statusCode']).toBe(0);
});

test('production without an acquirer is refused and stores no attempt', async () => {
  const payable = await testEnvironment.createPayable({ environment: 'production' });
  expectRefused(await testEnvironment.payByCard(payable), 503);
  expect(await testEnvironment.queryRows('select from online_attempts where environment = $1', ['production'])).toEqual(
    [],
  );
});

test('an address and an intent with too many calls get 429 with retry-after', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => testEnvironment.postJson('/client/payments', {}, { headers })),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  const { secret } = await testEnvironment.createPayable();
  const about = await Promise.all(
    Array.from({ length: 90 }, () => testEnvironment.postJson('/client/payments', {}, { secret })),
  );
  const refused = about.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

describe('a payer is not limited', () => {
  const refusedCalls = (secret: string, calls: number) =>
    Promise.all(Array.from({ length: calls }, () => testEnvironment.postJson('/client/payments', {}, { secret })));
  const waiting = (answers: readonly VaultResponse[]) => answers.filter(({ status }) => status === 429).length;

  test('by calls with a wrong secret for the same intent', async () => {
    const payable = await testEnvironment.createPayable();
    const guessed = Buffer.from(payable.secret, 'base64url');
    guessed[guessed.length - 1]! ^= 1;
    expect(waiting(await refusedCalls(`${guessed.toString('base64url')}==`, 90))).toBe(0);
    expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(0);
  });

  test('by calls with a replaced secret of the same intent', async () => {
    const payable = await testEnvironment.createPayable();
    await testEnvironment.replaceSecret(payable);
    const secret = await testEnvironment.refreshSecret(payable);
    expect(waiting(await refusedCalls(payable.secret, 90))).toBe(0);
    expect((await testEnvironment.payByCard({ secret })).body['statusCode']).toBe(0);
  });

  test('at the challenge, by refused submissions before it', async () => {
    const payable = await testEnvironment.createPayable();
    expect(waiting(await refusedCalls(payable.secret, 90))).toBeGreaterThan(0);
    let challenged = await testEnvironment.payByCard(payable, { cardNumber: '4456530000001096' });
    while (challenged.status === 429) {
      await pause(50);
      challenged = await testEnvironment.payByCard(payable, { cardNumber: '4456530000001096' });
    }
    expect(challenged.body['statusCode']).toBe(3);
    const ended = await testEnvironment.completeChallenge(payable, challenged.body['transactionId'], { paRes: 'Y' });
    expect(ended.body['statusCode']).toBe(0);
  });
});

test('pages of any origin may call, and the device data contain only the first digits', async () => {
  const payable = await testEnvironment.createPayable();
  const answer = await testEnvironment.postJson('/client/device-data', { cardNumber: '4456530000091014' }, payable);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  const token = Buffer.from(String(answer.body['token']), 'base64url').toString('utf8');
  expect(JSON.parse(token)).toEqual({ intentId: payable.id, bin: '44565300' });
  expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(0);
});

function cancelIntent({ scope, id }: Payable): Promise<unknown> {
  return testEnvironment.database.transact(scope, (tx) => testEnvironment.intents.cancel(tx, id));
}

function expireIntent({ scope, id }: Payable): Promise<unknown> {
  return testEnvironment.database.transact(scope, async (tx) => {
    const locked = (await lockIntent(tx, id))!;
    const intent = { ...locked.intent, expireAt: tx.now };
    await commitIntent(tx, locked, { intent, events: [], entries: [], webhookEvents: [], transactions: [] });
  });
}
