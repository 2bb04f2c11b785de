import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as rest from '@pos/rest-contracts/payment-intents';
import { defineStatement } from '@pos/postgres/statements';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

describe('a search', () => {
  type Page = Awaited<ReturnType<typeof search>>;
  let key: string;
  beforeAll(async () => {
    ({ key } = await testEnvironment.createAccount());
  });
  const search = (body: Record<string, unknown> = {}) =>
    testEnvironment.createClient(key)(rest.searchPaymentIntents, { body });
  const references = ({ data }: Page) => data.map(({ reference }) => reference);
  const create = async (...names: string[]) => {
    for (const reference of names) await testEnvironment.createIntent({ reference }, key);
  };

  test('goes newest first, and neither loses nor repeats an intent when more are made meanwhile', async () => {
    await create('1', '2', '3', '4', '5', '6', '7');
    const first = await search({ cursor: { limit: 3 } });
    expect([references(first), first.before]).toEqual([['7', '6', '5'], null]);
    await create('8', '9');
    const second = await search({ cursor: { limit: 3, after: first.after } });
    expect(references(second)).toEqual(['4', '3', '2']);
    const third = await search({ CURSOR: { LIMIT: '3', AFTER: second.after } });
    expect([references(third), third.after]).toEqual([['1'], null]);
    const back = await search({ cursor: { limit: 3, before: second.before } });
    expect(references(back)).toEqual(['7', '6', '5']);
    const newest = await search({ cursor: { limit: 3, before: back.before } });
    expect([references(newest), newest.before]).toEqual([['9', '8'], null]);
  });

  test('of large intents shows fewer at once, and leads to all of them in both directions', async () => {
    const { key: own } = await testEnvironment.createAccount();
    const line = { caption: 'c'.repeat(100), category: 'c'.repeat(100), plu: 'p'.repeat(200), amountTotal: GBP_20 };
    const itemLines = Array.from({ length: 400 }, () => line);
    for (const reference of ['1', '2', '3', '4', '5'])
      await testEnvironment.createIntent({ reference, itemLines }, own);
    const of = (cursor: Record<string, unknown>) =>
      testEnvironment.createClient(own)(rest.searchPaymentIntents, { body: { cursor } });
    const first = await of({});
    expect([references(first), first.before]).toEqual([['5', '4'], null]);
    const second = await of({ after: first.after });
    expect(references(second)).toEqual(['3', '2']);
    const third = await of({ after: second.after });
    expect([references(third), third.after]).toEqual([['1'], null]);
    const back = await of({ before: third.before });
    expect(references(back)).toEqual(['3', '2']);
    const newest = await of({ before: back.before });
    expect([references(newest), newest.before]).toEqual([['5', '4'], null]);
    // One that is too large for a page by itself is a page.
    const modifiers = [1, 2].map((number) => ({
      ...{ id: `${number}`, name: 'm'.repeat(150), quantity: 1, amountPerModifier: GBP_20 },
    }));
    const long = { ...line, modifiers };
    await testEnvironment.createIntent({ reference: '6', itemLines: Array.from({ length: 600 }, () => long) }, own);
    expect(references(await of({}))).toEqual(['6']);
  });

  test('of intents of one moment misses none', async () => {
    const { scope, key: own } = await testEnvironment.createAccount();
    await Promise.all(Array.from({ length: 12 }, () => testEnvironment.createIntent({}, own)));
    await testEnvironment.testDatabase.database.transact(scope, (tx) =>
      tx.query(SET_CREATED_AT, [scope.accountId, scope.environment, tx.databaseNow]),
    );
    const received: string[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const cursor: { limit: number; after?: string } = { limit: 5, ...(after !== undefined && { after }) };
      const page = await testEnvironment.createClient(own)(rest.searchPaymentIntents, { body: { cursor } });
      received.push(...page.data.map(({ id }) => id));
      ({ after } = page);
    }
    expect([received.length, new Set(received).size]).toEqual([12, 12]);
    expect(received).toEqual([...received].sort().reverse());
  });

  test('refuses the cursor of another account, and reads its own', async () => {
    await create('mine', 'mine too');
    const { after } = await search({ cursor: { limit: 1 } });
    const { key: other } = await testEnvironment.createAccount();
    const body = { cursor: { limit: 1, after } };
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents/search', { key: other, body });
    expect([answer.status, parseProblem(answer).reason, Object.keys(parseProblem(answer).errors)]).toEqual([
      ...[400, 'validation_failed', ['cursor.after']],
    ]);
    expect((await search({ cursor: { limit: 1, after: after ?? '' } })).data).toHaveLength(1);
  });

  test('finds by status, Canceled ones only by name, and by time: the start is in, the end is not', async () => {
    const created = await testEnvironment.createIntent({ reference: 'gone' }, key);
    await testEnvironment.createClient(key)(rest.cancelPaymentIntent, { params: { paymentIntentId: created.id } });
    expect(references(await search())).not.toContain('gone');
    expect(references(await search({ statuses: ['Created', 'Captured'] }))).not.toContain('gone');
    expect(references(await search({ Statuses: ['cANCELED'] }))).toEqual(['gone']);
    const named = async (more: Record<string, unknown>) =>
      references(await search({ statuses: ['Canceled'], ...more }));
    expect(await named({ startDate: created.createdAt })).toEqual(['gone']);
    expect(await named({ endDate: created.createdAt })).toEqual([]);
    expect(await named({ startDate: '0001-01-01T00:00:00Z', endDate: '9999-12-31T23:59:59Z' })).toEqual(['gone']);
  });

  test('sees nothing of another account or environment', async () => {
    await create('mine');
    for (const other of [testEnvironment.keys.foreign, testEnvironment.keys.production]) {
      const page = await testEnvironment.createClient(other)(rest.searchPaymentIntents, { body: {} });
      expect(page.data.filter(({ reference }) => reference === 'mine')).toEqual([]);
    }
  });

  const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  // oxfmt-ignore
  test.each<[string, Record<string, unknown>, string[]]>([
    ['none', { limit: 0 }, ['cursor.limit']],
    ['101', { limit: 101 }, ['cursor.limit']],
    ['half', { limit: 1.5 }, ['cursor.limit']],
    ['both ways', { before: token([1, 'x']), after: token([1, 'x']) }, ['cursor.before']],
    ['a token of nobody', { after: 'x' }, ['cursor.after']],
    ['an empty token', { before: '' }, ['cursor.before']],
    ['an endless token', { after: 'x'.repeat(201) }, ['cursor.after']],
    ['a token of another thing', { before: token([1, 'cust_sandbox_AAAAAAAAAAAAAAAAAAAAAA']) }, ['cursor.before']],
    ['a token of text', { after: token(['now', 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA']) }, ['cursor.after']],
    ['a token beyond all time', { after: token([9e15, 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA']) }, ['cursor.after']],
    ['a token before all time', { after: token([-1, 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA']) }, ['cursor.after']],
    ['a token of an object', { after: token({}) }, ['cursor.after']],
  ])('by %s is refused', async (_, cursor, members) => {
    const answer = await testEnvironment.sendRequest('POST', '/payment-intents/search', { body: { cursor } });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
  });
});

const SET_CREATED_AT = defineStatement(
  'test_same_moment',
  'update payment_intents set created_at = $3 where account_id = $1 and environment = $2 returning id',
);

describe('an idempotency key', () => {
  const create = (idempotencyKey: string, body: unknown, key = testEnvironment.keys.full) =>
    testEnvironment.sendRequest('POST', '/payment-intents', { key, headers: { idempotencyKey }, body });
  const BODY = { amount: GBP_20, reference: 'table 4', metadata: { a: 1, b: 2 } };
  const count = async (reference: string) =>
    (await testEnvironment.queryRows('select id from payment_intents where reference = $1', [reference])).length;

  test('gives the bytes of the first answer again, also after the intent has changed', async () => {
    const first = await create('again', { ...BODY, reference: 'again' });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    await testEnvironment.createClient()(rest.cancelPaymentIntent, {
      params: { paymentIntentId: String(parseJson(first)['id']) },
    });
    const { metadata, amount } = BODY;
    const reordered = { reference: 'again', metadata: { b: metadata.b, a: metadata.a }, amount };
    const path = '/payment-intents/';
    const repeat = await testEnvironment.sendRequest('POST', path, {
      headers: { 'Idempotency-Key': 'again' },
      body: reordered,
    });
    expect([repeat.status, repeat.headers['idempotent-replayed'], repeat.text]).toEqual([200, 'true', first.text]);
    expect(await count('again')).toBe(1);
  });

  test.each([
    ['another member', { ...BODY, description: 'x' }],
    ['the same number as text', { ...BODY, amount: { value: '2000', currencyCode: 'GBP' } }],
    ['a member that nobody reads', { ...BODY, unread: true }],
    ['a body that is refused anyhow', {}],
  ])('with another body is refused: %s', async (name, body) => {
    await create(`other ${name}`.replaceAll(' ', '-'), BODY);
    const answer = await create(`other ${name}`.replaceAll(' ', '-'), body);
    expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([409, 'idempotency_key_reused']);
  });

  test('is not bound by a refusal: the corrected request may use it', async () => {
    const statuses: number[] = [];
    for (const body of [{}, { ...BODY, amount: { value: 1, currencyCode: 'JPY' } }, BODY, BODY]) {
      statuses.push((await create('corrected', body)).status);
    }
    expect(statuses).toEqual([400, 400, 200, 200]);
    const { id } = await testEnvironment.createIntent();
    const session = await testEnvironment.startSale(id);
    const path = `/payment-intents/${id}`;
    const remove = () => testEnvironment.sendRequest('DELETE', path, { headers: { idempotencyKey: 'state' } });
    expect((await remove()).status).toBe(409);
    await testEnvironment.applyReport(session.id, { number: 1, kind: 'canceled' });
    expect((await remove()).status).toBe(200);
    expect((await remove()).headers['idempotent-replayed']).toBe('true');
  });

  test('belongs to its account, environment, method and path', async () => {
    const answers = [
      await create('shared', BODY),
      await create('shared', BODY, testEnvironment.keys.production),
      await create('shared', BODY, testEnvironment.keys.foreign),
      await testEnvironment.sendRequest('POST', '/payment-intents/search', {
        headers: { idempotencyKey: 'shared' },
        body: {},
      }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual(
      answers.map(() => [200, undefined]),
    );
  });

  test('makes one intent of 30 requests at once', async () => {
    const body = { ...BODY, reference: 'thirty' };
    const answers = await Promise.all(Array.from({ length: 30 }, () => create('thirty', body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length).toBe(1);
    expect(await count('thirty')).toBe(1);
  });

  test('keeps a search and an advance of the clock too', async () => {
    const { key } = await testEnvironment.createAccount();
    const headers = { idempotencyKey: 'kept' };
    const search = () => testEnvironment.sendRequest('POST', '/payment-intents/search', { key, headers, body: {} });
    const found = await search();
    await testEnvironment.createIntent({}, key);
    expect([(await search()).text, (await search()).headers['idempotent-replayed']]).toEqual([found.text, 'true']);
    const advance = () =>
      testEnvironment.sendRequest('POST', '/sandbox/clock/advance', { key, headers, body: { by: '01:00:00' } });
    const advanced = await advance();
    expect([(await advance()).text, (await advance()).headers['idempotent-replayed']]).toEqual([advanced.text, 'true']);
  });
});
