import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changePortalUserStatus } from '@pos/administration/portal';
import { PASSWORD, PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
});
afterAll(() => environment.close());

/** The entries about this address, oldest first; the actor is the user or nobody. */
function readEntries(email: string) {
  return environment.change(
    `select a.action, a.reason, coalesce(u.email, a.actor) as actor, a.state_after ->> 'address' as address
     from audit_entries a left join portal_users u on u.id = a.actor
     where a.subject = $1 and a.account_id like 'acc_system%' and a.action <> 'CreatePortalUser' order by a.number`,
    [email],
  );
}

const signIn = (email: string, password: string, address: string) =>
  environment.send('POST', '/portal/session', { body: { email, password }, headers: { 'x-forwarded-for': address } });

test('a sign-in, the password again and a sign-out are in the audit log', async () => {
  const email = await environment.createUser('admin');
  const answer = await signIn(email, PASSWORD, '10.9.0.1');
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
  await environment.send('POST', '/portal/session/reauthenticate', { cookie, body: { password: 'wrong' } });
  await environment.send('POST', '/portal/session/reauthenticate', { cookie, body: { password: PASSWORD } });
  await environment.send('DELETE', '/portal/session', { cookie });
  const second = await environment.signIn(email);
  await environment.send('DELETE', '/portal/sessions', { cookie: second });
  const entries = await readEntries(email);
  expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
    ['SignIn', 'by password'],
    ['ReauthenticationRefused', 'wrong password'],
    ['Reauthenticate', 'by password'],
    ['SignOut', 'by the user'],
    ['SignIn', 'by password'],
    ['SignOutEverywhere', 'by the user'],
  ]);
  expect(entries[0]).toMatchObject({ actor: email, address: '10.9.0.1' });
});

test('refused sign-ins are in the audit log, with the reason that the answer does not have', async () => {
  const [email, disabled] = [await environment.createUser('admin'), await environment.createUser('admin')];
  const change = { actor: 'test', reason: 'a test' };
  await changePortalUserStatus(environment.testDatabase.database, change, { email: disabled, status: 'Disabled' });
  const answers = [
    await signIn(email, 'wrong', '10.9.0.2'),
    await signIn(disabled, PASSWORD, '10.9.0.2'),
    await signIn('stranger\u202e@corner.example', PASSWORD, '10.9.0.3'),
  ];
  expect(new Set(answers.map(({ text }) => readBody<{ detail: string }>(text).detail)).size).toBe(1);
  const refused = { action: 'SignInRefused' };
  expect(await readEntries(email)).toEqual([
    { ...refused, actor: email, reason: 'wrong password', address: '10.9.0.2' },
  ]);
  expect((await readEntries(disabled)).at(-1)).toEqual({
    ...{ ...refused, actor: disabled, reason: 'the user is disabled', address: '10.9.0.2' },
  });
  expect(await readEntries('stranger\\u202e@corner.example')).toEqual([
    { ...refused, actor: 'nobody', reason: 'there is no such user', address: '10.9.0.3' },
  ]);
});
