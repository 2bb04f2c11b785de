import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROBLEM_REASONS } from '@pos/rest-contracts/problems';
import { VALID_HEADERS, startOrderServer, type TestRequest, VALID_BODY } from '../testing/order-server.js';
import { formatUnreadableAnswer } from './unreadable-request.js';

let orderServer: Awaited<ReturnType<typeof startOrderServer>>;

beforeAll(async () => {
  orderServer = await startOrderServer();
});
afterAll(() => orderServer.close());

const send = (method: string, path: string, sent?: TestRequest) => orderServer.send(method, path, sent);

describe('the reason of a problem', () => {
  const { version: _, ...unversioned } = VALID_HEADERS;

  // oxfmt-ignore
  test.each<[string, string, string, TestRequest, string]>([
    ['an unknown path', 'GET', '/nowhere', {}, 'path_unknown'],
    ['a broken escape', 'GET', '/orders/%zz', {}, 'path_unknown'],
    ['another method', 'PATCH', '/orders/o-1', {}, 'method_not_allowed'],
    ['no key', 'GET', '/orders/o-1', { headers: {} }, 'unauthenticated'],
    ['a missing permission', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Basic reader' } }, 'permission_missing'],
    ['another media type', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'text/xml' }, body: '<a/>' }, 'media_type_unsupported'],
    ['too much', 'POST', '/orders', { body: 'x'.repeat(1024 * 1024 + 1) }, 'body_too_large'],
    ['half a body', 'POST', '/orders', { body: '{' }, 'body_malformed'],
    ['several violations', 'POST', '/orders', { headers: { ...unversioned, idempotencyKey: ' ' }, body: '{}' }, 'version_invalid'],
    ['a bad key and a bad body', 'POST', '/orders', { headers: { ...VALID_HEADERS, idempotencyKey: 'a b' }, body: '{}' }, 'idempotency_key_invalid'],
    ['a bad body', 'POST', '/orders', { body: '{}' }, 'validation_failed'],
    ['a key with another body', 'POST', '/orders', { headers: { ...VALID_HEADERS, idempotencyKey: 'used' }, body: '{"reference":"other"}' }, 'idempotency_key_reused'],
    ['an unknown id', 'GET', '/orders/gone', {}, 'payment_intent_not_found'],
    ['a state that does not allow it', 'POST', '/orders', { body: JSON.stringify({ ...VALID_BODY, reference: 'busy' }) }, 'payment_intent_busy'],
    ['an unexpected error', 'POST', '/orders', { body: JSON.stringify({ ...VALID_BODY, reference: 'boom' }) }, 'internal_error'],
    ['a lost database', 'POST', '/orders', { body: JSON.stringify({ ...VALID_BODY, reference: 'down' }) }, 'service_unavailable'],
    ['a lost commit', 'POST', '/orders', { body: JSON.stringify({ ...VALID_BODY, reference: 'unknown' }) }, 'commit_unknown'],
  ])('is given for %s', async (_title, method, path, sent, reason) => {
    const { body } = await send(method, path, sent);
    expect([body['reason'], body['documentation']]).toEqual([reason, `/errors#${reason}`]);
  });

  test.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', 431, 'header_fields_too_large'],
    ['HPE_INVALID_METHOD', 400, 'request_malformed'],
  ])('is given for %s where no request could be read', (code, status, reason) => {
    const log = { info: () => undefined } as never;
    const [head = '', body = ''] = formatUnreadableAnswer({ code }, log).split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ status, reason, documentation: `/errors#${reason}` });
  });

  test('links to a page that the app itself serves without a key', async () => {
    const page = await send('GET', '/errors', { headers: {} });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const reason of PROBLEM_REASONS) expect(page.text).toContain(`id="${reason}"`);
  });
});

describe('a key is accepted', () => {
  test.each([
    ['unchanged', 'Basic full'],
    ['as a bearer', 'Bearer full'],
    ['as curl -u sends it', `Basic ${btoa('full:')}`],
  ])('%s', async (_, authorization) => {
    expect((await send('GET', '/orders/o-1', { headers: { ...VALID_HEADERS, authorization } })).status).toBe(200);
  });
});

test('the refusal of a missing or invalid key names each accepted form', async () => {
  const { status, body } = await send('GET', '/orders/o-1', {
    headers: { ...VALID_HEADERS, authorization: 'Token x' },
  });
  expect(status).toBe(401);
  for (const form of ['authorization: Basic <key>', 'authorization: Bearer <key>', 'curl -u <key>:']) {
    expect(body['detail']).toContain(`\`${form}\``);
  }
});

describe('an idempotency key is accepted', () => {
  // oxfmt-ignore
  test.each<[string, Record<string, string>, string | number]>([
    ['from the own header', { idempotencyKey: 'k-1' }, 'k-1'],
    ['from the standard header', { 'Idempotency-Key': 'k-1' }, 'k-1'],
    ['from the standard header in quotes', { 'Idempotency-Key': '"k-1"' }, 'k-1'],
    ['from both, when they are equal', { idempotencyKey: 'k-1', 'Idempotency-Key': 'k-1' }, 'k-1'],
    ['from both, one of them in quotes', { idempotencyKey: 'k-1', 'Idempotency-Key': '"k-1"' }, 'k-1'],
    ['never from two that differ', { idempotencyKey: 'k-1', 'Idempotency-Key': 'k-2' }, 400],
    ['never from one that is empty beside a good one', { idempotencyKey: 'k-1', 'Idempotency-Key': '' }, 400],
    ['never from empty quotes', { 'Idempotency-Key': '""' }, 400],
  ])('%s', async (_, headers, key) => {
    const { status } = await orderServer.create(VALID_BODY, headers);
    expect(status === 200 ? orderServer.seen.at(-1) : status).toEqual(
      typeof key === 'number' ? key : expect.objectContaining({ idempotency: expect.objectContaining({ key }) }),
    );
  });
});

describe('the header warnings', () => {
  const warned = async (body: unknown, headers = {}) => (await orderServer.create(body, headers)).headers['warnings'];

  // oxfmt-ignore
  test.each<[string, object, Record<string, string>, string | undefined]>([
    ['is not sent when there is nothing', VALID_BODY, {}, undefined],
    ['is not sent for another spelling of a known member', { Reference: 'a', AMOUNT: VALID_BODY.amount }, {}, undefined],
    ['names an unknown member', { ...VALID_BODY, colour: 'blue' }, {}, 'unknown_member:colour'],
    ['names it where it is', { ...VALID_BODY, amount: { ...VALID_BODY.amount, tax: 1 } }, {}, 'unknown_member:amount.tax'],
    ['names it beside violations', { colour: 1 }, {}, 'unknown_member:colour'],
    ['names a date after the newest release', VALID_BODY, { version: '2099-01-01' }, 'version_not_released:2099-01-01'],
    ['names all of it', { ...VALID_BODY, a: 1, b: 2 }, { version: '2099-01-01' }, 'version_not_released:2099-01-01, unknown_member:a, unknown_member:b'],
    ['repeats no value', { ...VALID_BODY, secret: 'hunter2' }, {}, 'unknown_member:secret'],
    ['hides a name that breaks a header', { ...VALID_BODY, 'a\r\nset-cookie: b': 1 }, {}, 'unknown_member:not_shown'],
    ['hides a name in another alphabet', { ...VALID_BODY, 'größe': 1 }, {}, 'unknown_member:not_shown'],
    ['hides a name that may hold a card number', { ...VALID_BODY, n4456530000001013: 1 }, {}, 'unknown_member:not_shown'],
    ['hides an empty name', { ...VALID_BODY, '': 1 }, {}, 'unknown_member:not_shown'],
  ])('%s', async (_, body, headers, warnings) => {
    expect(await warned(body, headers)).toBe(warnings);
  });

  test('names ten things at most, in few bytes, for every request', async () => {
    const unusual = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${'x'.repeat(150)}${at}`, 1]));
    const text = (await warned({ ...VALID_BODY, ...unusual })) ?? '';
    expect(text.split(', ')).toHaveLength(11);
    expect(text.endsWith(', more')).toBe(true);
    expect(text.length).toBeLessThan(1_300);
  });

  test('names a query member, and is logged', async () => {
    const { headers } = await send('GET', '/orders/o-1?colour=blue');
    expect(headers['warnings']).toBe('unknown_query_member:colour');
    expect(orderServer.lines.at(-1)).toMatchObject({ warnings: 'unknown_query_member:colour' });
  });
});
