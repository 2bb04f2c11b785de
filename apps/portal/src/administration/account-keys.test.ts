import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NAMED_PERMISSIONS, ROLES } from '@pos/core/identity';
import { PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
let operator: string;

beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
  operator = await environment.signInAs('operator');
});
afterAll(() => environment.close());

const createKey = (members: object) =>
  environment.send('POST', '/portal/administration/keys', {
    cookie: operator,
    body: {
      ...{ account: environment.own.accountId, environment: environment.own.environment },
      ...{ label: 'brand portal', role: 'read-only', reason: 'contract 4711' },
      ...members,
    },
  });

async function listKeys(): Promise<readonly { readonly id: string; readonly permissions: readonly string[] }[]> {
  const query = new URLSearchParams({ account: environment.own.accountId, environment: environment.own.environment });
  const { text } = await environment.send('GET', `/portal/administration/account?${query.toString()}`, {
    cookie: operator,
  });
  return readBody<{ keys: Awaited<ReturnType<typeof listKeys>> }>(text).keys;
}

async function readPermissions(keyId: string): Promise<unknown> {
  const [row] = await environment.change('select permissions from api_keys where id = $1', [keyId]);
  return row?.['permissions'];
}

test.each([
  { says: 'nothing is named', members: {}, granted: [] },
  { says: 'nothing is named, as null', members: { grants: null }, granted: [] },
  { says: 'the list of names is empty', members: { grants: [] }, granted: [] },
  { says: 'the change of the look is named', members: { grants: ['branding.write'] }, granted: ['branding.write'] },
])('a key of an operator has its role, and beside it what is named: $says', async ({ members, granted }) => {
  const { status, text } = await createKey(members);
  expect(status).toBe(200);
  const { id } = readBody<{ id: string }>(text);
  const permissions = [...ROLES['read-only'], ...granted];
  expect(await readPermissions(id)).toEqual(permissions);
  expect((await listKeys()).find((key) => key.id === id)).toMatchObject({ permissions });
});

test.each([
  { says: 'a permission that a role has', grants: ['payments.write'] },
  { says: 'a permission that does not exist', grants: ['branding.delete'] },
  { says: 'the same permission twice', grants: [...NAMED_PERMISSIONS, 'branding.write'] },
  { says: 'a text instead of a list', grants: 'branding.write' },
])('a key of an operator is refused when beside its role is named: $says', async ({ grants }) => {
  const before = await environment.change('select id from api_keys');
  const { status, text } = await createKey({ grants });
  const { errors } = readBody<{ errors: object }>(text);
  expect({ status, named: Object.keys(errors) }).toEqual({ status: 400, named: [expect.stringMatching(/^grants/)] });
  expect(await environment.change('select id from api_keys')).toEqual(before);
});

test('an operator makes a key lenient and strict again, and the audit log has both', async () => {
  const { id, strict } = readBody<{ id: string; strict: boolean }>((await createKey({})).text);
  expect(strict).toBe(true);
  const change = (members: object) =>
    environment.send('POST', '/portal/administration/keys/change', {
      cookie: operator,
      body: {
        ...{ account: environment.own.accountId, environment: environment.own.environment },
        ...{ key: id, strict: false, reason: 'its program is old' },
        ...members,
      },
    });
  const changed = await change({});
  expect([changed.status, readBody<{ strict: boolean }>(changed.text).strict]).toEqual([200, false]);
  const again = await change({});
  expect([again.status, readBody<{ errors: object }>(again.text).errors]).toEqual([
    400,
    { strict: ['is off already'] },
  ]);
  expect((await change({ strict: true })).status).toBe(200);
  expect((await listKeys()).find((key) => key.id === id)).toMatchObject({ strict: true });
  const unknown = await change({ key: 'key_nope' });
  expect(Object.keys(readBody<{ errors: object }>(unknown.text).errors)).toEqual(['key']);
  const entries = await environment.change(
    `select action, state_before -> 'strict' as before, state_after -> 'strict' as after from audit_entries
     where subject = $1 order by created_at`,
    [id],
  );
  expect(entries).toEqual([
    { action: 'CreateApiKey', before: null, after: true },
    { action: 'ChangeApiKey', before: true, after: false },
    { action: 'ChangeApiKey', before: false, after: true },
  ]);
});
