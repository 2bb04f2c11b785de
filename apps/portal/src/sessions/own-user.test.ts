import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPortalUser, grantPortalRole, resetPortalPassword } from '@pos/administration/portal';
import type { Operation } from '@pos/rest-contracts/operation';
import { changePortalPassword, PORTAL_OPERATIONS, SIGN_IN_STEP_OPERATIONS } from '@pos/rest-contracts/portal';
import * as session from '@pos/rest-contracts/portal';
import { PASSWORD, PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

const CHANGE = { actor: 'test', reason: 'a test' };
const FIRST = 'first heron of 9';

let environment: PortalTestEnvironment;
let users = 0;
beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
});
afterAll(() => environment.close());

/** A user whose password somebody else has set, with a role in the own account. */
async function createNewUser(isOperator = false): Promise<string> {
  const email = `new${(users += 1)}@corner.example`;
  const { database } = environment.testDatabase;
  await createPortalUser(database, CHANGE, { email, name: 'Ann Lee', password: FIRST, isOperator });
  if (!isOperator)
    await grantPortalRole(database, CHANGE, { email, membership: { ...environment.own, role: 'admin' } });
  return email;
}

const signIn = (email: string, password: string, cookie: string | null = null) =>
  environment.send('POST', '/portal/session', { body: { email, password }, cookie });
const change = (cookie: string, presentPassword: string, password: string) =>
  environment.send('PUT', '/portal/session/password', { cookie, body: { presentPassword, password } });
const readCookies = ({ headers }: TestAnswer) =>
  [headers['set-cookie'] ?? []].flat().map((each) => each.split(';', 1)[0] ?? '');
const readErrors = ({ text }: TestAnswer) => readBody<{ errors: Record<string, string[]> }>(text).errors;

describe('who signs in with a password that somebody else has set', () => {
  const OPEN: readonly Operation[] = [
    ...[session.readSignInOptions, session.signIn, session.readPortalSession],
    ...[session.signOut, session.signOutEverywhere, changePortalPassword],
    // They belong to no session: each begins or continues another sign-in.
    ...SIGN_IN_STEP_OPERATIONS,
  ];
  const closed = PORTAL_OPERATIONS.filter((each) => !OPEN.includes(each)).map(
    ({ id, method, path }) => [id, method, path] as const,
  );

  test.each([
    ...closed,
    ['the forwarded operations', 'GET', '/portal/api/terminals'],
    ['the events of pages', 'GET', '/portal/events'],
  ] as const)('may not call %s', async (_, method, path) => {
    const cookie = await environment.signIn(await createNewUser(true), FIRST);
    const request = method === 'GET' ? { cookie } : { cookie, body: '{' };
    expect(await environment.send(method, path.replaceAll(/\{\w+\}/g, 'x'), request)).toMatchObject({
      ...{ status: 403, reason: 'password_change_needed' },
    });
  });

  test('reads what is asked for, changes the password, and works', async () => {
    const email = await createNewUser();
    const cookie = await environment.signIn(email, FIRST);
    const read = () => environment.send('GET', '/portal/session', { cookie });
    expect(JSON.parse((await read()).text)).toMatchObject({ passwordChange: 'firstUse' });
    expect(await change(cookie, FIRST, 'second heron of 9')).toMatchObject({ status: 204 });
    expect(JSON.parse((await read()).text)).not.toHaveProperty('passwordChange');
    expect((await environment.send('GET', '/portal/overview', { cookie })).status).toBe(200);
    expect(await signIn(email, FIRST)).toMatchObject({ reason: 'sign_in_refused' });
  });

  test('signs out', async () => {
    const cookie = await environment.signIn(await createNewUser(), FIRST);
    expect((await environment.send('DELETE', '/portal/session', { cookie })).status).toBe(204);
  });

  test('is stopped in open pages by a password that has become too old', async () => {
    const email = await environment.createUser('admin');
    const cookie = await environment.signIn(email);
    await environment.change(
      `update portal_users set password_changed_at = clock_timestamp() - interval '91 days' where email = $1`,
      [email],
    );
    const overview = await environment.send('GET', '/portal/overview', { cookie });
    expect(overview).toMatchObject({ status: 403, reason: 'password_change_needed' });
    const read = await environment.send('GET', '/portal/session', { cookie });
    expect(JSON.parse(read.text)).toMatchObject({ passwordChange: 'age' });
  });
});

describe('a change of the own password', () => {
  test('is refused with all that is wrong', async () => {
    const cookie = await environment.signInAs('viewer');
    const answer = await change(cookie, PASSWORD, 'grey herons');
    expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
    expect(readErrors(answer)).toEqual({
      password: ['must be 12 to 200 characters', 'must have a letter and a digit'],
    });
  });

  test.each([
    ['a wrong present password', 'another heron 9', 'third heron of 9', 'sign_in_refused'],
    ['the present password', PASSWORD, PASSWORD, 'validation_failed'],
    ['a password of 1,001 characters', PASSWORD, 'x'.repeat(1_001), 'validation_failed'],
  ])('with %s is refused', async (_, present, next, reason) => {
    const cookie = await environment.signInAs('viewer');
    expect(await change(cookie, present, next)).toMatchObject({ reason });
    expect((await environment.send('GET', '/portal/session', { cookie })).status).toBe(200);
  });

  test('ends the other sessions', async () => {
    const email = await environment.createUser('viewer');
    const [cookie, other] = [await environment.signIn(email), await environment.signIn(email)];
    expect((await change(cookie, PASSWORD, 'third heron of 9')).status).toBe(204);
    expect((await environment.send('GET', '/portal/session', { cookie: other })).status).toBe(401);
    expect((await environment.send('GET', '/portal/session', { cookie })).status).toBe(200);
  });
});

describe('a browser in which the user has signed in before', () => {
  const lockOut = async (email: string) => {
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn(email, 'wrong');
  };

  test('signs in although strangers have locked the user', async () => {
    const email = await environment.createUser('viewer');
    const [, device = ''] = readCookies(await signIn(email, PASSWORD));
    await lockOut(email);
    expect(await signIn(email, PASSWORD)).toMatchObject({ status: 401, reason: 'sign_in_refused' });
    expect((await signIn(email, PASSWORD, device)).status).toBe(200);
    expect(await signIn(email, PASSWORD)).toMatchObject({ status: 401 });
  });

  test.each<[string, (cookie: string, other: string) => string]>([
    ['of another user', (_, other) => other],
    ['of another user, under its own name', (cookie, other) => `${cookie.split('=', 1)[0]}=${other.split('=')[1]}`],
    ['with another id', (cookie) => cookie.replace(/=./, (first) => (first === '=A' ? '=B' : '=A'))],
    ['without a signature', (cookie) => cookie.split('.', 1)[0] ?? ''],
    ['with an empty signature', (cookie) => `${cookie.split('.', 1)[0]}.`],
    ['that is sent twice', (cookie) => `${cookie}; ${cookie}`],
    ['that is empty', (cookie) => `${cookie.split('=', 1)[0]}=`],
  ])('is not known by a cookie %s', async (_, forge) => {
    const email = await environment.createUser('viewer');
    const [, device = ''] = readCookies(await signIn(email, PASSWORD));
    const [, other = ''] = readCookies(await signIn(await environment.createUser('viewer'), PASSWORD));
    await lockOut(email);
    expect(await signIn(email, PASSWORD, forge(device, other))).toMatchObject({ reason: 'sign_in_refused' });
  });
});

describe('the sessions of a user', () => {
  const list = async (cookie: string) =>
    readBody<{ id: string; isCurrent: boolean; browser?: string; networkAddress?: string }[]>(
      (await environment.send('GET', '/portal/sessions', { cookie })).text,
    );

  test('are listed with the browser and the address, and end from another one', async () => {
    const email = await environment.createUser('viewer');
    const cookie = await environment.signIn(email);
    const headers = { 'user-agent': 'Safari of Ann', 'x-forwarded-for': '192.0.2.44' };
    const other = await environment.send('POST', '/portal/session', { body: { email, password: PASSWORD }, headers });
    const [listed] = (await list(cookie)).filter(({ isCurrent }) => !isCurrent);
    expect(listed).toMatchObject({ browser: 'Safari of Ann', networkAddress: '192.0.2.44' });
    const path = `/portal/sessions/${listed?.id}`;
    expect((await environment.send('DELETE', path, { cookie })).status).toBe(204);
    expect(await list(cookie)).toHaveLength(1);
    const [otherCookie = ''] = readCookies(other);
    expect((await environment.send('GET', '/portal/session', { cookie: otherCookie })).status).toBe(401);
    expect(await environment.send('DELETE', path, { cookie })).toMatchObject({ reason: 'validation_failed' });
  });

  test('all others end, and those of other users stay', async () => {
    const email = await environment.createUser('viewer');
    const [cookie, second, stranger] = [
      await environment.signIn(email),
      await environment.signIn(email),
      await environment.signInAs('viewer'),
    ];
    expect((await environment.send('POST', '/portal/sessions/end-others', { cookie })).status).toBe(204);
    const statuses = [cookie, second, stranger].map(
      async (each) => (await environment.send('GET', '/portal/session', { cookie: each })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
  });
});

test('an operator sees a lock, ends it, and ends sessions', async () => {
  const operator = await environment.signInAs('operator');
  const email = await environment.createUser('viewer');
  const cookie = await environment.signIn(email);
  for (let attempt = 0; attempt < 10; attempt += 1) await signIn(email, 'wrong');
  const find = async () =>
    readBody<{ email: string }[]>(
      (await environment.send('GET', '/portal/administration/users', { cookie: operator })).text,
    ).find((user) => user.email === email);
  expect(await find()).toMatchObject({ lockedUntil: expect.any(String), lastSignInAt: expect.any(String) });
  const body = { email, reason: 'a test' };
  const send = (path: string) =>
    environment.send('POST', `/portal/administration/users/${path}`, { cookie: operator, body });
  expect((await send('unlock')).status).toBe(204);
  expect(await find()).not.toHaveProperty('lockedUntil');
  expect(await send('unlock')).toMatchObject({ reason: 'validation_failed' });
  expect((await environment.send('GET', '/portal/session', { cookie })).status).toBe(200);
  expect((await send('end-sessions')).status).toBe(204);
  expect((await environment.send('GET', '/portal/session', { cookie })).status).toBe(401);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  await resetPortalPassword(environment.testDatabase.database, CHANGE, { email, password: 'reset heron of 9' });
  expect((await signIn(email, PASSWORD)).status).toBe(401);
});
