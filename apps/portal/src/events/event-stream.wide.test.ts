import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PortalTestEnvironment } from '../testing/portal-test-environment.js';
import { testEvery } from '@pos/testing';

const PAST = String(Date.now() - 600_000);
const LOOKS_MAX = 200;
/** A process uses the settings of an account for two seconds. */
const SETTINGS_AGE_MS = 2_100;

let environment: PortalTestEnvironment;
beforeAll(async () => {
  environment = await PortalTestEnvironment.openWithoutApi();
});
afterAll(() => environment.close());
afterEach(async () => {
  const changed = await environment.change(
    `update accounts set settings = '{}' where settings <> '{}' returning account_id`,
  );
  if (JSON.stringify(changed).includes('acc_')) await pause(SETTINGS_AGE_MS);
});

/** A stream of events as a page opens it. */
class TestStream {
  text = '';
  status = 0;
  isEnded = false;

  private constructor(readonly close: () => void) {}

  static async open(cookie: string, { from = PAST }: { readonly from?: string | null } = {}): Promise<TestStream> {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', ...(from !== null && { 'last-event-id': from }) };
    const asking = request(`${environment.portal.url}/portal/events`, { headers, agent: false });
    const stream = new TestStream(() => asking.destroy());
    asking.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      asking.on('response', (response) => {
        stream.status = response.statusCode ?? 0;
        response.on('data', (part: Buffer) => {
          stream.text += part.toString('utf8');
        });
        response.on('close', () => {
          stream.isEnded = true;
        });
        resolve();
      });
      asking.end();
    });
    return stream;
  }

  get ids(): readonly string[] {
    return [...this.text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '');
  }

  async waitUntil(isThere: (stream: TestStream) => boolean): Promise<void> {
    for (let look = 0; look < LOOKS_MAX && !isThere(this); look += 1) await pause(100);
    expect(isThere(this)).toBe(true);
  }
}

/** Writes events of the own account, at a time this many days ahead. */
async function addEvents(name: string, count: number, daysAhead = 0): Promise<void> {
  await environment.change(
    `insert into events (account_id, environment, id, kind, subject_id, number, body, created_at, recorded_at)
     select $1, 'sandbox', $2 || n, 'payment_intent.created', $2 || n, 1, '\\x7b7d', clock_timestamp() + $4 * interval '1 day', clock_timestamp()
     from generate_series(1, $3::integer) n`,
    [environment.own.accountId, name, count, daysAhead],
  );
}

test('all events of a busy moment arrive, each once', async () => {
  const stream = await TestStream.open(await environment.signInAs('viewer'));
  await addEvents('busy', 450);
  await stream.waitUntil(({ ids }) => ids.length >= 450);
  stream.close();
  expect(new Set(stream.ids).size).toBe(450);
  expect(stream.ids).toHaveLength(450);
});

testEvery(3)<[string, (cookie: string) => Promise<unknown>]>([
  ['the user signs out', (cookie) => environment.send('DELETE', '/portal/session', { cookie })],
  ['the role is taken away', () => environment.change('delete from portal_memberships')],
  ['the user is disabled', () => environment.change(`update portal_users set status = 'Disabled'`)],
  ['an operator has set a password', () => environment.change('update portal_users set password_is_temporary = true')],
  [
    'the account requires a second factor',
    async () => {
      await environment.change(`update accounts set settings = '{"requiresSecondFactor": true}'`);
      await pause(SETTINGS_AGE_MS);
    },
  ],
])('no event is sent after %s', async (name, end) => {
  const cookie = await environment.signInAs('viewer');
  const stream = await TestStream.open(cookie, { from: String(Date.now()) });
  await stream.waitUntil(({ text }) => text.includes('connected'));
  await end(cookie);
  await addEvents(name.replaceAll(' ', '-'), 3);
  await stream.waitUntil(({ isEnded }) => isEnded);
  expect(stream.ids).toEqual([]);
  // It does not begin again either, as any other request.
  const again = await TestStream.open(cookie);
  again.close();
  expect(again.status).toBeGreaterThanOrEqual(400);
});

test('an open page does not keep a session that nobody uses', async () => {
  const cookie = await environment.signInAs('viewer');
  await environment.change(`update portal_sessions set used_at = clock_timestamp() - interval '14 minutes'`);
  const [before] = await environment.change('select max(used_at) as used from portal_sessions');
  const stream = await TestStream.open(cookie);
  await addEvents('quiet', 1);
  await stream.waitUntil(({ ids }) => ids.includes('quiet1'));
  stream.close();
  expect(await environment.change('select max(used_at) as used from portal_sessions')).toEqual([before]);
});

test('a user has a limited number of streams', async () => {
  const cookie = await environment.signInAs('viewer');
  const streams = [];
  for (let page = 0; page < 21; page += 1) streams.push(await TestStream.open(cookie));
  for (const stream of streams) stream.close();
  expect(streams.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
});

test('a request for the head of the stream opens none', async () => {
  const cookie = await environment.signInAs('viewer');
  expect((await environment.send('HEAD', '/portal/events', { cookie })).status).toBe(404);
});

test('a new page gets no old events of a sandbox whose time is ahead', async () => {
  const cookie = await environment.signInAs('viewer');
  const clocks = await environment.change(
    `update sandbox_clocks set offset_ms = 31 * 86400000::bigint where account_id = $1 returning account_id`,
    [environment.own.accountId],
  );
  expect(JSON.stringify(clocks)).toContain(environment.own.accountId);
  await addEvents('old', 3, 30);
  const stream = await TestStream.open(cookie, { from: null });
  await addEvents('new', 1, 32);
  await stream.waitUntil(({ ids }) => ids.includes('new1'));
  stream.close();
  expect(stream.ids).toEqual(['new1']);
});
