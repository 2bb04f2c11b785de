import { afterEach, describe, expect, test } from '@jest/globals';
import { changePortalUserStatus } from '@pos/administration/portal';
import type { IdentityProvider, TokenChanges } from './identity-provider.js';
import type { PortalTestEnvironment, TestAnswer } from './portal-test-environment.js';

/** A running portal, and the provider that it knows. */
export interface ProviderScene {
  readonly environment: PortalTestEnvironment;
  readonly provider: IdentityProvider;
}

const START = '/portal/oidc/start';
const CALLBACK = '/portal/oidc/callback';
/** What a browser sends when a page of another site leads it here. */
const LED_BACK = { 'sec-fetch-site': 'cross-site', version: null };

/** The browser of a user: what it got when it began to sign in. */
interface Browser {
  readonly address: string;
  readonly cookie: string;
}

/** Plays how users sign in at the identity provider of the operator, and how they are refused. */
export function testProviderSignIn(scene: () => ProviderScene): void {
  describe('at an identity provider', () => {
    afterEach(() => {
      scene().provider.changes = {};
    });
    testAccepted(scene);
    testRefusedTokens(scene);
    testRefusedBrowsers(scene);
    testRefusedUsers(scene);
  });
}

async function begin({ environment }: ProviderScene): Promise<Browser> {
  const { status, headers } = await environment.send('GET', START);
  if (status !== 303) throw new Error(`the start answered ${status}`);
  const [cookie = ''] = readCookies(headers['set-cookie']);
  return { address: String(headers['location']), cookie };
}

/** The provider answers with these changes for the user of the address, and the browser returns. */
async function complete(
  { environment, provider }: ProviderScene,
  {
    email,
    browser,
    changes = {},
  }: { readonly email: string; readonly browser: Browser; readonly changes?: TokenChanges },
): Promise<TestAnswer> {
  provider.changes = { ...changes, claims: { email, ...changes.claims } };
  const query = provider.authorize(browser.address);
  return environment.send('GET', `${CALLBACK}${query}`, { cookie: browser.cookie, headers: LED_BACK });
}

function readCookies(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().map((each) => each.split(';', 1)[0] ?? '');
}

function expectRefused(answer: TestAnswer, problem: 'failed' | 'notAllowed'): void {
  expect({ status: answer.status, location: answer.headers['location'] }).toEqual({
    ...{ status: 303, location: `/?signIn=${problem}` },
  });
  expect(String(answer.headers['set-cookie'] ?? '')).not.toContain('__Host-pos-portal=');
}

const INFO = 30;
const WARN = 40;

/** What the log has about refused callbacks since it had that many lines. */
function readRefusals({ log }: PortalTestEnvironment, known: number) {
  const lines = log.lines.slice(known).filter((line) => line.includes('provider_sign_in_refused'));
  return lines.map((line) => ({
    level: (JSON.parse(line) as { level: number }).level,
    hasStack: line.includes('"stack"'),
  }));
}

function testAccepted(scene: () => ProviderScene): void {
  test('a user who exists signs in, and keys still need the password of the portal', async () => {
    const { environment } = scene();
    const email = await environment.createUser('admin');
    const answer = await complete(scene(), { email: email.toUpperCase(), browser: await begin(scene()) });
    expect([answer.status, answer.headers['location']]).toEqual([303, '/']);
    expect(String(answer.headers['set-cookie'])).toContain('__Host-pos-portal-sign-in=; Max-Age=0');
    const [cookie = ''] = readCookies(answer.headers['set-cookie']);
    const read = await environment.send('GET', '/portal/session', { cookie });
    expect(JSON.parse(read.text)).toMatchObject({ user: { email }, isReauthenticated: false });
    const body = { label: 'a key', role: 'read-only' };
    expect(await environment.send('POST', '/portal/api/api-keys', { cookie, body })).toMatchObject({
      reason: 'reauthentication_needed',
    });
  });

  test('the sign-in page knows of the provider, and the cookie of the attempt is out of reach of scripts', async () => {
    const { environment } = scene();
    const options = await environment.send('GET', '/portal/sign-in-options');
    expect(JSON.parse(options.text)).toEqual({
      ...{ hasProvider: true, acceptsPasswords: true, passkeyOrigin: 'https://portal.example' },
    });
    const { headers } = await environment.send('GET', START);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-pos-portal-sign-in=[\w-]+\.[\w-]{43}; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
  });
}

function testRefusedTokens(scene: () => ProviderScene): void {
  const now = (): number => Math.floor(Date.now() / 1_000);
  test.each<[string, () => TokenChanges]>([
    ['of another issuer', () => ({ claims: { iss: 'https://other.example' } })],
    ['for another audience', () => ({ claims: { aud: 'another client' } })],
    ['for several audiences without an authorized party', () => ({ claims: { aud: ['another client', 'a third'] } })],
    ['with the nonce of another attempt', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['that has expired', () => ({ claims: { iat: now() - 1_000, exp: now() - 600 } })],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 600 } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['that another key has signed', () => ({ isForged: true })],
  ])('a token %s is refused', async (_, change) => {
    const email = await scene().environment.createUser('viewer');
    const browser = await begin(scene());
    expectRefused(await complete(scene(), { email, browser, changes: change() }), 'failed');
  });
}

function testRefusedBrowsers(scene: () => ProviderScene): void {
  test('a callback of nobody is one line of the log, without a stack', async () => {
    const { environment } = scene();
    const known = environment.log.lines.length;
    expectRefused(await environment.send('GET', `${CALLBACK}?code=x&state=y`, { headers: LED_BACK }), 'failed');
    expect(readRefusals(environment, known)).toEqual([{ level: INFO, hasStack: false }]);
  });

  test('a callback that is sent again is refused, also with another code', async () => {
    const email = await scene().environment.createUser('viewer');
    const browser = await begin(scene());
    expect((await complete(scene(), { email, browser })).headers['location']).toBe('/');
    expectRefused(await complete(scene(), { email, browser }), 'failed');
  });

  test('a browser cannot end the attempt of another one', async () => {
    const email = await scene().environment.createUser('viewer');
    const [own, other] = [await begin(scene()), await begin(scene())];
    expectRefused(await complete(scene(), { email, browser: { ...own, cookie: other.cookie } }), 'failed');
  });

  test.each([
    ['no cookie', () => ''],
    ['a cookie with another end', (cookie: string) => cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['a cookie that it has made itself', () => '__Host-pos-portal-sign-in=e30.e30'],
    ['the cookie twice', (cookie: string) => `${cookie}; ${cookie}`],
  ])('a browser with %s is refused', async (_, change) => {
    const email = await scene().environment.createUser('viewer');
    const browser = await begin(scene());
    expectRefused(
      await complete(scene(), { email, browser: { ...browser, cookie: change(browser.cookie) } }),
      'failed',
    );
  });

  test('a code that the provider did not give is refused', async () => {
    const { environment } = scene();
    const { address, cookie } = await begin(scene());
    const state = new URL(address).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'invented', state }).toString();
    const known = environment.log.lines.length;
    expectRefused(await environment.send('GET', `${CALLBACK}?${query}`, { cookie, headers: LED_BACK }), 'failed');
    // The operator looks for the cause at the provider.
    expect(readRefusals(environment, known)).toEqual([{ level: WARN, hasStack: true }]);
  });

  test('a user who cancels at the provider is led back to the sign-in', async () => {
    const { environment } = scene();
    const { address, cookie } = await begin(scene());
    const state = new URL(address).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state }).toString();
    expectRefused(await environment.send('GET', `${CALLBACK}?${query}`, { cookie, headers: LED_BACK }), 'failed');
  });

  test('a page of another site cannot begin a sign-in', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await scene().environment.send('GET', START, { headers })).toMatchObject({ reason: 'cross_site_request' });
  });
}

function testRefusedUsers(scene: () => ProviderScene): void {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['not verified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['verified by a text', { email_verified: 'true' }],
    ['absent', { email: undefined }],
  ])('an e-mail address that is %s is refused', async (_, claims) => {
    const { environment } = scene();
    const email = await environment.createUser('viewer');
    const browser = await begin(scene());
    const known = environment.log.lines.length;
    expectRefused(await complete(scene(), { email, browser, changes: { claims } }), 'notAllowed');
    expect(readRefusals(environment, known)).toEqual([{ level: INFO, hasStack: false }]);
  });

  test('a person without a user of the portal is refused, and none is created', async () => {
    const { environment } = scene();
    const count = async () => (await environment.change('select count(*)::int as users from portal_users'))[0];
    const before = await count();
    expectRefused(
      await complete(scene(), { email: 'new@corner.example', browser: await begin(scene()) }),
      'notAllowed',
    );
    expect(await count()).toEqual(before);
  });

  test('a disabled user is refused', async () => {
    const { environment } = scene();
    const email = await environment.createUser('viewer');
    const change = { actor: 'test', reason: 'a test' };
    await changePortalUserStatus(environment.testDatabase.database, change, { email, status: 'Disabled' });
    expectRefused(await complete(scene(), { email, browser: await begin(scene()) }), 'notAllowed');
  });
}
