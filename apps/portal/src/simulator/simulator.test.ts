import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';
import { SimulatedControl } from '../testing/simulated-control.js';

const DECLINES = { declines: true, isSlow: false, isSilent: false, losesReply: false };
const DOWN = { isDown: true, isSlow: false, refuses: false, losesReply: false };
const MACHINE_PATH = '/portal/simulator/machines/90000001';

/** Every operation that changes something, with a body that it accepts. */
const CHANGES: readonly (readonly [path: string, body: object])[] = [
  ['/portal/simulator/acquirer', DECLINES],
  ['/portal/simulator/epos', DOWN],
  [MACHINE_PATH, { fault: 'busy' }],
];

let control: SimulatedControl;
let environment: PortalTestEnvironment;
beforeAll(async () => {
  control = await SimulatedControl.open();
  environment = await PortalTestEnvironment.openWithoutApi({ SANDBOX_URL: `${control.url}/` });
  control.accountId = environment.own.accountId;
});
beforeEach(() => {
  control.changes.length = 0;
});
afterAll(async () => {
  await environment.close();
  control.close();
});

const change = (path: string, sent: { readonly cookie: string; readonly body: unknown; readonly headers?: object }) =>
  environment.send('PUT', path, { ...sent, headers: { ...sent.headers } });

test.each(['developer', 'admin', 'operator'] as const)('a %s switches faults of the own account', async (role) => {
  const cookie = await environment.signInAs(role);
  const read = await environment.send('GET', '/portal/simulator', { cookie });
  expect(readBody(read.text)).toMatchObject({
    state: 'Available',
    acquirer: { declines: false },
    epos: { isDown: false },
    machines: [{ tid: '90000001', fault: 'none' }],
  });
  for (const [path, body] of CHANGES) expect((await change(path, { cookie, body })).status).toBe(200);
  const { accountId } = environment.own;
  expect(control.changes).toEqual([
    { method: 'PUT', path: `/accounts/${accountId}/acquirer-switches`, body: DECLINES },
    { method: 'PUT', path: `/epos/${accountId}/switches`, body: DOWN },
    { method: 'PUT', path: `/machines/${accountId}/90000001`, body: { inUse: true } },
  ]);
});

test.each(['viewer', 'support'] as const)('a %s may neither read nor switch faults', async (role) => {
  const cookie = await environment.signInAs(role);
  const answers = [await environment.send('GET', '/portal/simulator', { cookie })];
  for (const [path, body] of CHANGES) answers.push(await change(path, { cookie, body }));
  for (const answer of answers) expect(answer).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(control.changes).toEqual([]);
});

test('a live account has no simulators', async () => {
  const production = { ...environment.own, environment: 'production' as const };
  const cookie = await environment.signIn(await environment.createUser('admin', production));
  expect(await environment.send('GET', '/portal/simulator', { cookie })).toMatchObject({
    reason: 'permission_missing',
  });
  for (const [path, body] of CHANGES)
    expect(await change(path, { cookie, body })).toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(control.changes).toEqual([]);
});

test.each(['90000002', '..%2Facc_other%2F90000001', '%2E%2E%2F', '%2E%2E'])(
  'machine %s, which the account does not have, is unknown',
  async (tid) => {
    const cookie = await environment.signInAs('admin');
    const answer = await change(`/portal/simulator/machines/${tid}`, { cookie, body: { fault: 'busy' } });
    expect(answer).toMatchObject({ status: 404, reason: 'terminal_not_found' });
    expect(control.changes).toEqual([]);
  },
);

test('the user of another account reaches nothing of this one', async () => {
  const cookie = await environment.signIn(await environment.createUser('admin', environment.other));
  const read = await environment.send('GET', '/portal/simulator', { cookie });
  expect(readBody(read.text)).toEqual({ state: 'AccountUnknown', machines: [] });
  for (const [path, body] of CHANGES) expect((await change(path, { cookie, body })).status).toBe(404);
  expect(control.changes).toEqual([]);
});

test.each([null, 'cross-site', 'same-site', 'none'])('a request from site %s is refused', async (site) => {
  const cookie = await environment.signInAs('admin');
  for (const [path, body] of CHANGES) {
    const answer = await change(path, { cookie, body, headers: { 'sec-fetch-site': site } });
    expect(answer).toMatchObject({ reason: 'cross_site_request' });
  }
  expect(control.changes).toEqual([]);
});

test('a page that shows another account switches nothing', async () => {
  const cookie = await environment.signInAs('admin');
  const headers = { 'portal-account': `${environment.other.accountId}/sandbox` };
  for (const [path, body] of CHANGES)
    expect(await change(path, { cookie, body, headers })).toMatchObject({ reason: 'account_not_chosen' });
  expect(control.changes).toEqual([]);
});

test.each([
  ['/portal/simulator/acquirer', { declines: true }],
  ['/portal/simulator/epos', {}],
  [MACHINE_PATH, { fault: 'explodes' }],
])('an invalid body of %s is refused', async (path, body) => {
  const cookie = await environment.signInAs('admin');
  expect(await change(path, { cookie, body })).toMatchObject({ status: 400, reason: 'validation_failed' });
  expect(control.changes).toEqual([]);
});

test('without a simulator the answer says so, and nothing can be switched', async () => {
  const bare = await PortalTestEnvironment.openWithoutApi();
  try {
    const cookie = await bare.signInAs('admin');
    const read = await bare.send('GET', '/portal/simulator', { cookie });
    expect(readBody(read.text)).toEqual({ state: 'NotInstalled', machines: [] });
    const sent = { cookie, body: DECLINES };
    expect(await bare.send('PUT', '/portal/simulator/acquirer', sent)).toMatchObject({ reason: 'path_unknown' });
  } finally {
    await bare.close();
  }
});

test('a sandbox that does not answer is named', async () => {
  control.accountId = environment.own.accountId;
  const unreachable = await PortalTestEnvironment.openWithoutApi({ SANDBOX_URL: 'http://127.0.0.1:1' });
  try {
    const cookie = await unreachable.signInAs('admin');
    expect(await unreachable.send('GET', '/portal/simulator', { cookie })).toMatchObject({
      status: 503,
      reason: 'service_unavailable',
    });
  } finally {
    await unreachable.close();
  }
});
