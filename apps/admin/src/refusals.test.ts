import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';

let environment: CommandEnvironment;
let account: string;
let disabledAccount: string;
let terminal: string;
let ownNumber: string;
beforeAll(async () => {
  environment = await createCommandEnvironment({ sharesDatabase: true });
  account = await environment.createAccount();
  disabledAccount = await environment.createAccount();
  const shown = await environment.runJson<{ merchantId: string }[]>(['merchant-number', 'list', '--account', account]);
  ownNumber = shown[0]?.merchantId ?? '';
  await environment.runJson(['account', 'disable', '--account', disabledAccount, ...REASON]);
  const words = ['terminal', 'register', '--account', account, '--tid', '10000001', '--name', 'Bar', ...REASON];
  ({ id: terminal } = await environment.runJson<{ id: string }>(words));
});
afterAll(() => environment.close());

const UNKNOWN = `acc_${'x'.repeat(22)}`;
/** Words with the accounts of this test in place of their names. */
function resolveWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) =>
    (quoted ?? plain)
      .replace('ACCOUNT', account)
      .replace('DISABLED', disabledAccount)
      .replace('UNKNOWN', UNKNOWN)
      .replace('TERMINAL', terminal)
      .replace('OWN_NUMBER', ownNumber)
      .replace('LONG_TEXT', 'x'.repeat(1_001)),
  );
}

const NEW_ACCOUNT = 'account create --name a --trading-name b --reason c';

describe('wrong use ends with 2 and names what is wrong', () => {
  test.each([
    ['frobnicate', 'frobnicate'],
    ['account creat', 'did you mean `create`'],
    ['account show', '--account'],
    ['account show --account nope', 'must be the id of an account'],
    ['account show --account ACCOUNT --environment staging', 'staging'],
    ['account show --account ACCOUNT --colour red', 'colour'],
    ['account show --account ACCOUNT surplus', 'surplus'],
    ['account disable --account ACCOUNT', '--reason'],
    [`${NEW_ACCOUNT} --merchant-id`, 'merchant-id'],
    [NEW_ACCOUNT, '--merchant-id'],
    ['key create --account ACCOUNT --role owner --label x --reason y', 'owner'],
    ['key create --account ACCOUNT --role full --grant setup.card --label x --reason y', 'branding.write'],
    ['pending resolve --account ACCOUNT --id x --action Forget --reason y', 'Forget'],
    ['reconcile --account ACCOUNT --from yesterday --reason y', 'must be a date'],
    ['reconcile --account ACCOUNT --from 2027-02-31 --reason y', 'must be a date'],
    ['reconcile --account ACCOUNT --from 2026-01-01 --wait soon --reason y', 'must be a whole number'],
    ['webhooks dead-letters --account ACCOUNT --limit 0', 'from 1 to 1000'],
    ['settings set --account ACCOUNT --reason y', 'name=value'],
    ['keys rotate --key vault --reason y', 'vault'],
    ['agreed-settings change --name CHECKOUT_BASE_URL --reason y', '--value'],
    ['webhooks replay --account ACCOUNT --reason y', '--delivery or --all must be given'],
    ['audit list', '--account or --system must be given'],
    ['migrate --check --dry-run', '--check and --dry-run exclude each other'],
    ['migrate --distributed --check', '--distributed changes the database, so it excludes --check and --dry-run'],
    ['migrate --distributed --dry-run', '--distributed changes the database, so it excludes --check and --dry-run'],
    ['settings set nonsense --account ACCOUNT --reason y', 'nonsense must be name=value'],
  ])('%s', async (line, named) => {
    const { exitCode, output, error } = await environment.run(resolveWords(line));
    expect([exitCode, output]).toEqual([2, '']);
    expect(error).toContain(named);
    expect(error).not.toContain('    at ');
  });
});

describe('a refusal ends with 1, names the flag, and changes nothing', () => {
  test.each([
    ['account show --account UNKNOWN', '--account is not an account'],
    ['account disable --account UNKNOWN --reason y', '--account is not an account'],
    ['account disable --account DISABLED --reason y', '--account is disabled already'],
    ['account enable --account ACCOUNT --reason y', '--account is enabled already'],
    ['account disable --account ACCOUNT --reason " "', '--reason must be 1 to 1000 characters'],
    ['account disable --account ACCOUNT --reason LONG_TEXT', '--reason must be 1 to 1000 characters'],
    ['account disable --account ACCOUNT --reason y --actor LONG_TEXT', '--actor must be 1 to 200 characters'],
    [`${NEW_ACCOUNT} --merchant-id "two words "`, '--merchant-id must be 1 to 64 characters'],
    [`${NEW_ACCOUNT} --merchant-id 1 --currencies pounds`, '--currencies must be a list'],
    [`${NEW_ACCOUNT} --merchant-id 1 --currencies GBP,GBP`, '--currencies must be a list without repetition'],
    ['account create --name "" --trading-name b --merchant-id 1 --reason c', '--name must be 1 to 200'],
    [`${NEW_ACCOUNT} --merchant-id 1 --time-zone BST`, '--time-zone must be UTC or a zone'],
    ['location create --account UNKNOWN --name a --reason y', '--account is not an account'],
    ['location create --account DISABLED --name a --reason y', '--account is disabled'],
    ['location update --account ACCOUNT --location loc_nope --name a --reason y', '--location is not a location'],
    ['location list --account UNKNOWN', '--account is not an account'],
    ['terminal register --account UNKNOWN --tid 1 --name a --reason y', '--account is not an account'],
    ['terminal register --account DISABLED --tid 1 --name a --reason y', '--account is disabled'],
    ['terminal register --account ACCOUNT --tid 10000001 --name a --reason y', '--tid is the TID of terminal tm_prod_'],
    ['terminal register --account ACCOUNT --tid "1 2" --name a --reason y', '--tid must be 1 to 64 letters'],
    ['terminal register --account ACCOUNT --tid 1 --name "" --reason y', '--name must be 1 to 100'],
    [
      'terminal register --account ACCOUNT --tid 1 --name a --location loc_x --reason y',
      '--location is not a location',
    ],
    ['terminal replace --account ACCOUNT --terminal tm_x --reason y', '--terminal is not a terminal'],
    ['terminal replace --account ACCOUNT --environment sandbox --terminal TERMINAL --reason y', '--terminal is not a'],
    ['terminal reset-credential --account UNKNOWN --terminal TERMINAL --reason y', '--account is not an account'],
    ['terminal reset-credential --account DISABLED --terminal TERMINAL --reason y', '--terminal is not a terminal'],
    ['key create --account UNKNOWN --role full --label x --reason y', '--account is not an account'],
    ['key create --account DISABLED --role full --label x --reason y', '--account is disabled'],
    ['key create --account ACCOUNT --role pci --label x --reason y', 'SAQ-D'],
    ['key create --account ACCOUNT --role full --label "" --reason y', '--label must be'],
    ['key update --account ACCOUNT --key key_nope --strict on --reason y', '--key is not a key'],
    ['key revoke --account ACCOUNT --key key_nope --reason y', '--key is not a key'],
    ['merchant-number retire --account UNKNOWN --number 1 --reason y', '--account is not an account'],
    ['merchant-number retire --account ACCOUNT --number nope --reason y', '--number is not a number of the account'],
    ['merchant-number retire --account ACCOUNT --number OWN_NUMBER --reason y', '--number is used for new payments'],
    [
      'merchant-number retire --account ACCOUNT --acquirer north --number OWN_NUMBER --reason y',
      '--number is not a number of the account at north',
    ],
    ['merchant-number list --account UNKNOWN', '--account is not an account'],
    ['settings get --account UNKNOWN', '--account is not an account'],
    [
      'settings set payAtTable.isEnabled=maybe --account ACCOUNT --reason y',
      'payAtTable.isEnabled must be true or false',
    ],
    ['settings set payAtTabel.isEnabled=true --account ACCOUNT --reason y', 'payAtTabel.isEnabled is not a setting'],
    ['settings set __proto__=1 --account ACCOUNT --reason y', '__proto__ is not a setting'],
    [
      'settings set capturedReversalDays=-1 --account ACCOUNT --reason y',
      'capturedReversalDays must be a whole number',
    ],
    ['settings set capturedReversalDays=none --account ACCOUNT --reason y', 'capturedReversalDays must have a value'],
    ['settings set branding.logoUrl=http://plain.example --account ACCOUNT --reason y', 'must be an https address'],
    [
      'settings set sandboxBranding.accentColor=red --account ACCOUNT --reason y',
      'sandboxBranding.accentColor must be a colour such as #0b57d0',
    ],
    ['settings set cardAttestationUntil=soon --account ACCOUNT --reason y', 'cardAttestationUntil must be a date'],
    ['settings set supportedPaymentMethods.wallets=CASH --account ACCOUNT --reason y', 'wallets must be a list'],
    ['settings set serviceManagedEpos=Dance --account ACCOUNT --reason y', 'serviceManagedEpos must be a list'],
    ['pending resolve --account UNKNOWN --id x --action RetryNow --reason y', '--account is not an account'],
    ['pending resolve --account ACCOUNT --id x --action RetryNow --reason y', 'there is no such payment'],
    ['pending answer --account UNKNOWN --id x --reason y', '--account is not an account'],
    ['pending answer --account ACCOUNT --id x --reason y', 'there is no such difference'],
    ['pending answer --account ACCOUNT --id x --reason " "', '--reason must be 1 to 1000 characters'],
    ['reconcile --account UNKNOWN --from 2026-01-01 --reason y', '--account is not an account'],
    ['reconcile --account ACCOUNT --from 2020-01-01 --reason y', '--from must be at most 31 days'],
    ['webhooks replay --account ACCOUNT --delivery dlv_nope --reason y', '--delivery is not a dead letter'],
    ['epos status --account UNKNOWN', '--account is not an account'],
    ['keys rotate --key pepper --reason y', 'is not being replaced'],
    ['agreed-settings change --name NOPE --value 1 --reason y', '--name is not an agreed setting'],
    ['agreed-settings finish --name NOPE --reason y', '--name is not an agreed setting'],
  ])('%s', async (line, sentence) => {
    const countEntries = 'select count(*)::int as entries from audit_entries';
    const before = await environment.query(countEntries);
    const { exitCode, output, error } = await environment.run(resolveWords(line));
    expect([exitCode, output]).toEqual([1, '']);
    expect(error).toContain(sentence);
    expect(error).not.toContain('    at ');
    expect(await environment.query(countEntries)).toEqual(before);
  });
});

describe('SettleAsListed needs the acquirers of the apps, and a line that has books', () => {
  const ACQUIRER = { ACQUIRER_ADDRESS_PRODUCTION: '127.0.0.1:1' };
  test.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['--account ACCOUNT --id x', {}, 2, 'ACQUIRER_ADDRESS: is not set'],
    ['--account ACCOUNT --id x', { ACQUIRERS_FILE: '/nowhere.json' }, 2, 'ACQUIRERS_FILE: names no file'],
    ['--account UNKNOWN --id x', ACQUIRER, 1, '--account is not an account'],
    ['--account ACCOUNT --id x', ACQUIRER, 1, 'there is no such payment'],
  ])('%s with %j', async (flags, env, code, sentence) => {
    const words = resolveWords(`pending resolve ${flags} --action SettleAsListed --reason y`);
    const { exitCode, output, error } = await environment.run(words, env);
    expect([exitCode, output]).toEqual([code, '']);
    expect(error).toContain(sentence);
  });
});

test('of settings that are set together a wrong one refuses all, each wrong one by its name', async () => {
  const words = ['site=1 High Street', 'phoneNumber=', 'payAtTable.transport=pigeon', '--account', account, ...REASON];
  const { exitCode, error } = await environment.run(['settings', 'set', ...words]);
  expect(exitCode).toBe(1);
  expect(error.match(/phoneNumber must|payAtTable.transport must/g)).toHaveLength(2);
  const { settings } = await environment.runJson<{ settings: object }>(['settings', 'get', '--account', account]);
  expect(settings).toMatchObject({ site: null });
});

test('a key may change the look of the payment page only if that is granted by its name', async () => {
  const words = ['key', 'create', '--account', account, '--role', 'read-only', '--label', 'brand', ...REASON];
  const { permissions } = await environment.runJson<{ permissions: string[] }>(words);
  expect([permissions.includes('branding.read'), permissions.includes('branding.write')]).toEqual([true, false]);
  const granted = await environment.runJson<{ permissions: string[] }>([...words, '--grant', 'branding.write']);
  expect(granted.permissions).toEqual([...permissions, 'branding.write']);
});

test('a merchant number belongs to one account', async () => {
  const [{ merchant_id: merchantId } = { merchant_id: '' }] = await environment.query<{ merchant_id: string }>(
    'select merchant_id from accounts where account_id = $1',
    [account],
  );
  const words = ['--name', 'a', '--trading-name', 'b', '--merchant-id', merchantId, ...REASON];
  const { exitCode, error } = await environment.run(['account', 'create', ...words]);
  expect([exitCode, error]).toEqual([1, `account create: --merchant-id is the number of account ${account}\n`]);
});

test('the numbers of several acquirers are set as a text, and read as it was set', async () => {
  for (const name of ['north', 'south']) {
    await environment.query(
      `insert into acquirers (environment, name, capabilities, declared_at) values ('production', '${name}', '{}', now())`,
    );
  }
  const set = (text: string) =>
    environment.run(['settings', 'set', `merchantIds.production=${text}`, '--account', account, ...REASON]);
  const get = async () => {
    const { output } = await environment.run(['settings', 'get', '--account', account]);
    return /^merchantIds\.production +(.*)$/m.exec(output)?.[1];
  };
  expect((await set('north=M-1002,south=7')).exitCode).toBe(0);
  expect(await get()).toBe('north=M-1002,south=7');
  for (const wrong of ['north', 'north=1,north=2', 'north=', 'NORTH=1', 'west=1']) {
    expect(await set(wrong)).toMatchObject({ exitCode: 1, error: expect.stringContaining('merchantIds.production') });
  }
  expect(await get()).toBe('north=M-1002,south=7');
  expect((await set('none')).exitCode).toBe(0);
  expect(await get()).toBe('none');
});

test('of registrations of one TID at the same time one succeeds', async () => {
  const words = ['terminal', 'register', '--account', account, '--tid', '77', '--name', 'x', ...REASON];
  const runs = await Promise.all(Array.from({ length: 4 }, () => environment.run(words)));
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1, 1]);
});

describe('settings and databases that cannot work', () => {
  const NOWHERE = 'postgres://service_app:p@127.0.0.1:1/nowhere';
  test.each([
    ['a missing setting', { KEY_PEPPER: '' }, 2, 'KEY_PEPPER: is not set'],
    ['another pepper', { KEY_PEPPER: 'another pepper for tests' }, 2, 'KEY_PEPPER: is not the one'],
    ['a wrong address', { DATABASE_URL: 'mysql://x/' }, 2, 'DATABASE_URL: is not a postgres:// address'],
    ['a server that is away', { DATABASE_URL: NOWHERE }, 3, 'the database server 127.0.0.1:1 does not answer'],
  ])('%s', async (_, env, code, sentence) => {
    const { exitCode, error } = await environment.run(['account', 'list'], env);
    expect(exitCode).toBe(code);
    expect(error).toContain(sentence);
    expect(error).not.toMatch(/ {4}at |service_app:p/);
  });

  test.each([
    [['migrate', '--check'], 'DATABASE_OWNER_URL'],
    [['account', 'list'], 'DATABASE_URL'],
  ])('%j in production sends no password to a database that is not verified', async (words, setting) => {
    const weak = { [setting]: 'postgres://owner:hunter2@0.0.0.0:1/pos?sslmode=require', NODE_ENV: 'production' };
    const refused = await environment.run(words, weak);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.error).toContain(`${setting}: sslmode: must be verify-full for a server on another machine`);
    expect(refused.error).not.toContain('hunter2');
    const accepted = await environment.run(words, { ...weak, DATABASE_TLS_BY_NETWORK: 'true' });
    expect(accepted.error).toContain('does not answer');
  });

  test('migrate needs the owner, and one sentence says that its server is away', async () => {
    expect(await environment.run(['migrate'], { DATABASE_OWNER_URL: '' })).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('DATABASE_OWNER_URL: is not set'),
    });
    const away = await environment.run(['migrate', '--check'], { DATABASE_OWNER_URL: NOWHERE });
    expect(away).toMatchObject({ exitCode: 3, error: 'migrate: the database server 127.0.0.1:1 does not answer\n' });
  });
});

test('relations are not distributed without Citus, and one sentence says so', async () => {
  const { exitCode, output, error } = await environment.run(['migrate', '--distributed']);
  expect([exitCode, output]).toEqual([3, '']);
  expect(error).toMatch(/^migrate: .*no extension citus.*\n$/);
});

test('with --json a refusal is JSON, too', async () => {
  const { exitCode, output, error } = await environment.run(['settings', 'get', '--account', UNKNOWN, '--json']);
  expect([exitCode, output]).toEqual([1, '']);
  expect(JSON.parse(error)).toEqual({
    error: {
      code: 'validation_failed',
      message: '--account is not an account',
      members: { account: ['is not an account'] },
    },
  });
});
