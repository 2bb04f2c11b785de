import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PORTAL_PERMISSIONS, type MemberRole } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import { toSecret } from '@pos/service-kit/config';
import { formatPortalToken, type PortalTokenSubject } from '@pos/service-kit/portal';
import { PASSWORD, PORTAL_KEY, PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
});
afterAll(() => environment.close());

const NEW_PAYMENT = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' };
const FORGET_PASSWORD = `update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`;

const create = (cookie: string, idempotencyKey?: string) =>
  environment.send('POST', '/portal/api/payment-intents', {
    ...{ cookie, body: NEW_PAYMENT },
    ...(idempotencyKey !== undefined && { headers: { idempotencykey: idempotencyKey } }),
  });

async function createPayment(): Promise<string> {
  return readBody<{ id: string }>((await create(await environment.signInAs('admin'))).text).id;
}

test('a payment is created in the account of the session, once for one idempotency key', async () => {
  const cookie = await environment.signInAs('support');
  const key = '2f1c9d0e-6f4b-4f0c-9a70-6ad1b1a0a001';
  const [first, second] = [await create(cookie, key), await create(cookie, key)];
  expect(first.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotent-replayed']).toBe('true');
  const rows = await environment.change('select account_id from payment_intents where id = $1', [
    readBody<{ id: string }>(first.text).id,
  ]);
  expect(rows).toEqual([{ account_id: environment.own.accountId }]);
});

test('the audit log names the user of every request that may change something or reads personal data', async () => {
  const email = await environment.createUser('support');
  const cookie = await environment.signIn(email);
  await create(cookie);
  await environment.send('GET', '/portal/api/terminals', { cookie });
  await environment.send('POST', '/portal/api/payment-intents/search', { cookie, body: {} });
  await environment.send('POST', '/portal/api/payment-intents/search', { cookie, body: {} });
  await environment.send('GET', '/portal/api/customers/cus_x', { cookie });
  await environment.send('GET', '/portal/api/epos/reservations/r-1', { cookie });
  await environment.send('GET', '/portal/api/epos/parties/p-1', { cookie });
  await environment.send('GET', '/portal/api/epos/tables', { cookie });
  await environment.send('POST', '/portal/api/payment-intents?by=/search', { cookie, body: NEW_PAYMENT });
  const rows = await environment.change(
    `select a.subject, a.action from audit_entries a join portal_users u on u.id = a.actor where u.email = $1
       and a.action <> 'SignIn' order by a.subject`,
    [email],
  );
  expect(rows).toEqual([
    { subject: 'GET /customers/cus_x', action: 'ReadPersonalData' },
    { subject: 'GET /epos/parties/p-1', action: 'ReadPersonalData' },
    { subject: 'GET /epos/reservations/r-1', action: 'ReadPersonalData' },
    { subject: 'POST /payment-intents', action: 'PortalRequest' },
    { subject: 'POST /payment-intents/search', action: 'ReadPersonalData' },
    { subject: 'POST /payment-intents?by=/search', action: 'PortalRequest' },
  ]);
});

test('a problem of the API reaches the page with its members', async () => {
  const cookie = await environment.signInAs('support');
  const body = { ...NEW_PAYMENT, amount: { value: 0, currencyCode: 'GBP' } };
  const answer = await environment.send('POST', '/portal/api/payment-intents', { cookie, body });
  expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual(['amount.value']);
});

test('a payment of another account is an unknown one', async () => {
  const id = await createPayment();
  const stranger = await environment.signIn(await environment.createUser('admin', environment.other));
  const path = `/portal/api/payment-intents/${id}`;
  expect(await environment.send('GET', path, { cookie: stranger })).toMatchObject({
    reason: 'payment_intent_not_found',
  });
  expect(await environment.send('DELETE', path, { cookie: stranger })).toMatchObject({
    reason: 'payment_intent_not_found',
  });
});

// oxfmt-ignore
test.each<[MemberRole, string, string]>([
  ['viewer', 'POST', '/payment-intents'],
  ['viewer', 'POST', '/payment-intents/pi_sandbox_x/refunds'],
  ['viewer', 'POST', '/payment-intents/pi_sandbox_x/captures'],
  ['viewer', 'GET', '/api-keys'],
  ['viewer', 'POST', '/webhooks'],
  ['viewer', 'POST', '/epos/reservations'],
  ['viewer', 'DELETE', '/epos/reservations/r-1'],
  ['developer', 'PUT', '/epos/reservations/r-1'],
  ['viewer', 'PATCH', '/branding'],
  ['developer', 'PATCH', '/branding'],
  ['viewer', 'POST', '/sandbox/clock/advance'],
  ['support', 'GET', '/api-keys'],
  ['support', 'POST', '/webhooks'],
  ['developer', 'POST', '/payment-intents/pi_sandbox_x/refunds'],
  ['developer', 'POST', '/payment-intents/pi_sandbox_x/reversal'],
  ['developer', 'POST', '/api-keys'],
  ['developer', 'DELETE', '/api-keys/key_x'],
])('a %s may not %s %s', async (role, method, path) => {
  const cookie = await environment.signInAs(role);
  const answer = await environment.send(method, `/portal/api${path}`, { cookie, ...(method !== 'GET' && { body: {} }) });
  expect(answer).toMatchObject({ status: 403, reason: 'permission_missing' });
});

test('a page that shows another account than that of the session does nothing', async () => {
  const email = await environment.createUser('admin');
  const cookie = await environment.signIn(email);
  const { accountId } = environment.own;
  const sendFor = (path: string, shown: string) =>
    environment.send('GET', path, { cookie, headers: { 'portal-account': shown } });
  for (const path of ['/portal/api/terminals', '/portal/overview']) {
    expect((await sendFor(path, `${accountId}/sandbox`)).status).toBe(200);
    for (const shown of [`${accountId}/production`, `${environment.other.accountId}/sandbox`, ''])
      expect(await sendFor(path, shown)).toMatchObject({ status: 409, reason: 'account_not_chosen' });
  }
});

test.each([
  ['in a sandbox, a trial of the reference is sent', 'sandbox', { 'portal-trial': 'sandbox' }, 200, undefined],
  [
    'in production, a trial of the reference is refused',
    'production',
    { 'portal-trial': 'sandbox' },
    403,
    'permission_missing',
  ],
  ['in production, other requests are sent', 'production', {}, 200, undefined],
] as const)('%s', async (_, kind, headers, status, reason) => {
  const scope = { accountId: environment.own.accountId, environment: kind } as const;
  const cookie = await environment.signIn(await environment.createUser('admin', scope));
  const answer = await environment.send('GET', '/portal/api/terminals', { cookie, headers });
  expect([answer.status, answer.reason ?? undefined]).toEqual([status, reason]);
});

test('a role that was taken away ends what the user may do', async () => {
  const cookie = await environment.signInAs('admin');
  await environment.change('delete from portal_memberships');
  expect(await create(cookie)).toMatchObject({ status: 409, reason: 'account_not_chosen' });
});

const SALE = { sessionType: 'Sale', sale: { paymentIntentId: 'pi_sandbox_x' } };
const UNLINKED = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: { value: 5000, currencyCode: 'GBP' } } };
test.each<[string, string, unknown?]>([
  ['POST', '/pay-at-table/pending/7e0c5a8f-3b0a-4a51-9a63-0f3f3c0c7d11/resolve', { action: 'GiveBack' }],
  ['POST', '/terminal-sessions', { terminalId: 'tm_sandbox_x', details: UNLINKED }],
  ['POST', '/terminal-sessions', { terminalId: 'tm_sandbox_x', details: { SESSIONTYPE: 'matchedREFUND' } }],
  ['POST', '/terminal-sessions', '{"details":{"sessionType":"\\u0055nlinkedR\\u0065fund"}}'],
  ['POST', '/terminal-sessions', `\ufeff${JSON.stringify({ terminalId: 'tm_sandbox_x', details: UNLINKED })}`],
  ['POST', '/terminal-sessions', { terminalId: 'tm_sandbox_x', sessionType: 'UnlinkedRefund', amount: 7700 }],
  ['POST', '/terminal-sessions/', { terminalId: 'tm_sandbox_x', details: UNLINKED }],
  ['POST', '/terminal-sessions?', { terminalId: 'tm_sandbox_x', details: UNLINKED }],
  ['POST', '/terminal-sessions?x=1', { terminalId: 'tm_sandbox_x', details: UNLINKED }],
  ['POST', '/terminal-sessions', `{"details":${JSON.stringify(SALE)},"details":${JSON.stringify(UNLINKED)}}`],
  ['POST', '/terminal-sessions', { terminalId: 'tm_sandbox_x', details: SALE, DETAILS: UNLINKED }],
  ['POST', '/terminal-sessions', { terminalId: 'tm_sandbox_x', details: { sessionType: 'of tomorrow' } }],
  ['POST', '/terminals/tm_sandbox_x/machine/reset', { reason: 'a test' }],
  ['POST', '/api-keys'],
  ['DELETE', '/api-keys/key_AaH8KwlxavakGwZZljrhYw'],
  ['PATCH', '/branding'],
  ['POST', '/webhooks/ws_x/secrets'],
  ['PUT', '/webhooks/ws_x/secrets/sc_x/activate'],
  ['DELETE', '/webhooks/ws_x/secrets/sc_x'],
  ['POST', '/payment-intents/pi_sandbox_x/refunds'],
  ['POST', '/payment-intents/pi_sandbox_x/reversal'],
])('%s %s needs the password within five minutes: %j', async (method, path, body = {}) => {
  const cookie = await environment.signInAs('admin');
  await environment.change(FORGET_PASSWORD);
  const send = () => environment.send(method, `/portal/api${path}`, { cookie, body });
  expect(await send()).toMatchObject({ status: 403, reason: 'reauthentication_needed' });
  const wrong = await environment.send('POST', '/portal/session/reauthenticate', {
    cookie,
    body: { password: 'wrong' },
  });
  expect(wrong).toMatchObject({ status: 401, reason: 'sign_in_refused' });
  expect(await send()).toMatchObject({ reason: 'reauthentication_needed' });
  const right = await environment.send('POST', '/portal/session/reauthenticate', {
    cookie,
    body: { password: PASSWORD },
  });
  expect(right.status).toBe(204);
  expect((await send()).reason).not.toBe('reauthentication_needed');
});

test.each([
  ['as the reference writes it', { details: SALE }],
  ['in other letters', { Details: { SessionType: 'sale', sale: { paymentIntentId: 'refund of a friend' } } }],
  ['flat', { sessionType: 'Sale', paymentIntentId: 'pi_sandbox_x' }],
  ['after a byte order mark', `\ufeff${JSON.stringify({ terminalId: 'tm_sandbox_x', details: SALE })}`],
])('a sale on a card machine needs no other password: %s', async (_, body) => {
  const cookie = await environment.signInAs('support');
  await environment.change(FORGET_PASSWORD);
  const sent = typeof body === 'string' ? body : { terminalId: 'tm_sandbox_x', ...body };
  const answer = await environment.send('POST', '/portal/api/terminal-sessions', { cookie, body: sent });
  expect(answer).toMatchObject({ status: 404, reason: 'terminal_not_found' });
});

test.each<[string, string, unknown?]>([
  ['PUT', '/epos/integrations/rest', { url: 'https://epos.example.com' }],
  ['PUT', '/epos/integrations/ws', {}],
  ['PUT', '/epos/integrations/grpc', {}],
  ['DELETE', '/epos/integrations/rest'],
  ['DELETE', '/epos/integrations/ws'],
  ['DELETE', '/epos/integrations/grpc'],
  ['POST', '/webhooks', { url: 'https://example.com/hooks' }],
  ['PATCH', '/webhooks/ws_x', { url: 'https://example.com/other' }],
  ['DELETE', '/webhooks/ws_x'],
])('%s %s needs the password in production only', async (method, path, ...[body]) => {
  for (const kind of ['production', 'sandbox'] as const) {
    const scope = { accountId: environment.own.accountId, environment: kind };
    const cookie = await environment.signIn(await environment.createUser('admin', scope));
    await environment.change(FORGET_PASSWORD);
    const answer = await environment.send(method, `/portal/api${path}`, { cookie, body });
    expect([kind, answer.reason === 'reauthentication_needed']).toEqual([kind, kind === 'production']);
  }
});

test.each([
  ['another media type', 'text/plain', '{}', 415, 'media_type_unsupported'],
  ['another character set', 'application/json; charset=utf-16', '{}', 415, 'media_type_unsupported'],
  ['what is no JSON', 'application/json', '{', 400, 'body_malformed'],
  ['a byte order mark twice', 'application/json', '\ufeff\ufeff{}', 400, 'body_malformed'],
  ['half a million brackets', 'application/json', '['.repeat(500_000), 400, 'body_malformed'],
  ['a million values', 'application/json', `[${'1,'.repeat(500_000)}1]`, 413, 'body_too_large'],
])('the portal refuses %s before it is forwarded', async (_, type, body, status, reason) => {
  const cookie = await environment.signInAs('admin');
  const headers = { 'content-type': type };
  const audited = () => environment.change('select count(*)::int as n from audit_entries');
  const before = await audited();
  const answer = await environment.send('POST', '/portal/api/terminal-sessions', { cookie, body, headers });
  expect(answer).toMatchObject({ status, reason });
  expect(await audited()).toEqual(before);
});

test('a body is not read before its sender may call', async () => {
  const body = '{';
  const send = (more: object) => environment.send('POST', '/portal/api/terminal-sessions', { body, ...more });
  expect(await send({})).toMatchObject({ status: 401, reason: 'portal_session_missing' });
  const cookie = await environment.signInAs('viewer');
  expect(await send({ cookie })).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(await send({ cookie, headers: { 'sec-fetch-site': 'cross-site' } })).toMatchObject({
    ...{ status: 403, reason: 'cross_site_request' },
  });
});

test.each([
  ['/terminals?', 'GET'],
  ['/terminals/?', 'GET'],
  ['/payment-intents?', 'POST'],
])('a question mark at the end of %s has no effect', async (path, method) => {
  const cookie = await environment.signInAs('admin');
  const answer = await environment.send(method, `/portal/api${path}`, {
    cookie,
    ...(method === 'POST' && { body: NEW_PAYMENT }),
  });
  expect(answer.status).toBe(200);
});

test('the body of a request that reads is not forwarded', async () => {
  const cookie = await environment.signInAs('admin');
  const answer = await environment.send('GET', '/portal/api/terminals', { cookie, body: UNLINKED });
  expect(answer.status).toBe(200);
});

test('a key that may only read webhooks does not receive their signing secrets', async () => {
  const developer = await environment.signInAs('developer');
  const body = { url: 'https://example.com/hooks', events: ['payment_intent.created'] };
  const created = await environment.send('POST', '/portal/api/webhooks', { cookie: developer, body });
  const { id, secret } = readBody<{ id: string; secret: { value: string } }>(created.text);
  const paths = ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/secrets`].map((path) => `/portal/api${path}`);
  for (const path of paths) {
    expect((await environment.send('GET', path, { cookie: developer })).text).toContain(secret.value);
    for (const role of ['viewer', 'support'] as const) {
      const answer = await environment.send('GET', path, { cookie: await environment.signInAs(role) });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(secret.value);
      expect(answer.text).toContain('(hidden)');
    }
  }
});

test.each([
  ['an unknown path', 'GET', '/nothing', 'path_unknown'],
  ['a path with dots', 'GET', '/payment-intents/../terminals', 'path_unknown'],
  ['a path with encoded dots', 'GET', '/payment-intents/%2e%2e', 'path_unknown'],
  ['a path with a backslash', 'GET', '/payment-intents/x\\..', 'path_unknown'],
  ['a fragment', 'GET', '/terminals?x=1#y', 'path_unknown'],
  ['a quote that no browser sends', 'GET', '/terminals?name="x"', 'path_unknown'],
  ['what payers call without a key', 'GET', '/payment-intents/public/pi_sandbox_x', 'path_unknown'],
  ['health', 'GET', '/health/ready', 'path_unknown'],
  ['a method of no operation', 'PATCH', '/payment-intents', 'method_not_allowed'],
])('%s is not forwarded', async (_, method, path, reason) => {
  const cookie = await environment.signInAs('admin');
  expect(await environment.send(method, `/portal/api${path}`, { cookie })).toMatchObject({ reason });
});

async function createSubject(more: Partial<PortalTokenSubject> = {}): Promise<PortalTokenSubject> {
  // Made here: without a user every token would be refused, also a valid one.
  const email = await environment.createUser(null);
  const [row] = await environment.change('select id from portal_users where email = $1', [email]);
  const actor = String(row?.['id']) as `usr_${string}`;
  const body = Buffer.from(JSON.stringify(NEW_PAYMENT));
  const permissions = PORTAL_PERMISSIONS.admin;
  return { scope: environment.own, actor, permissions, method: 'POST', path: '/payment-intents', body, ...more };
}

function sendToken(token: string, body: Uint8Array): ReturnType<PortalTestEnvironment['sendPaymentToApi']> {
  return environment.sendPaymentToApi(token, Buffer.from(body).toString());
}

test('the API accepts a token once', async () => {
  const subject = await createSubject();
  const token = formatPortalToken(subject, toSecret(PORTAL_KEY), Date.now());
  expect((await sendToken(token, subject.body)).status).toBe(200);
  expect(await sendToken(token, subject.body)).toMatchObject({ status: 401, reason: 'unauthenticated' });
});

// oxfmt-ignore
test.each<[string, Partial<PortalTokenSubject>, { key?: string; ageMs?: number; body?: string }]>([
  ['for another path', { path: '/customers' }, {}],
  ['for another query', { path: '/payment-intents?returnCanceled=true' }, {}],
  ['for another method', { method: 'PUT' }, {}],
  ['for another body', {}, { body: JSON.stringify({ ...NEW_PAYMENT, reference: 'table 5' }) }],
  ['that has expired', {}, { ageMs: 31_000 }],
  ['from the future', {}, { ageMs: -31_000 }],
  ['of another key', {}, { key: 'another key of the portal, which is long enough' }],
  ['for an unknown account', { scope: { accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA', environment: 'sandbox' } }, {}],
])('the API refuses a token %s', async (_, subjectChange, { key = PORTAL_KEY, ageMs = 0, body }) => {
  const subject = await createSubject(subjectChange);
  const token = formatPortalToken(subject, toSecret(key), Date.now() - ageMs);
  const answer = await sendToken(token, body === undefined ? subject.body : Buffer.from(body));
  expect(answer).toMatchObject({ status: 401, reason: 'unauthenticated' });
});

test.each([
  ['without a signature', (token: string) => token.split('.')[0] ?? ''],
  ['with more parts', (token: string) => `${token}.x`],
  ['with other claims', (token: string) => token.replace(/ (.)/, (_, first) => (first === 'e' ? ' f' : ' e'))],
  ['that is empty', () => 'Portal '],
  ['that is too long', (token: string) => `${token}${'x'.repeat(9_000)}`],
])('the API refuses a token %s', async (_, alter) => {
  const subject = await createSubject();
  const token = alter(formatPortalToken(subject, toSecret(PORTAL_KEY), Date.now()));
  expect(await sendToken(token, subject.body)).toMatchObject({ status: 401, reason: 'unauthenticated' });
});

test('a token grants no more than the permissions in it', async () => {
  const subject = await createSubject({ permissions: PORTAL_PERMISSIONS.viewer });
  const token = formatPortalToken(subject, toSecret(PORTAL_KEY), Date.now());
  expect(await sendToken(token, subject.body)).toMatchObject({ status: 403, reason: 'permission_missing' });
});

test('the requests for a disabled account are refused', async () => {
  const cookie = await environment.signIn(await environment.createUser('admin', environment.other));
  expect((await create(cookie)).status).toBe(200);
  const change = { actor: 'test', reason: 'a test' };
  await environment.testDatabase.database.transact(environment.other, (tx) => disableAccount(tx, change));
  expect(await create(cookie)).toMatchObject({ status: 401, reason: 'unauthenticated' });
});
