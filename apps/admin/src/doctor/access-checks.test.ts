import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandEnvironment, createCommandEnvironment, REASON } from '../testing/command-environment.js';

let environment: CommandEnvironment;
beforeAll(async () => {
  environment = await createCommandEnvironment();
});
afterAll(() => environment.close());

const examine = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
  environment.run(['doctor', ...flags], env);

test.each([
  [{}, null],
  [{ SECOND_FACTOR: 'required', OIDC_ISSUER: 'https://id.example', PASSWORD_SIGN_IN: 'off' }, null],
  [{ SECOND_FACTOR: 'optional', NODE_ENV: 'test' }, null],
  [{ SECOND_FACTOR: 'optional' }, /^note +portal: SECOND_FACTOR is optional: .*; remove the setting at the portal$/m],
  [{ OIDC_ISSUER: 'https://id.example' }, /^note +portal: .*https:\/\/id\.example.*; set PASSWORD_SIGN_IN to off/m],
  [
    { OIDC_ISSUER: 'https://id.example', PASSWORD_SIGN_IN: 'on' },
    /^note +portal: .* passwords of the portal open it, too; set PASSWORD_SIGN_IN/m,
  ],
])('reports settings of the portal that are weak in production: %j', async (settings, line) => {
  const { exitCode, output } = await examine({ NODE_ENV: 'production', ...settings });
  expect([exitCode, output.match(/^(note|problem) +portal/gm)?.length ?? 0]).toEqual([0, line === null ? 0 : 1]);
  if (line !== null) expect(output).toMatch(line);
});

test('reports that partners are not enforced, until they are', async () => {
  const partners = async () => (await examine({}, '--database')).output.match(/^.*partners: .*$/m)?.[0];
  expect(await partners()).toMatch(/^ok +partners: requests in production name registered partners only$/);
  await environment.query('update partner_registry set enforced = false, revision = revision + 1');
  expect(await partners()).toMatch(/^note +partners: .* not registered; .* run partner enforce: docs\/operate/);
  await environment.runJson(['partner', 'enforce', ...REASON]);
  expect(await partners()).toMatch(/^ok/);
});

test('reports in production that operators need no second one, once there are two', async () => {
  const find = async (NODE_ENV = 'production') =>
    (await examine({ NODE_ENV }, '--database')).output.match(/^.*second operator: .*$/m)?.[0];
  const create = (name: string) =>
    environment.query(
      `insert into portal_users (id, email, name, password_hash, status, is_operator, created_at, password_changed_at)
       values ($1, $2, $3, 'none', 'Active', true, now(), now())`,
      [`usr_${name.padEnd(22, '0')}`, `${name}@service.example`, name],
    );
  await create('ann');
  expect(await find()).toBeUndefined();
  await create('bob');
  expect(await find()).toMatch(/^note +second operator: each of 2 operators alone .*; run approval require: docs/);
  expect(await find('test')).toBeUndefined();
  await environment.query('update operator_rules set second_operator = true');
  expect(await find()).toMatch(/^ok +second operator: production keys, operators and roles in production need one$/);
});
