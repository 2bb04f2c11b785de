import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { disableAccount, enableAccount } from '@pos/administration/accounts';
import { grantPortalRole } from '@pos/administration/portal';
import { getAccount } from '@pos/store/repositories';
import { PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

const PATH = '/portal/account-settings';
const LOOK = { branding: { accentColor: '#0b57d0', font: 'serif' } };
const ORIGINS = { embeddingOrigins: { sandbox: ['https://shop.example'] } };
const FORGET_PASSWORD = `update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`;
const CHANGE = { actor: 'test', reason: 'a test' };

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
});
beforeEach(() => environment.change(`update accounts set settings = '{}'`));
afterAll(() => environment.close());

const read = (cookie: string): Promise<TestAnswer> => environment.send('GET', PATH, { cookie });
const change = (cookie: string, body: unknown, headers: Record<string, string | null> = {}): Promise<TestAnswer> =>
  environment.send('PATCH', PATH, { cookie, body, headers });
const readStored = async (): Promise<unknown> =>
  (await environment.change('select settings from accounts where account_id = $1', [environment.own.accountId]))[0]?.[
    'settings'
  ];

/** An admin of both environments, who works in the sandbox. */
async function signInAsOwner(): Promise<string> {
  const email = await environment.createUser('admin');
  const production = { ...environment.own, environment: 'production' as const };
  const membership = { ...production, role: 'admin' as const };
  await grantPortalRole(environment.testDatabase.database, CHANGE, { email, membership });
  const cookie = await environment.signIn(email);
  await environment.send('PUT', '/portal/session/account', { cookie, body: environment.own });
  return cookie;
}

test('an admin reads the settings, changes some of them, and the account has them', async () => {
  const cookie = await signInAsOwner();
  expect(readBody((await read(cookie)).text)).toMatchObject({
    branding: { logoUrl: null, accentColor: null, font: null },
    embeddingOrigins: { sandbox: [] },
    canChangeShared: true,
    tradingName: 'The Corner Table',
  });
  const changed = await change(cookie, { ...LOOK, ...ORIGINS, phoneNumber: null, payAtTable: { asksWaiterId: true } });
  expect(changed.status).toBe(200);
  expect(readBody(changed.text)).toEqual(readBody((await read(cookie)).text));
  const { settings } = await environment.testDatabase.database.read(environment.own, getAccount);
  expect(settings).toMatchObject({
    branding: { logoUrl: null, accentColor: null, font: null },
    sandboxBranding: { logoUrl: null, accentColor: '#0b57d0', font: 'serif' },
    embeddingOrigins: { sandbox: ['https://shop.example'], production: [] },
    payAtTable: { asksWaiterId: true, asksGratuity: true },
  });
});

test('the audit log names the user, the values before, and those after', async () => {
  const cookie = await signInAsOwner();
  await change(cookie, LOOK);
  const rows = await environment.change(
    `select a.action, a.state_before as before, a.state_after as after, u.email from audit_entries a join portal_users u on u.id = a.actor
     where a.action = 'ChangeSettings' and a.subject = $1 order by a.created_at desc limit 1`,
    [environment.own.accountId],
  );
  expect(rows).toEqual([
    {
      action: 'ChangeSettings',
      before: { 'sandboxBranding.font': null, 'sandboxBranding.accentColor': null },
      after: { 'sandboxBranding.font': 'serif', 'sandboxBranding.accentColor': '#0b57d0' },
      email: expect.stringMatching(/@corner\.example$/),
    },
  ]);
});

test.each([
  ['branding.logoUrl', { branding: { logoUrl: 'http://cdn.example/logo.svg' } }],
  ['branding.accentColor', { branding: { accentColor: 'red' } }],
  ['branding.font', { branding: { font: 'papyrus' } }],
  ['embeddingOrigins.sandbox', { embeddingOrigins: { sandbox: ['https://*.shop.example'] } }],
  ['embeddingOrigins.sandbox', { embeddingOrigins: { sandbox: ['https://shop.example/path'] } }],
  ['embeddingOrigins.production', { embeddingOrigins: { production: ['https://shop.example'] } }],
  ['supportedPaymentMethods.cardSchemes', { supportedPaymentMethods: { cardSchemes: [] } }],
  ['site', { site: '' }],
])('a violation names %s, and nothing is stored', async (member, body) => {
  const cookie = await signInAsOwner();
  const answer = await change(cookie, { ...body, hasAmountTriggers: false });
  expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual([member]);
  expect(await readStored()).toEqual({});
});

test.each(['viewer', 'support', 'developer'] as const)('a %s may neither read nor change settings', async (role) => {
  const cookie = await environment.signInAs(role);
  for (const answer of [await read(cookie), await change(cookie, ORIGINS)])
    expect(answer).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(await readStored()).toEqual({});
});

test('an admin of the sandbox alone changes nothing that production uses', async () => {
  const cookie = await environment.signInAs('admin');
  expect(readBody((await read(cookie)).text)).toMatchObject({ canChangeShared: false });
  for (const body of [{ phoneNumber: '1' }, { payAtTable: { asksGratuity: false } }, { ...LOOK, phoneNumber: '1' }])
    expect(await change(cookie, body)).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(await readStored()).toEqual({});
  expect((await change(cookie, { ...ORIGINS, ...LOOK, hasAmountTriggers: false })).status).toBe(200);
  expect(await readStored()).toEqual({ ...ORIGINS, sandboxBranding: LOOK.branding, hasAmountTriggers: false });
});

test('the sandbox has the look of production, tries another one, and returns to that of production', async () => {
  const scope = { ...environment.own, environment: 'production' as const };
  const [production, sandbox] = [
    await environment.signIn(await environment.createUser('admin', scope)),
    await environment.signInAs('admin'),
  ];
  const readLook = async (cookie: string) => readBody<{ branding: object }>((await read(cookie)).text).branding;
  const none = { logoUrl: null, faviconUrl: null, accentColor: null, font: null };
  await change(production, LOOK);
  expect(await readLook(sandbox)).toEqual({ ...none, ...LOOK.branding });
  await change(sandbox, { branding: { accentColor: '#ffd400' } });
  expect(await readLook(sandbox)).toEqual({ ...none, ...LOOK.branding, accentColor: '#ffd400' });
  expect(await readLook(production)).toEqual({ ...none, ...LOOK.branding });
  await change(sandbox, { branding: { accentColor: null } });
  expect(await readLook(sandbox)).toEqual({ ...none, ...LOOK.branding });
});

test('a section without a change writes nothing to the audit log', async () => {
  const cookie = await signInAsOwner();
  const count = async () =>
    (await environment.change(`select id from audit_entries where action = 'ChangeSettings'`)).length;
  const before = await count();
  for (const body of [{}, { branding: {} }, { tradingName: 'Other' }])
    expect((await change(cookie, body)).status).toBe(200);
  expect(await count()).toBe(before);
});

test('in production the origins are those of production, and sandbox switches are not changed', async () => {
  const scope = { ...environment.own, environment: 'production' as const };
  const cookie = await environment.signIn(await environment.createUser('admin', scope));
  expect((await change(cookie, { ...LOOK, embeddingOrigins: { production: ['https://shop.example'] } })).status).toBe(
    200,
  );
  expect(readBody<{ embeddingOrigins: object }>((await read(cookie)).text).embeddingOrigins).toEqual({
    production: ['https://shop.example'],
  });
  for (const body of [ORIGINS, { hasSandboxEpos: false }, { embeddingOrigins: { production: ['http://localhost'] } }])
    expect(await change(cookie, body)).toMatchObject({ status: 400, reason: 'validation_failed' });
});

test('settings that operators decide are no members of a change', async () => {
  const cookie = await signInAsOwner();
  const others = { tradingName: 'Other', merchantId: '1', acquirer: { sandbox: 'north' }, capturedReversalDays: 60 };
  await change(cookie, { ...others, serviceManagedEpos: ['tables'], payAtTable: { isEnabled: false } });
  expect(await readStored()).toEqual({});
  expect(readBody((await read(cookie)).text)).toMatchObject({ tradingName: 'The Corner Table' });
});

test('a change needs the password within five minutes, and reading does not', async () => {
  const cookie = await signInAsOwner();
  await environment.change(FORGET_PASSWORD);
  expect(await change(cookie, ORIGINS)).toMatchObject({ status: 403, reason: 'reauthentication_needed' });
  expect((await read(cookie)).status).toBe(200);
  expect(await readStored()).toEqual({});
});

test('an operator changes settings of the account in which they work', async () => {
  const cookie = await environment.signInAs('operator');
  expect((await change(cookie, LOOK)).status).toBe(200);
  expect(await readStored()).toEqual({ sandboxBranding: LOOK.branding });
});

test('an admin of another account, a request of another site and one without a session change nothing', async () => {
  const stranger = await environment.signIn(await environment.createUser('admin', environment.other));
  expect((await change(stranger, ORIGINS)).status).toBe(200);
  const cookie = await signInAsOwner();
  expect(await change(cookie, ORIGINS, { 'sec-fetch-site': 'cross-site' })).toMatchObject({
    reason: 'cross_site_request',
  });
  const shown = { 'portal-account': `${environment.other.accountId}/sandbox` };
  expect(await change(cookie, ORIGINS, shown)).toMatchObject({ reason: 'account_not_chosen' });
  const unknown = await environment.send('PATCH', PATH, { body: ORIGINS });
  expect(unknown).toMatchObject({ status: 401, reason: 'portal_session_missing' });
  expect(await readStored()).toEqual({});
});

test('a disabled account keeps its settings', async () => {
  const cookie = await signInAsOwner();
  const scope = { ...environment.own, environment: 'production' as const };
  const { database } = environment.testDatabase;
  await database.transact(scope, (tx) => disableAccount(tx, CHANGE));
  try {
    expect(await change(cookie, ORIGINS)).toMatchObject({ reason: 'account_disabled' });
    expect(await readStored()).toEqual({});
  } finally {
    await database.transact(scope, (tx) => enableAccount(tx, CHANGE));
  }
});
