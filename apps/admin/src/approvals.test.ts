import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refuseKeyOfUser } from '@pos/payments/four-eyes';
import { createPortalUser } from '@pos/administration/portal';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';

let environment: CommandEnvironment;
let account: string;
beforeAll(async () => {
  environment = await createCommandEnvironment({ sharesDatabase: true });
  account = await environment.createAccount();
});
afterAll(() => environment.close());

const PEOPLE = {
  ann: { login: 1_000, numbers: [1_000] },
  bob: { login: 1_001, numbers: [1_001] },
  eve: { login: 1_002, numbers: [1_002] },
};
type Person = keyof typeof PEOPLE;

/** Runs a change as a person, under the own name unless another one is given. */
async function runAs(person: Person, words: readonly string[], actor: string = person) {
  return environment.run([...words, ...REASON, '--actor', actor, '--json'], {}, PEOPLE[person]);
}

/** Runs a change that must wait, and returns the id of its request. */
async function requestAs(person: Person, words: readonly string[]): Promise<string> {
  const { exitCode, error } = await runAs(person, words);
  const [, id] = /must approve request ([0-9a-f-]{36})/.exec(error) ?? [];
  if (exitCode !== 1 || id === undefined) throw new Error(`${words.join(' ')} was not refused: ${error}`);
  return id;
}

const decide = (person: Person, id: string, actor?: string) =>
  runAs(person, ['approval', 'approve', '--id', id], actor);
const createOperator = (name: string) =>
  ['portal-user', 'create', '--email', `${name}@pos.example`, '--name', 'Night Shift', '--operator'] as const;
const createKey = (label: string, ...more: readonly string[]) =>
  ['key', 'create', '--account', account, '--role', 'read-only', '--label', label, ...more] as const;

async function countRows(relation: string): Promise<number> {
  const [row] = await environment.query<{ count: string }>(`select count(*) from ${relation}`);
  return Number(row?.count);
}

test('a second operator is not required by default, and cannot be with one operator', async () => {
  const { exitCode, error } = await runAs('ann', ['approval', 'require']);
  expect([exitCode, error]).toEqual([1, expect.stringContaining('two active operators')]);
  for (const name of ['first', 'second']) {
    expect(await runAs('ann', createOperator(name))).toMatchObject({ exitCode: 0 });
  }
  const disable = ['portal-user', 'disable', '--email', 'second@pos.example'];
  expect(await runAs('ann', disable)).toMatchObject({ exitCode: 0 });
  expect(await runAs('ann', ['approval', 'require'])).toMatchObject({ exitCode: 1 });
  expect(await runAs('ann', ['portal-user', 'enable', '--email', 'second@pos.example'])).toMatchObject({ exitCode: 0 });
  const member = ['portal-user', 'create', '--email', 'member@pos.example', '--name', 'Ann Lee'];
  expect(await runAs('ann', member)).toMatchObject({ exitCode: 0 });
  expect(await runAs('ann', createKey('before'))).toMatchObject({ exitCode: 0 });
  const limit = ['settings', 'set', 'fourEyes.giveBacksAbove=GBP=100', '--account', account];
  expect(await runAs('ann', limit)).toMatchObject({ exitCode: 0 });
  expect(await runAs('ann', ['approval', 'require'])).toMatchObject({ exitCode: 0 });
});

test('each change that one operator may not make alone waits, and nothing of it is done', async () => {
  const [key] = await environment.query<{ id: string }>('select id from api_keys');
  const relations = ['api_keys', 'portal_users', 'portal_memberships', 'portal_password_history'];
  const before = await Promise.all(relations.map(countRows));
  const [settings] = await environment.query('select settings from accounts where account_id = $1', [account]);
  await environment.run(['portal-user', 'disable', '--email', 'second@pos.example', ...REASON]);
  const first = ['--email', 'first@pos.example'];
  const changes = [
    createKey('new'),
    ['key', 'update', '--account', account, '--key', key?.id ?? '', '--strict', 'off'],
    createOperator('third'),
    ['portal-user', 'enable', '--email', 'second@pos.example'],
    ['portal-user', 'reset-password', ...first],
    ['portal-user', 'reset-second-factor', ...first],
    ['portal-user', 'grant', '--email', 'member@pos.example', '--account', account, '--role', 'viewer'],
    ['settings', 'set', 'fourEyes.giveBacksAbove=none', '--account', account],
    ['settings', 'set', 'fourEyes.giveBacksAbove=GBP=101', '--account', account],
    ['approval', 'require', '--off'],
  ];
  const ids: string[] = [];
  for (const words of changes) ids.push(await requestAs('ann', words));
  expect(new Set(ids).size).toBe(changes.length);
  expect(await Promise.all(relations.map(countRows))).toEqual(before);
  expect(await environment.query('select settings from accounts where account_id = $1', [account])).toEqual([settings]);
  const { isRequired, requests } = await environment.runJson<{ isRequired: boolean; requests: { state: string }[] }>([
    'approval',
    'list',
  ]);
  expect([isRequired, requests.map(({ state }) => state)]).toEqual([true, ids.map(() => 'Waiting')]);
});

test('what gives nobody more in production needs one operator', async () => {
  const changes = [
    createKey('sandbox', '--environment', 'sandbox'),
    ['portal-user', 'create', '--email', 'other@pos.example', '--name', 'Bo Li'],
    ['portal-user', 'reset-password', '--email', 'other@pos.example'],
    [
      'portal-user',
      'grant',
      '--email',
      'other@pos.example',
      '--account',
      account,
      '--environment',
      'sandbox',
      '--role',
      'admin',
    ],
    ['settings', 'set', 'fourEyes.giveBacksAbove=GBP=99', '--account', account],
    ['settings', 'set', 'payAtTable.asksGratuity=true', '--account', account],
  ];
  for (const words of changes) expect(await runAs('ann', words)).toMatchObject({ exitCode: 0 });
});

test('the requester does not decide, under no name and as no other user of the machine', async () => {
  const id = await requestAs('ann', createKey('own'));
  const refused = [
    await decide('ann', id),
    await decide('ann', id, 'bob'),
    await decide('bob', id, 'ann'),
    await decide('bob', id, ' ANN '),
    await environment.run(
      ['approval', 'approve', '--id', id, ...REASON, '--actor', 'bob'],
      {},
      { login: 1_000, numbers: [0] },
    ),
    await environment.run(
      ['approval', 'approve', '--id', id, ...REASON, '--actor', 'bob'],
      {},
      { login: null, numbers: [1_000] },
    ),
  ];
  expect(refused.map(({ exitCode }) => exitCode)).toEqual(refused.map(() => 1));
  expect(refused.every(({ error }) => error.includes('may not decide'))).toBe(true);
  expect(await requestAs('ann', createKey('own'))).toBe(id);
});

test('an approved change is done once, by its requester, exactly as it was approved', async () => {
  const id = await requestAs('ann', createKey('exact'));
  expect(await decide('bob', id)).toMatchObject({ exitCode: 0 });
  const before = await countRows('api_keys');
  await requestAs('ann', createKey('exact', '--grant', 'branding.write'));
  await requestAs('ann', createKey('another label'));
  await requestAs('bob', createKey('exact'));
  await requestAs('eve', createKey('exact'));
  expect(await runAs('eve', createKey('exact'), 'ann')).toMatchObject({ exitCode: 1 });
  expect(await countRows('api_keys')).toBe(before);
  const done = await runAs('ann', createKey('exact'));
  expect([done.exitCode, JSON.parse(done.output)]).toEqual([0, expect.objectContaining({ label: 'exact' })]);
  expect(await requestAs('ann', createKey('exact'))).not.toBe(id);
  const again = await decide('eve', id);
  expect([again.exitCode, again.error]).toEqual([1, expect.stringContaining('the request is Done')]);
  const entries = await environment.query(
    'select action, actor from audit_entries where subject = $1 order by created_at, action',
    [id],
  );
  expect(entries).toEqual([
    { action: 'RequestFourEyes', actor: 'ann' },
    { action: 'ApproveFourEyes', actor: 'bob' },
    { action: 'FinishFourEyes', actor: 'ann' },
  ]);
  const text = JSON.stringify(await environment.query('select target, requester from operator_approvals'));
  expect(text).not.toContain((JSON.parse(done.output) as { text: string }).text);
});

test('two runs of an approved change at once do it once', async () => {
  const id = await requestAs('ann', createKey('raced'));
  await decide('bob', id);
  const runs = await Promise.all([1, 2, 3].map(() => runAs('ann', createKey('raced'))));
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1]);
});

test('an approval stays if its change fails, and can be used afterwards', async () => {
  const id = await requestAs('ann', createOperator('later'));
  await decide('bob', id);
  await environment.run(['portal-user', 'create', '--email', 'later@pos.example', '--name', 'Taken', ...REASON]);
  expect((await runAs('ann', createOperator('later'))).error).toContain('belongs to a user already');
  await environment.query(`delete from portal_users where email = 'later@pos.example'`);
  expect(await runAs('ann', createOperator('later'))).toMatchObject({ exitCode: 0 });
});

test.each([
  ['refused', (id: string) => runAs('bob', ['approval', 'refuse', '--id', id])],
  ['over', (id: string) => environment.query('update operator_approvals set expires_at = now() where id = $1', [id])],
  [
    'of the portal',
    (id: string) => environment.query(`update operator_approvals set source = 'portal' where id = $1`, [id]),
  ],
])('a request that is %s is not approved any more', async (label, end) => {
  const id = await requestAs('ann', createKey(label));
  await end(id);
  expect(await decide('bob', id)).toMatchObject({ exitCode: 1 });
  expect(await requestAs('ann', createKey(label))).not.toBe(id);
});

test('an approval that is over does nothing', async () => {
  const id = await requestAs('ann', createKey('late'));
  await decide('bob', id);
  await environment.query('update operator_approvals set expires_at = now() where id = $1', [id]);
  expect(await requestAs('ann', createKey('late'))).not.toBe(id);
});

test('an unknown request is refused', async () => {
  const { exitCode, error } = await decide('bob', 'nothing');
  expect([exitCode, error]).toEqual([1, expect.stringContaining('no such request')]);
});

test('the pages of operators and the public API for users do none of it', async () => {
  const { database } = environment.testDatabase;
  const change = { actor: 'usr_AaH8KwlxavakGwZZljrhYw', reason: 'by the portal' } as const;
  const user = { email: 'web@pos.example', name: 'Web', password: 'grey heron lake 7', isOperator: true };
  await expect(createPortalUser(database, change, user)).rejects.toMatchObject({ code: 'permission_missing' });
  const scope = { accountId: account as `acc_${string}`, environment: 'production' } as const;
  const asUser = (where: 'production' | 'sandbox', caller: { readonly actor?: typeof change.actor }) =>
    database.transact({ ...scope, environment: where }, (tx) => refuseKeyOfUser(tx, caller));
  await expect(asUser('production', change)).rejects.toMatchObject({ code: 'permission_missing' });
  await expect(asUser('sandbox', change)).resolves.toBeUndefined();
  await expect(asUser('production', {})).resolves.toBeUndefined();
});

test('only the owner of the database stops it alone, and the audit log says so', async () => {
  await requestAs('ann', ['approval', 'require', '--off']);
  const off = ['approval', 'require', '--off', '--as-owner', ...REASON];
  expect(await environment.run(off, { DATABASE_OWNER_URL: environment.env['DATABASE_URL'] ?? '' })).toMatchObject({
    exitCode: 1,
  });
  expect(await environment.run(off)).toMatchObject({ exitCode: 0 });
  expect(await runAs('ann', createKey('after'))).toMatchObject({ exitCode: 0 });
  const [entry] = await environment.query(
    `select state_after from audit_entries where action = 'RequireSecondOperator' order by created_at desc limit 1`,
  );
  expect(entry).toEqual({ state_after: { isRequired: false, isOwner: true } });
});
