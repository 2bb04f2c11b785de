import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROBLEM_REASONS, reasonsWithStatus } from '@pos/rest-contracts/problems';
import {
  VALID_HEADERS,
  startOrderServer,
  PROBLEM_MEMBERS,
  type TestRequest,
  VALID_BODY,
} from '../testing/order-server.js';

type OrderServer = Awaited<ReturnType<typeof startOrderServer>>;
let orderServer: OrderServer;
const send = (...sent: Parameters<OrderServer['send']>) => orderServer.send(...sent);

beforeAll(async () => {
  orderServer = await startOrderServer();
});
afterAll(() => orderServer.close());

const listReasons = (status: number): readonly string[] => reasonsWithStatus(PROBLEM_REASONS, status);
const WRONG_KEY_HEADERS = { ...VALID_HEADERS, authorization: 'Basic nobody' };
const OLD_VERSION_HEADERS = { ...VALID_HEADERS, version: '2000-01-01' };
const { version: _version, ...UNVERSIONED } = VALID_HEADERS;
const createNestedLists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const createPaddedBody = (bytes: number): string => {
  const body = JSON.stringify({ ...VALID_BODY, padding: '' });
  return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`);
};

describe('a bad request is refused by its first failing check', () => {
  // oxfmt-ignore
  test.each<[string, string, string, TestRequest, number, string[]]>([
    // Path and method, before the sender is known.
    ['an unknown path', 'GET', '/nowhere', { headers: {} }, 404, []],
    ['a path with one step too many', 'GET', '/orders/o-1/lines', {}, 404, []],
    ['a path in another case', 'GET', '/Orders/o-1', {}, 404, []],
    ['a doubled slash', 'GET', '//orders/o-1', {}, 404, []],
    ['an empty path member', 'GET', '/orders//', {}, 404, []],
    ['a broken escape', 'GET', '/orders/%zz', { headers: {} }, 404, []],
    ['half an escape', 'GET', '/orders/%E0%A4%A', {}, 404, []],
    ['an endless path member', 'GET', `/orders/${'x'.repeat(8_100)}`, {}, 404, []],
    ['a method that the path does not have', 'PATCH', '/orders/o-1', { headers: {} }, 405, []],
    ['a method that only the id has', 'GET', '/orders/search', {}, 405, []],
    ['a deletion of the word', 'DELETE', '/orders/search', {}, 405, []],
    ['TRACE', 'TRACE', '/orders/o-1', {}, 405, []],
    // The key.
    ['no key', 'POST', '/orders', { headers: {} }, 401, []],
    ['an unknown key', 'POST', '/orders', { headers: WRONG_KEY_HEADERS }, 401, []],
    ['another scheme', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Digest full' } }, 401, []],
    ['the key alone', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'full' } }, 401, []],
    ['two spaces', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Basic  full' } }, 401, []],
    ['an empty key', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Basic ' } }, 401, []],
    ['an endless key', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: `Basic ${'x'.repeat(201)}` } }, 401, []],
    ['a key in base64 without its colon', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: `Basic ${btoa('full')}` } }, 401, []],
    ['a key in base64 with a password', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: `Basic ${btoa('full:full')}` } }, 401, []],
    ['an unknown bearer', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Bearer nobody' } }, 401, []],
    ['a wrong key and everything else wrong too', 'POST', '/orders', { headers: { ...WRONG_KEY_HEADERS, version: 'x', 'content-type': 'text/xml' }, body: '<a/>' }, 401, []],
    ['a production key on the sandbox', 'POST', '/sandbox/clock', { headers: { authorization: 'Basic production' } }, 404, []],
    // The version.
    ['no version', 'GET', '/orders/o-1', { headers: UNVERSIONED }, 400, ['version']],
    ['a version before the first', 'GET', '/orders/o-1', { headers: OLD_VERSION_HEADERS }, 400, ['version']],
    ['a version that is no date', 'GET', '/orders/o-1', { headers: { ...VALID_HEADERS, version: 'latest' } }, 400, ['version']],
    ['a version that is no valid day', 'GET', '/orders/o-1', { headers: { ...VALID_HEADERS, version: '2025-02-29' } }, 400, ['version']],
    ['a bad version where it may be left out', 'GET', '/public/o-1', { headers: { version: 'x' } }, 400, ['version']],
    ['a bad version and no permission', 'POST', '/orders', { headers: { ...OLD_VERSION_HEADERS, authorization: 'Basic reader' } }, 400, ['version']],
    // The permission.
    ['a key that may only read', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Basic reader' } }, 403, []],
    ['no permission and a hopeless body', 'POST', '/orders', { headers: { ...VALID_HEADERS, authorization: 'Basic reader', 'content-type': 'text/xml' }, body: '<a/>' }, 403, []],
    ['no permission and no partner', 'GET', '/machines', { headers: { ...VALID_HEADERS, authorization: 'Basic reader' } }, 403, []],
    // The partner headers.
    ['no partner headers', 'GET', '/machines', {}, 400, ['software-house-id', 'reseller-id']],
    ['one partner header', 'GET', '/machines', { headers: { ...VALID_HEADERS, 'reseller-id': 'r' } }, 400, ['software-house-id']],
    ['an empty partner header', 'GET', '/machines', { headers: { ...VALID_HEADERS, 'reseller-id': '', 'software-house-id': 's' } }, 400, ['reseller-id']],
    ['an endless partner header', 'GET', '/machines', { headers: { ...VALID_HEADERS, 'reseller-id': 'r', 'software-house-id': 's'.repeat(101) } }, 400, ['software-house-id']],
    // The body as a whole.
    ['another media type', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'text/xml' }, body: '<a/>' }, 415, []],
    ['a form', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'application/x-www-form-urlencoded' }, body: 'reference=a' }, 415, []],
    ['a near miss of the media type', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'application/json-patch+json' }, body: '[]' }, 415, []],
    ['another charset', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'application/json; charset=utf-16' }, body: '{}' }, 415, []],
    ['a compressed body', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-encoding': 'gzip' }, body: '{}' }, 415, []],
    ['no media type', 'POST', '/orders', { headers: { authorization: 'Basic full', version: '2026-02-27' }, body: '{}' }, 415, []],
    ['another media type where no body is read', 'DELETE', '/orders/o-1', { headers: { ...VALID_HEADERS, 'content-type': 'text/plain' }, body: 'x' }, 415, []],
    ['a byte too many', 'POST', '/orders', { body: createPaddedBody(1024 * 1024 + 1) }, 413, []],
    ['far too much, of another type', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'content-type': 'text/plain' }, body: createPaddedBody(2 * 1024 * 1024) }, 415, []],
    ['half a body', 'POST', '/orders', { body: '{"reference":' }, 400, []],
    ['blanks', 'POST', '/orders', { body: '   ' }, 400, []],
    ['two bodies', 'POST', '/orders', { body: '{}{}' }, 400, []],
    ['a comment', 'POST', '/orders', { body: '{/* */}' }, 400, []],
    ['NaN', 'POST', '/orders', { body: '{"reference":NaN}' }, 400, []],
    ['bytes that are no UTF-8', 'POST', '/orders', { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }, 400, []],
    ['a NUL', 'POST', '/orders', { body: '{"reference":"a\\u0000b"}' }, 400, []],
    ['a NUL in a name', 'POST', '/orders', { body: '{"a\\u0000":1}' }, 400, []],
    ['half of a surrogate pair', 'POST', '/orders', { body: '{"reference":"\\ud83c"}' }, 400, []],
    ['the other half', 'POST', '/orders', { body: '{"reference":"\\udf72"}' }, 400, []],
    ['33 levels', 'POST', '/orders', { body: createNestedLists(33) }, 400, []],
    ['10,000 levels', 'POST', '/orders', { body: createNestedLists(10_000) }, 400, []],
    ['100,000 levels', 'POST', '/orders', { body: createNestedLists(100_000) }, 400, []],
    ['broken syntax before a bad key', 'POST', '/orders', { headers: { ...VALID_HEADERS, idempotencykey: 'a b' }, body: '{' }, 400, []],
    // The idempotency key.
    ['a blank in the key', 'POST', '/orders', { headers: { ...VALID_HEADERS, idempotencyKey: 'a b' }, body: JSON.stringify(VALID_BODY) }, 400, ['idempotencyKey']],
    ['an empty key', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'idempotency-key': '' }, body: JSON.stringify(VALID_BODY) }, 400, ['idempotencyKey']],
    ['101 characters', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'idempotency-key': 'k'.repeat(101) }, body: JSON.stringify(VALID_BODY) }, 400, ['idempotencyKey']],
    ['umlauts in the key', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'idempotency-key': 'k\u00fc' }, body: JSON.stringify(VALID_BODY) }, 400, ['idempotencyKey']],
    ['two keys that differ', 'POST', '/orders', { headers: { ...VALID_HEADERS, 'idempotency-key': 'a', idempotencykey: 'b' }, body: JSON.stringify(VALID_BODY) }, 400, ['idempotencyKey']],
    ['no key where one is required', 'POST', '/orders/o-1/refunds', {}, 400, ['idempotencyKey']],
    ['a key that was used with another body', 'POST', '/orders', { headers: { ...VALID_HEADERS, idempotencyKey: 'used' }, body: '{"reference":"other"}' }, 409, []],
    // The members, all at once.
    ['an empty body', 'POST', '/orders', {}, 400, ['reference', 'amount']],
    ['an empty object', 'POST', '/orders', { body: '{}' }, 400, ['reference', 'amount']],
    ['a list', 'POST', '/orders', { body: '[]' }, 400, ['body']],
    ['a bare text', 'POST', '/orders', { body: '"x"' }, 400, ['body']],
    ['a list where no body is read', 'POST', '/orders/search', { body: '[]' }, 400, ['body']],
    ['several invalid members', 'POST', '/orders', { body: '{"reference":"","amount":{"value":1.5,"currencyCode":"GBP"},"kind":"x","dueAt":"now"}' }, 400, ['reference', 'amount.value', 'kind', 'dueAt']],
    ['a bad query', 'GET', '/orders/o-1?returnClosed=maybe', {}, 400, ['returnClosed']],
    ['a query that contradicts itself', 'GET', '/orders/o-1?returnClosed=true&returnClosed=false', {}, 400, ['returnClosed']],
    // All violations of one request in one answer.
    ['no version and an invalid body', 'POST', '/orders', { headers: { ...UNVERSIONED, idempotencyKey: 'a b' }, body: '{"reference":""}' }, 400, ['version', 'idempotencyKey', 'reference', 'amount']],
    ['an old version and an invalid query', 'GET', '/orders/o-1?returnClosed=maybe', { headers: OLD_VERSION_HEADERS }, 400, ['version', 'returnClosed']],
    ['no version, no partners and an invalid query', 'GET', '/machines?statuses=Lost', { headers: { authorization: 'Basic full' } }, 400, ['version', 'software-house-id', 'reseller-id', 'statuses[0]']],
    ['no version and no key where one is required', 'POST', '/orders/o-1/refunds', { headers: UNVERSIONED }, 400, ['version', 'idempotencyKey']],
    ['no version and a key that was answered before', 'POST', '/orders', { headers: { ...UNVERSIONED, idempotencyKey: 'used' }, body: '{}' }, 400, ['version', 'reference', 'amount']],
    ['a public path with a bad version', 'GET', '/public/o-1', { headers: { version: 'x' } }, 400, ['version']],
    // Violations without a member come after those found before.
    ['no version and another media type', 'POST', '/orders', { headers: { ...UNVERSIONED, 'content-type': 'text/xml' }, body: '<a/>' }, 400, ['version']],
    ['no version and half a body', 'POST', '/orders', { headers: UNVERSIONED, body: '{' }, 400, ['version']],
    ['no version and a key that was used with another body', 'POST', '/orders', { headers: { ...UNVERSIONED, idempotencyKey: 'used' }, body: '{"reference":"other"}' }, 400, ['version', 'amount']],
    ['a NUL in the query', 'GET', '/orders/o-1?returnClosed=%00', {}, 400, ['returnClosed']],
    // Refusals of the use case.
    ['an unknown id', 'GET', '/orders/gone', {}, 404, []],
    ['a state that does not allow it', 'POST', '/orders', { body: JSON.stringify({ ...VALID_BODY, reference: 'busy' }) }, 409, []],
  ])('%s', async (_, method, path, sent, status, members) => {
    const calls = orderServer.seen.length;
    const answer = await send(method, path, sent);
    expect([answer.status, Object.keys(answer.body['errors'] ?? {}).sort()]).toEqual([status, [...members].sort()]);
    expect(listReasons(status)).toContain(answer.body['reason']);
    expect(answer.body['documentation']).toBe(`/errors#${String(answer.body['reason'])}`);
    expect(Object.keys(answer.body)).toEqual(PROBLEM_MEMBERS.concat(path.startsWith('/machines') ? ['code'] : []));
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers['trace-id']).toBe(answer.body['traceId']);
    expect(answer.headers['version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic' : undefined);
    expect(orderServer.seen.length - calls).toBe(path === '/orders' && sent.body?.toString().includes('busy') === true ? 1 : 0);
  });

  // oxfmt-ignore

  test.each([
    ['/orders', 'DELETE', 'POST, OPTIONS'],
    ['/orders/o-1', 'PUT', 'GET, HEAD, DELETE, OPTIONS'],
    ['/orders/search/', 'GET', 'POST, OPTIONS'],
  ])('405 on %s names what is allowed', async (path, method, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
  });

  test('exactly 1 MiB and 32 levels are accepted', async () => {
    expect((await send('POST', '/orders', { body: createPaddedBody(1024 * 1024) })).status).toBe(200);
    expect((await send('POST', '/orders', { body: createNestedLists(32) })).body['errors']).toEqual({
      body: ['Must be an object.'],
    });
  });

  test('the refusal of a terminal operation has a code', async () => {
    const headers = { ...VALID_HEADERS, 'software-house-id': 's', 'reseller-id': 'r' };
    expect((await send('GET', '/machines?statuses=Offline', { headers })).body['code']).toBe('TERMINAL_UNAVAILABLE');
    expect((await send('GET', '/machines?statuses=Lost', { headers })).body['code']).toBe('INVALID_REQUEST');
    expect((await send('GET', '/machines', { headers: {} })).body['code']).toBe('INVALID_REQUEST');
    expect((await send('GET', '/machines', { headers: { authorization: 'Basic outage' } })).body['code']).toBe(
      'INTERNAL_ERROR',
    );
  });
});
