import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import { userInfo } from 'node:os';
import { describeOperatingSystemUser } from './command/actor.js';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';

let environment: CommandEnvironment;
beforeAll(async () => {
  environment = await createCommandEnvironment();
});
afterAll(() => environment.close());

interface VerifiedLog {
  readonly accountId: string;
  readonly environment: string;
  readonly length: number;
  readonly head: string;
  readonly problems: readonly string[];
}

const verify = (account: string, more: readonly string[] = []) =>
  environment.run(['audit', 'verify', '--account', account, ...more]);

/** An account with one entry of production, beside that of its creation. */
async function createChangedAccount(): Promise<string> {
  const account = await environment.createAccount();
  await environment.runJson(['settings', 'set', 'site=1 Angel Lane', '--account', account, ...REASON]);
  return account;
}

async function readEnd(account: string): Promise<string> {
  const logs = await environment.runJson<VerifiedLog[]>(['audit', 'verify', '--account', account]);
  const log = logs.find((each) => each.environment === 'production');
  return `${log?.accountId}/production:${log?.length}:${log?.head}`;
}

test('an intact log is verified, and its end can be kept and compared later', async () => {
  const account = await createChangedAccount();
  const end = await readEnd(account);
  await environment.runJson(['settings', 'set', 'site=2 Angel Lane', '--account', account, ...REASON]);
  const { exitCode, output, error } = await verify(account, ['--expect', end]);
  expect(error).toBe('');
  expect([exitCode, output]).toEqual([0, expect.stringContaining(': 0 broken')]);
  expect(output).toContain(`${account}/production:2:`);
});

test('a log that was edited and got a new chain does not match the end that was stored before', async () => {
  const account = await createChangedAccount();
  const end = await readEnd(account);
  await environment.query('delete from audit_entries where account_id = $1', [account]);
  await environment.query('delete from audit_chains where account_id = $1', [account]);
  await environment.query(
    `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
     values ($1, 'production', 'x', 'bob', 'CreateAccount', $1, 'another reason', now())`,
    [account],
  );
  expect(await verify(account)).toMatchObject({ exitCode: 0 });
  expect(await verify(account, ['--expect', end])).toMatchObject({
    ...{ exitCode: 1, output: expect.stringContaining('is not in the chain: the log was replaced') },
  });
  expect(await verify(account, ['--expect', 'soon'])).toMatchObject({ exitCode: 2 });
});

test('a read of the log is an entry of the service, with the user of the operating system', async () => {
  const account = await createChangedAccount();
  await environment.runJson(['audit', 'list', '--account', account]);
  const reads = await environment.query(
    `select account_id, operating_system_user from audit_entries where action = 'ReadAuditLog' and subject = $1`,
    [account],
  );
  const user = expect.stringContaining(userInfo().username);
  expect(reads).toEqual([{ account_id: SYSTEM_ACCOUNT_ID, operating_system_user: user }]);
});

test('an edited entry ends audit verify with 1, and an edited entry of the service is a finding of doctor', async () => {
  const account = await environment.createAccount();
  await environment.query(`update audit_entries set reason = 'another' where account_id = $1`, [account]);
  expect(await verify(account)).toMatchObject({
    ...{ exitCode: 1, output: expect.stringContaining('record 1 was changed after it was written') },
  });
  await environment.runJson(['portal-user', 'create', '--email', 'a@corner.example', '--name', 'Ann', ...REASON]);
  const fine = await environment.run(['doctor']);
  expect(fine.output).toContain('as they were written');
  await environment.query(`update audit_entries set actor = 'bob' where account_id like 'acc_system%'`);
  const { output } = await environment.run(['doctor']);
  expect(output).toMatch(/audit log.*record 1 was changed/);
});

test('the operating-system user of a command is stored beside the actor that it names', async () => {
  const account = await environment.createAccount();
  const words = ['settings', 'set', 'site=2 Angel Lane', '--account', account, '--actor', 'somebody else', ...REASON];
  const { exitCode } = await environment.run(words, { SUDO_USER: 'ann', SUDO_UID: '1000' });
  expect(exitCode).toBe(0);
  const log = await environment.runJson<{ actor: string; operatingSystemUser: string }[]>([
    ...['audit', 'list', '--account', account],
  ]);
  expect(log[0]).toMatchObject({ actor: 'somebody else' });
  expect(log[0]?.operatingSystemUser).toMatch(`${userInfo().username} (${process.getuid?.()}), by sudo of ann (1000)`);
});

test.each([
  [{}, '', ''],
  [{}, '4294967295\n', ''],
  [{}, '1000\n', ', login 1000'],
  [{ SUDO_USER: 'ann', SUDO_UID: '1000' }, '1000\n', ', by sudo of ann (1000), login 1000'],
  [{ SUDO_USER: 'a\nb' }, '', ', by sudo of a?b (no number)'],
])('the settings %j and the login %j are described', (env, login, described) => {
  const own = `${userInfo().username} (${process.getuid?.()})`;
  expect(describeOperatingSystemUser(env, () => login)).toBe(`${own}${described}`);
});
