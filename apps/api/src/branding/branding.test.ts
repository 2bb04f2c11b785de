import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NAMED_PERMISSIONS, PERMISSIONS, ROLE_NAMES, ROLES, type Scope } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import { ApiTestEnvironment, parseJson, parseProblem, type TestResponse } from '../testing/api-test-environment.js';
import { createSetup } from '../testing/setup-requests.js';

const LOGO = 'https://corner.example/logo.svg';
/** The look with which the test environment creates accounts. */
const FIRST_LOOK = { logoUrl: LOGO, faviconUrl: null, accentColor: null, font: null, colors: null };
const PURPLE = { accentColor: '#7a1f3d', font: 'serif' };
const PURPLE_LOOK = {
  ...FIRST_LOOK,
  ...PURPLE,
  colors: {
    button: { background: '#7a1f3d', text: '#ffffff', contrast: 10.04 },
    lightLink: { background: '#ffffff', text: '#7a1f3d', contrast: 10.04 },
    darkLink: { background: '#1b1f27', text: '#af798b', contrast: 4.66 },
  },
};

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

interface Merchant {
  readonly scope: Scope;
  readonly sandbox: string;
  readonly production: string;
}

/** An account of its own, with a key of each environment. */
async function createMerchant(): Promise<Merchant> {
  const { scope, key } = await testEnvironment.createAccount();
  return { scope, sandbox: key, production: await testEnvironment.addKey({ ...scope, environment: 'production' }) };
}

const read = async (key: string) => parseJson(await testEnvironment.sendRequest('GET', '/branding', { key }));
const change = (key: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  testEnvironment.sendRequest('PATCH', '/branding', { key, body, headers });
const changeTo = async (key: string, body: unknown) => {
  const answer = await change(key, body);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return parseJson(answer);
};
const listEntries = ({ scope }: Merchant) =>
  testEnvironment.queryRows<Record<string, unknown>>(
    `select actor, environment, state_before, state_after from audit_entries
     where account_id = $1 and action = 'ChangeSettings' order by created_at`,
    [scope.accountId],
  );

describe('a key changes the look', () => {
  test('of the next payment, its link and the next setup of a card, and the answer shows the contrasts', async () => {
    const { sandbox } = await createMerchant();
    expect(await changeTo(sandbox, PURPLE)).toEqual(PURPLE_LOOK);
    expect(await read(sandbox)).toEqual(PURPLE_LOOK);
    const branding = { logoUrl: LOGO, ...PURPLE };
    const { id } = await testEnvironment.createIntent({}, sandbox);
    const setup = await createSetup(testEnvironment, {}, sandbox);
    for (const path of [`/payment-intents/public/${id}`, `/setup-intents/public/${setup.id}`]) {
      const answer = parseJson(await testEnvironment.sendRequest('GET', path, { key: '' }));
      expect(answer['config']).toMatchObject({ branding });
    }
    expect(parseJson(await testEnvironment.sendRequest('GET', `/payment-links/${id}`, { key: '' }))).toMatchObject({
      branding,
    });
  });

  test('of its sandbox only, and production keeps its own', async () => {
    const { sandbox, production } = await createMerchant();
    await changeTo(sandbox, { ...PURPLE, logoUrl: 'https://corner.example/new.svg' });
    expect(await read(production)).toEqual(FIRST_LOOK);
  });

  test('of production, which a sandbox has too, except for what it tries', async () => {
    const { sandbox, production } = await createMerchant();
    await changeTo(sandbox, { font: 'rounded' });
    expect(await changeTo(production, PURPLE)).toEqual(PURPLE_LOOK);
    expect(await read(sandbox)).toEqual({ ...PURPLE_LOOK, font: 'rounded' });
  });

  test('back: null restores the value of production in a sandbox, and none in production', async () => {
    const { sandbox, production } = await createMerchant();
    await changeTo(production, PURPLE);
    await changeTo(sandbox, { accentColor: '#ffd400', logoUrl: 'https://corner.example/new.svg' });
    expect(await changeTo(sandbox, { accentColor: null, logoUrl: null })).toEqual(PURPLE_LOOK);
    expect(await changeTo(production, { accentColor: null, font: null, logoUrl: null })).toEqual({
      ...FIRST_LOOK,
      logoUrl: null,
    });
  });

  test('of its own account, and no other account has it', async () => {
    const [one, two] = [await createMerchant(), await createMerchant()];
    await changeTo(one.sandbox, PURPLE);
    await changeTo(one.production, PURPLE);
    expect([await read(two.sandbox), await read(two.production)]).toEqual([FIRST_LOOK, FIRST_LOOK]);
  });

  test('once under an idempotency key', async () => {
    const merchant = await createMerchant();
    const headers = { idempotencyKey: 'look' };
    const first = await change(merchant.sandbox, PURPLE, headers);
    await changeTo(merchant.sandbox, { font: 'sans' });
    const repeated = await change(merchant.sandbox, PURPLE, headers);
    expect([repeated.text, repeated.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await read(merchant.sandbox)).toMatchObject({ font: 'sans' });
    expect(await listEntries(merchant)).toHaveLength(2);
  });
});

describe('the audit log', () => {
  test('has one entry for a change, with the key and both values', async () => {
    const merchant = await createMerchant();
    const key = await testEnvironment.addKey(merchant.scope, undefined, ['branding.write']);
    const [row] = await testEnvironment.queryRows<{ id: string }>(
      `select id from api_keys where account_id = $1 and permissions::text like '%branding.write%' order by created_at desc limit 1`,
      [merchant.scope.accountId],
    );
    await changeTo(key, { font: 'serif', logoUrl: LOGO });
    expect(await listEntries(merchant)).toEqual([
      {
        actor: row?.id,
        environment: 'sandbox',
        state_before: { 'sandboxBranding.font': null, 'sandboxBranding.logoUrl': null },
        state_after: { 'sandboxBranding.font': 'serif', 'sandboxBranding.logoUrl': LOGO },
      },
    ]);
  });

  test.each([
    ['nothing', {}],
    ['what the look is already', { font: 'serif' }],
    ['null for what it does not have', { accentColor: null }],
    ['a member that is unknown', { background: '#ffffff' }],
  ])('has no entry for a request that sends %s', async (_, body) => {
    const merchant = await createMerchant();
    await changeTo(merchant.production, { font: 'serif' });
    expect(await changeTo(merchant.production, body)).toEqual({ ...FIRST_LOOK, font: 'serif' });
    expect(await listEntries(merchant)).toHaveLength(1);
  });

  test('and a request with a member that is unknown changes the others, and names it as a warning', async () => {
    const { sandbox } = await createMerchant();
    const answer = await change(sandbox, { font: 'serif', accentColour: '#0b57d0', colors: null });
    expect([answer.status, answer.headers['warnings']]).toEqual([
      200,
      'unknown_member:accentColour, unknown_member:colors',
    ]);
    expect(parseJson(answer)).toEqual({ ...FIRST_LOOK, font: 'serif' });
  });
});

describe('refused, with nothing stored', () => {
  const COLOR = 'Must be a colour such as #0b57d0.';
  const ADDRESS = 'Must be an https address.';
  // oxfmt-ignore
  test.each<[string, object, Readonly<Record<string, string>>]>([
    ['a name of a colour', { accentColor: 'red' }, { accentColor: COLOR }],
    ['a short colour', { accentColor: '#fff' }, { accentColor: COLOR }],
    ['a colour with more styles', { accentColor: '#0b57d0;background:url(https://thief.example)' }, { accentColor: COLOR }],
    ['an empty colour', { accentColor: '' }, { accentColor: COLOR }],
    ['a logo without TLS', { logoUrl: 'http://corner.example/logo.svg' }, { logoUrl: ADDRESS }],
    ['a script as a logo', { logoUrl: 'javascript:alert(1)' }, { logoUrl: ADDRESS }],
    ['a logo with credentials', { logoUrl: 'https://user@corner.example/logo.svg' }, { logoUrl: ADDRESS }],
    ['a logo with a long address', { logoUrl: `https://corner.example/${'x'.repeat(2_000)}` }, { logoUrl: ADDRESS }],
    ['an icon of no host', { faviconUrl: 'icon.png' }, { faviconUrl: ADDRESS }],
    ['two wrong members', { accentColor: 'red', faviconUrl: '' }, { accentColor: COLOR, faviconUrl: ADDRESS }],
    ['a font that devices lack', { font: 'papyrus' }, { font: 'Must be one of sans, humanist, geometric, rounded, serif.' }],
    ['a number as a logo', { logoUrl: 7 }, { logoUrl: 'Must be text.' }],
  ])('%s', async (_, wrong, errors) => {
    const { sandbox } = await createMerchant();
    const answer = await change(sandbox, { accentColor: '#ffd400', ...wrong });
    const messages = Object.entries(parseProblem(answer).errors).map(([member, found]) => [member, found.join(' ')]);
    expect([answer.status, Object.fromEntries(messages)]).toEqual([400, errors]);
    expect(await read(sandbox)).toEqual(FIRST_LOOK);
  });

  test.each(ROLE_NAMES)('a key of the role %s, because none includes the permission', async (role) => {
    const { scope, sandbox } = await createMerchant();
    const answer = await change(await testEnvironment.addKey(scope, undefined, ROLES[role]), PURPLE);
    expect([answer.status, parseProblem(answer).reason]).toEqual([403, 'permission_missing']);
    expect(await read(sandbox)).toEqual(FIRST_LOOK);
  });

  test('a key that lacks the permission, and it cannot create one that has it', async () => {
    const { scope } = await createMerchant();
    const others = PERMISSIONS.filter((permission) => !NAMED_PERMISSIONS.some((named) => named === permission));
    const key = await testEnvironment.addKey(scope, undefined, others);
    const body = { label: 'x', permissions: ['branding.write'] };
    const answer = await testEnvironment.sendRequest('POST', '/api-keys', { key, body });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([403, ['permissions']]);
  });

  test('a key of a disabled account, also in the second in which it is still trusted', async () => {
    const { scope, sandbox } = await createMerchant();
    await read(sandbox);
    const { database } = testEnvironment.testDatabase;
    await database.transact(scope, (tx) => disableAccount(tx, { actor: 'anna', reason: 'contract ended' }));
    const answer = await change(sandbox, PURPLE);
    expect(parseProblem(answer).reason).toBe('account_disabled');
    await pause(1_000);
    expect((await change(sandbox, PURPLE)).status).toBe(401);
    const rows = await testEnvironment.queryRows<{ settings: object }>(
      'select settings from accounts where account_id = $1',
      [scope.accountId],
    );
    expect(rows[0]?.settings).not.toHaveProperty('sandboxBranding');
  });
});

test.each(['full', 'read-only'] as const)('a key of the role %s reads the look', async (role) => {
  const { scope } = await createMerchant();
  expect(await read(await testEnvironment.addKey(scope, undefined, ROLES[role]))).toEqual(FIRST_LOOK);
});
