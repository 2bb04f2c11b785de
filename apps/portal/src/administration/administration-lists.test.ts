import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ENVIRONMENTS, type Scope } from '@pos/core/identity';
import { createDeadLetter, createDifference, createOpenCall } from '../testing/administered-rows.js';
import { PORTAL_KEY, PortalTestEnvironment, readBody, type TestAnswer } from '../testing/portal-test-environment.js';

let environment: PortalTestEnvironment;
let operator: string;
let scopes: readonly Scope[];

beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
  operator = await environment.signInAs('operator');
  scopes = [environment.own, environment.other].flatMap(({ accountId }) =>
    ENVIRONMENTS.map((each) => ({ accountId, environment: each })),
  );
});
afterAll(() => environment.close());

const PATH = '/portal/administration';
const get = (path: string, query: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
  environment.send('GET', `${PATH}${path}?${new URLSearchParams(query).toString()}`, { cookie: operator });
const post = (path: string, body: object): Promise<TestAnswer> =>
  environment.send('POST', `${PATH}${path}`, { cookie: operator, body: { reason: 'a test', ...body } });
const read = async <T>(path: string, query?: Readonly<Record<string, string>>): Promise<T> =>
  readBody<T>((await get(path, query)).text);
const toTarget = ({ accountId: account, environment: environmentName }: Scope) => ({
  account,
  environment: environmentName,
});

interface Line {
  readonly accountId: string;
  readonly environment: string;
  readonly id: string;
  readonly kind: string;
}
const listLines = async () => (await read<{ lines: Line[] }>('/pending')).lines;
const place = ({ accountId, environment: environmentName }: { accountId: string; environment: string }) =>
  `${accountId}/${environmentName}`;

test('the pending list has the open calls and differences of every account, in both environments, and a decided one leaves it', async () => {
  const calls = await Promise.all(scopes.map((scope) => createOpenCall(environment, scope)));
  const differences = await Promise.all(scopes.map((scope) => createDifference(environment, scope)));
  const lines = await listLines();
  for (const [at, scope] of scopes.entries()) {
    const own = lines.filter((line) => place(line) === place(scope));
    expect(own.map(({ kind, id }) => [kind, id]).sort()).toEqual([
      ['AcquirerCall', calls[at]],
      ['Difference', differences[at]],
    ]);
  }
  const { differences: listed } = await read<{ differences: Line[] }>('/differences');
  expect(listed.map(({ id }) => id).sort()).toEqual([...differences].sort());

  const [first, second] = [scopes[0]!, scopes[1]!];
  expect((await post('/differences/answer', { ...toTarget(first), id: differences[0] })).status).toBe(204);
  const after = await listLines();
  expect(after.map(({ id }) => id)).not.toContain(differences[0]);
  expect(after.map(({ id }) => id)).toContain(differences[1]);
  // An answer in the wrong environment is about an unknown difference.
  const stray = await post('/differences/answer', { ...toTarget(first), id: differences[1] });
  expect(stray).toMatchObject({ status: 404, reason: 'difference_not_found' });
  const again = await post('/differences/answer', { ...toTarget(first), id: differences[0] });
  expect(again).toMatchObject({ status: 409, reason: 'difference_not_answerable' });
  expect(second.environment).not.toBe(first.environment);
});

// oxfmt-ignore
test.each([
  ['a call to the acquirer', 'GiveBack', 409, 'pending_payment_not_decidable'],
  ['a call to the acquirer', 'MarkRecorded', 409, 'pending_payment_not_decidable'],
  ['a call to the acquirer', 'MarkRefunded', 409, 'pending_payment_not_decidable'],
  ['a line that does not exist', 'RetryNow', 404, 'pending_payment_not_found'],
  ['a line that does not exist', 'SettleAsListed', 404, 'pending_payment_not_found'],
])('for %s, %s is refused as by pos-admin', async (what, action, status, reason) => {
  const id = what.startsWith('a call') ? await createOpenCall(environment, environment.own) : 'no-such-call';
  const answer = await post('/pending/resolve', { ...toTarget(environment.own), id, action });
  expect(answer).toMatchObject({ status, reason });
});

test('a settlement by the books of an acquirer that does not answer is refused, and the audit log has the decision', async () => {
  const id = await createOpenCall(environment, environment.own);
  const answer = await post('/pending/resolve', { ...toTarget(environment.own), id, action: 'SettleAsListed' });
  expect(answer).toMatchObject({ status: 409, reason: 'pending_payment_not_decidable' });
  const entries = await environment.change(
    `select a.action, a.reason, u.is_operator from audit_entries a join portal_users u on u.id = a.actor
     where a.subject = $1 or a.subject like '%' || $1 || '%' order by a.created_at`,
    [id],
  );
  expect(entries).toEqual([
    { action: 'ResolvePending', reason: 'a test', is_operator: true },
    { action: 'PortalRequest', reason: 'by the portal', is_operator: true },
  ]);
});

test('dead letters are counted by account, and those of one account are sent again without those of another', async () => {
  const [own, other] = [scopes[0]!, scopes[2]!];
  const letters = [await createDeadLetter(environment, own), await createDeadLetter(environment, own)];
  const foreign = await createDeadLetter(environment, other);
  const count = async () =>
    (await read<(Line & { count: number })[]>('/dead-letters/accounts')).map((each) => [place(each), each.count]);
  expect(await count()).toEqual([
    [place(own), 2],
    [place(other), 1],
  ]);
  const stray = await post('/dead-letters/replay', { ...toTarget(own), delivery: foreign });
  expect(stray).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(stray.text).errors)).toEqual(['delivery']);
  expect(await post('/dead-letters/replay', { ...toTarget(own), delivery: letters[0] })).toMatchObject({ status: 200 });
  const left = await read<Line[]>('/dead-letters', toTarget(own));
  expect(left.map(({ id }) => id)).toEqual([letters[1]]);
  expect(await count()).toEqual(expect.arrayContaining([[place(other), 1]]));
});

interface Page {
  readonly entries: readonly { readonly id: string; readonly subject: string; readonly accountId?: string }[];
  readonly after?: string;
}

test('the pages of the audit log have every entry once, newest first', async () => {
  // Each page is stored as a read, after it was read.
  const stored = await environment.change('select id from audit_entries order by created_at desc, id desc');
  const seen: string[] = [];
  for (let after: string | undefined, pages = 0; pages < 50; pages += 1) {
    const page: Page = await read<Page>('/audit-log', { limit: '3', ...(after !== undefined && { after }) });
    seen.push(...page.entries.map(({ id }) => id));
    after = page.after;
    if (after === undefined) break;
  }
  expect(seen).toEqual(stored.map((each) => each['id']));
  const reads =
    await environment.change(`select u.is_operator from audit_entries a join portal_users u on u.id = a.actor
    where a.action = 'ReadAuditLog' and a.subject = 'all accounts'`);
  expect(reads.length).toBeGreaterThanOrEqual(Math.ceil(seen.length / 3));
});

test('the audit log is limited to an account, the service, an action, an actor by address, and a time', async () => {
  const { accountId } = environment.other;
  await post('/accounts/status', { account: accountId, status: 'Disabled', reason: 'contract ended' });
  await post('/accounts/status', { account: accountId, status: 'Active', reason: 'invoice paid' });
  await post('/users', { email: 'filter@corner.example', name: 'Fay', reason: 'new colleague' });
  const list = async (query: Readonly<Record<string, string>>) =>
    (await read<{ entries: { action: string; accountId?: string; actorEmail?: string }[] }>('/audit-log', query))
      .entries;
  expect((await list({ account: accountId })).every((each) => each.accountId === accountId)).toBe(true);
  expect((await list({ account: accountId })).map(({ action }) => action).slice(0, 2)).toEqual([
    'EnableAccount',
    'DisableAccount',
  ]);
  const all = await list({ isSystem: 'true', limit: '200' });
  const system = all.filter(({ action }) => !/^(Read|Sign)/.test(action));
  expect(system[0]?.action).toBe('CreatePortalUser');
  expect(system.filter((each) => each.accountId !== undefined)).toEqual([]);
  expect((await list({ action: 'DisableAccount' })).map(({ action }) => action)).toEqual(['DisableAccount']);
  const byOperator = await list({ actor: 'user1@corner.example', limit: '200' });
  expect(new Set(byOperator.map(({ actorEmail }) => actorEmail))).toEqual(new Set(['user1@corner.example']));
  expect(await list({ actor: 'nobody@corner.example' })).toEqual([]);
  expect(await list({ from: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
  expect(await list({ to: '2026-01-01T00:00:00Z' })).toEqual([]);
});

test.each([
  ['after', 'x'],
  ['after', '2026-13-01T00:00:00.000Z_00000000-0000-0000-0000-000000000000'],
  ['from', 'yesterday'],
  ['limit', '0'],
  ['limit', '201'],
  ['action', 'Steal'],
  ['account', 'acc_x'],
  ['isSystem', 'perhaps'],
  ['actor', 'a\u0000b'],
  ['subject', 'a\u0000b'],
])('the audit log refuses %s=%s by its name', async (name, value) => {
  const answer = await get('/audit-log', { [name]: value });
  expect(answer).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(Object.keys(readBody<{ errors: object }>(answer.text).errors)).toEqual([name]);
});

test('the text of a key and of a password are in the answer that makes them, and in no row', async () => {
  const key = await post('/keys', { ...toTarget(environment.own), label: 'web shop', role: 'full' });
  const user = await post('/users', { email: 'secret@corner.example', name: 'Sue' });
  const [{ text }, { password }] = [readBody<{ text: string }>(key.text), readBody<{ password: string }>(user.text)];
  const rows = JSON.stringify(await environment.change('select a::text as row from audit_entries a'));
  expect([rows.includes(text), rows.includes(password)]).toEqual([false, false]);
  expect(await environment.signIn('secret@corner.example', password)).toMatch(/^__Host-pos-portal=/);
});

test('the agreed settings have the key that the portal shares with the API, and not its text', async () => {
  const { text } = await get('/agreed-settings');
  const settings = readBody<{ name: string; value: string }[]>(text);
  expect(settings.find(({ name }) => name === 'PORTAL_KEY')?.value).toMatch(/^fingerprint:[0-9a-f]{16}$/);
  expect(text).not.toContain(PORTAL_KEY);
});

test('a portal with another key does not start, and the settings show which app disagrees', async () => {
  const start = PortalTestEnvironment.startPortalBeside(environment, { PORTAL_KEY: `${PORTAL_KEY}, and more` });
  await expect(start).rejects.toThrow(
    /PORTAL_KEY: is fingerprint:\w{16} at portal, and fingerprint:\w{16} at the other/,
  );
  const settings = await read<{ name: string; refused: { app: string }[] }[]>('/agreed-settings');
  expect(settings.filter(({ refused }) => refused.length > 0)).toMatchObject([
    { name: 'PORTAL_KEY', refused: [{ app: 'portal' }] },
  ]);
});
