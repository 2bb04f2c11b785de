import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import { MEMBER_ROLES } from '@pos/core/identity';
import { ADMINISTRATION_OPERATIONS } from '@pos/rest-contracts/portal';
import { storeDeclaration } from '@pos/store/repositories';
import { z } from 'zod';
import { createDeadLetter, createDifference, createOpenCall } from '../testing/administered-rows.js';
import { PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';
import { testEvery } from '@pos/testing';

let environment: PortalTestEnvironment;
let operator: string;
const cookies = new Map<string, string>();

beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
  operator = await environment.signInAs('operator');
  for (const role of MEMBER_ROLES) cookies.set(role, await environment.signInAs(role));
  const declaration = { environment: 'sandbox', name: 'default', capabilities: COMPLETE_CAPABILITIES } as const;
  await storeDeclaration(environment.testDatabase.database, declaration);
});
afterAll(() => environment.close());

const REMEMBER_PASSWORDS = 'update portal_sessions set authenticated_at = clock_timestamp()';
const OPERATIONS = ADMINISTRATION_OPERATIONS.map(({ id, method, path }) => [id, method, path] as const);
const CHANGES = OPERATIONS.filter(([, method]) => method !== 'GET');

interface Recipe {
  /** The members of the request, beside the reason. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whose audit log has the entry; null for a request that reads. */
  readonly auditedAt: string | null;
}

const target = () => ({ account: environment.own.accountId, environment: environment.own.environment });
const createName = (): string => randomBytes(6).toString('hex');
const reading = async (members = {}): Promise<Recipe> => ({ members, auditedAt: null });
const changing = (members: object, auditedAt: string = environment.own.accountId): Recipe => ({
  members: { ...members },
  auditedAt,
});

async function registerTerminal(): Promise<string> {
  const tid = createName();
  await send('registerAdministeredTerminal', { ...target(), tid, name: 'Bar', reason: 'a test' });
  const [row] = await environment.change('select id from terminals where tid = $1', [tid]);
  return String(row?.['id']);
}

/** For each operation: how it succeeds. */
const RECIPES: Readonly<Record<string, () => Promise<Recipe>>> = {
  listAdministeredPending: reading,
  resolveAdministeredPending: async () =>
    changing({ ...target(), id: await createOpenCall(environment, environment.own), action: 'RetryNow' }),
  listAdministeredDifferences: reading,
  answerAdministeredDifference: async () =>
    changing({ ...target(), id: await createDifference(environment, environment.own) }),
  readAdministeredReconciliation: () => reading(target()),
  startAdministeredReconciliation: async () =>
    changing({ ...target(), from: new Date(Date.now() - 86_400_000).toISOString() }),
  listDeadLetterAccounts: reading,
  listAdministeredDeadLetters: () => reading(target()),
  replayAdministeredDeadLetters: async () =>
    changing({ ...target(), delivery: await createDeadLetter(environment, environment.own) }),
  listAdministeredAuditLog: reading,
  listAdministeredAccounts: reading,
  createAdministeredAccount: async () => {
    const name = createName();
    return changing({ name, tradingName: name, merchantId: name, currencies: ['GBP'] }, 'the new one');
  },
  changeAdministeredAccountStatus: async () => {
    const account = await createAccount();
    return changing({ account, status: 'Disabled' }, account);
  },
  readAdministeredAccount: () => reading(target()),
  createAdministeredKey: async () => changing({ ...target(), label: 'web shop', role: 'full' }),
  changeAdministeredKey: async () => {
    const answer = await send('createAdministeredKey', { ...target(), label: 'x', role: 'gateway', reason: 'a test' });
    return changing({ ...target(), key: readBody<{ id: string }>(answer.text).id, strict: false });
  },
  changeAdministeredLocation: async () => {
    const answer = await send('readAdministeredAccount', target());
    const [first] = readBody<{ locations: { id: string }[] }>(answer.text).locations;
    return changing({ ...target(), location: first?.id, timeZone: 'Europe/London' });
  },
  revokeAdministeredKey: async () => {
    const answer = await send('createAdministeredKey', { ...target(), label: 'x', role: 'gateway', reason: 'a test' });
    return changing({ ...target(), key: readBody<{ id: string }>(answer.text).id });
  },
  listAdministeredTerminals: () => reading(target()),
  registerAdministeredTerminal: async () => changing({ ...target(), tid: createName(), name: 'Bar' }),
  replaceAdministeredTerminal: async () =>
    changing({ ...target(), terminal: await registerTerminal(), tid: createName() }),
  resetAdministeredTerminal: async () => changing({ ...target(), terminal: await registerTerminal() }),
  listAgreedSettings: reading,
  listAdministeredPartners: reading,
  registerAdministeredPartner: async () =>
    changing({ kind: 'reseller', id: createName(), name: 'Dealers Ltd' }, SYSTEM_ACCOUNT_ID),
  changeAdministeredPartnerStatus: async () => {
    const partner = { kind: 'reseller', id: createName() };
    await send('registerAdministeredPartner', { ...partner, name: 'Dealers Ltd', reason: 'a test' });
    return changing({ ...partner, status: 'Retired' }, SYSTEM_ACCOUNT_ID);
  },
  reportAdministeredPartners: () => reading({ from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z' }),
  listAdministeredUsers: reading,
  createAdministeredUser: async () =>
    changing({ email: `${createName()}@corner.example`, name: 'Ann Lee' }, SYSTEM_ACCOUNT_ID),
  changeAdministeredUserStatus: async () =>
    changing({ email: await environment.createUser(null), status: 'Disabled' }, SYSTEM_ACCOUNT_ID),
  unlockAdministeredUser: async () => {
    const email = await environment.createUser(null);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await environment.send('POST', '/portal/session', { body: { email, password: 'wrong' } });
    }
    return changing({ email }, SYSTEM_ACCOUNT_ID);
  },
  endAdministeredSessions: async () => changing({ email: await environment.createUser(null) }, SYSTEM_ACCOUNT_ID),
  resetAdministeredSecondFactor: async () => changing({ email: await environment.createUser(null) }, SYSTEM_ACCOUNT_ID),
  resetAdministeredPassword: async () => changing({ email: await environment.createUser(null) }, SYSTEM_ACCOUNT_ID),
  grantAdministeredRole: async () =>
    changing({ email: await environment.createUser(null), ...target(), role: 'support' }),
  revokeAdministeredRole: async () => changing({ email: await environment.createUser('viewer'), ...target() }),
};

async function createAccount(): Promise<string> {
  const name = createName();
  const members = { name, tradingName: name, merchantId: name, currencies: ['GBP'], reason: 'a test' };
  return readBody<{ id: string }>((await send('createAdministeredAccount', members)).text).id;
}

/** Sends the operation with these members, in the query or in the body. */
function send(
  id: string,
  members: Readonly<Record<string, unknown>>,
  more: { readonly cookie?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<TestAnswer> {
  const [, method, path] = OPERATIONS.find(([each]) => each === id) ?? [id, 'GET', '/'];
  const query = new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)]));
  const sent = method === 'GET' ? {} : { body: members };
  const address = method === 'GET' ? `${path}?${query.toString()}` : path;
  return environment.send(method, address, { cookie: operator, ...more, ...sent });
}

interface Entry {
  readonly account_id: string;
  readonly email: string | null;
  readonly reason: string;
}

function readEntries(): Promise<Entry[]> {
  return environment.change(
    `select a.account_id, u.email, a.reason from audit_entries a left join portal_users u on u.id = a.actor
     where a.action not in ('SignIn', 'ReadAuditLog')`,
  ) as unknown as Promise<Entry[]>;
}

test('every operation of operators has a recipe here', () => {
  expect(Object.keys(RECIPES).sort()).toEqual(OPERATIONS.map(([id]) => id).sort());
});

test.each(OPERATIONS)('%s is refused to everybody who is no operator, and changes nothing', async (id, method) => {
  const { members } = await RECIPES[id]!();
  const before = await readEntries();
  const request = method === 'GET' ? members : { ...members, reason: 'not allowed' };
  const answers: [string, number, string | null][] = [];
  for (const role of MEMBER_ROLES) {
    const { status, reason } = await send(id, request, { cookie: cookies.get(role) ?? null });
    answers.push([role, status, reason]);
  }
  expect(answers).toEqual(MEMBER_ROLES.map((role) => [role, 403, 'permission_missing']));
  expect(await send(id, request, { cookie: null })).toMatchObject({ status: 401, reason: 'portal_session_missing' });
  const foreign = await send(id, request, { headers: { 'sec-fetch-site': 'same-site' } });
  expect(foreign).toMatchObject({ status: 403, reason: 'cross_site_request' });
  expect(await readEntries()).toEqual(before);
});

testEvery(3)(OPERATIONS.filter(([, method]) => method === 'GET'))('%s answers an operator', async (id) => {
  const { members } = await RECIPES[id]!();
  expect(await send(id, members)).toMatchObject({ status: 200, reason: null });
});

testEvery(3)(CHANGES)(
  '%s needs a recent password and a reason of one line, and is stored with one entry that names the user',
  async (id) => {
    const { members, auditedAt } = await RECIPES[id]!();
    const before = await readEntries();
    await environment.change(`update portal_sessions set authenticated_at = clock_timestamp() - interval '6 minutes'`);
    const late = await send(id, { ...members, reason: 'late' });
    expect(late).toMatchObject({ status: 403, reason: 'reauthentication_needed' });
    await environment.change(REMEMBER_PASSWORDS);
    for (const reason of [undefined, '', '   ', 'two\nlines', 'x'.repeat(1_001), 'card 4456 5300 0009 1014']) {
      const answer = await send(id, { ...members, reason });
      expect({ reason, status: answer.status }).toEqual({ reason, status: 400 });
      expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual(['reason']);
    }
    expect(await readEntries()).toEqual(before);

    const reason = `why of ${id}`;
    const answer = await send(id, { ...members, reason });
    expect([answer.status, answer.reason]).toEqual([answer.text === '' ? 204 : 200, null]);
    const added = (await readEntries()).filter((entry) => entry.reason === reason);
    expect(added).toMatchObject([{ email: expect.stringMatching(/^user1@/) }]);
    if (auditedAt !== 'the new one') expect(added[0]?.account_id).toBe(auditedAt);
    expect((await readEntries()).length).toBe(before.length + 1);
  },
);

/** Those whose request names an account, beside other members. */
const OF_ACCOUNTS = ADMINISTRATION_OPERATIONS.filter(
  ({ body, query }) => takesAccount(body) || (takesAccount(query) && !isOptional(query)),
).map(({ id }) => id);

function takesAccount(schema: unknown): schema is z.ZodObject {
  return schema instanceof z.ZodObject && 'account' in schema.shape;
}

function isOptional({ shape }: z.ZodObject): boolean {
  return (shape['account'] as z.ZodType).safeParse(undefined).success;
}

test.each(OF_ACCOUNTS)('%s refuses an account that does not exist, by its member', async (id) => {
  const { members } = await RECIPES[id]!();
  for (const account of ['acc_AAAAAAAAAAAAAAAAAAAAAA', 'acc_x', '']) {
    const answer = await send(id, { ...members, account, reason: 'a test' });
    const { errors } = readBody<{ errors?: object }>(answer.text);
    expect({ account, status: answer.status, named: Object.keys(errors ?? {}) }).toEqual({
      ...{ account, status: 400, named: ['account'] },
    });
  }
});
