import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@pos/service-kit/telemetry';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxConfig } from '../config/sandbox-config.js';
import { startSandbox } from '../sandbox.js';

const ACCOUNT = {
  accountId: 'acc_1',
  apiKey: 'sk_sandbox_test',
  merchantId: 'merchant-1',
  tradingName: 'The Oyster Shed',
  epos: { username: 'shed', password: 'secret', dialsIn: false },
};
const MACHINE = '/machines/acc_1/90000001';
const NO_SWITCHES = { isUnplugged: false, isSlow: false, isBusy: false, losesReply: false };

let shared: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
  shared = await startTestSandbox();
});
afterAll(async () => {
  await shared.sandbox.close();
});

/** A sandbox whose gateway does not run. */
async function startTestSandbox() {
  const config = SandboxConfig.parse({
    ...{ HTTP_PORT: 0, GRPC_PORT: 0, EPOS_HTTP_PORT: 0, SEED: 'test' },
    ...{ SANDBOX_DATA: mkdtempSync(join(tmpdir(), 'sandbox-')), GATEWAY_ADDRESSES: '127.0.0.1:1' },
  });
  const sandbox = await startSandbox(config, createLog({ app: 'sandbox', level: 'silent' }));
  sandbox.environment.provisionAccount({
    ...ACCOUNT,
    ...{ currencyCode: 'GBP', softwareHouseId: 'house', hasMachines: true, amountTriggers: true },
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${sandbox.controlUrl}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
  };
  return { sandbox, ask, url: sandbox.controlUrl };
}

/** Reads the first state of a stream, and closes it. */
async function readFirstState(address: string): Promise<unknown> {
  const abort = new AbortController();
  const answer = await fetch(address, { signal: abort.signal });
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, state] = /data: (.*)\n\n/.exec(text) ?? [];
    if (state === undefined) continue;
    abort.abort();
    return JSON.parse(state);
  }
  throw new Error('the stream ended without a state');
}

test.each(['/', '/machine/90000001', '/epos', '/guest/any'])('the page %s allows own scripts only', async (path) => {
  const { url } = shared;
  const answer = await fetch(`${url}${path}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await answer.text()).toContain('<div id="root">');
});

test.each([
  ['a tap of an unknown kind', 'POST', `${MACHINE}/taps`, { kind: 'kick' }, 400, 'kind'],
  ['a card that nobody has', 'POST', `${MACHINE}/taps`, { kind: 'presentCard', card: 'gold' }, 400, 'card'],
  ['an unknown trouble', 'POST', `${MACHINE}/taps`, { kind: 'causeTrouble', trouble: 'Fire' }, 400, 'trouble'],
  ['a switch that is missing', 'PUT', `${MACHINE}/switches`, { isSlow: true }, 400, 'isUnplugged'],
  ['a payment without its table', 'POST', `${MACHINE}/payments`, { part: { mode: 'full' } }, 400, 'sessionId'],
  [
    'a part of nothing',
    'POST',
    `${MACHINE}/payments`,
    createPayment({ mode: 'custom', amount: 0 }),
    400,
    'part.amount',
  ],
  ['a share of nobody', 'POST', `${MACHINE}/payments`, createPayment({ mode: 'equal', people: 0 }), 400, 'part.people'],
  ['no items', 'POST', `${MACHINE}/payments`, createPayment({ mode: 'items', itemIds: [] }), 400, 'part.itemIds'],
  [
    'a negative tip',
    'POST',
    `${MACHINE}/payments`,
    { ...createPayment({ mode: 'full' }), gratuity: -1 },
    400,
    'gratuity',
  ],
  ['half a penny', 'POST', `${MACHINE}/sales`, { amount: 0.5 }, 400, 'amount'],
  ['a sale of an unknown kind', 'POST', `${MACHINE}/sales`, { amount: 100, kind: 'gift' }, 400, 'kind'],
  ['a signature without an answer', 'POST', `${MACHINE}/signature`, {}, 400, 'isAccepted'],
  ['an empty course', 'POST', '/epos/acc_1/sessions/x/courses', { dishes: [] }, 400, 'dishes'],
  ['a dish that is not on the menu', 'POST', '/epos/acc_1/sessions/x/courses', { dishes: ['999'] }, 400, 'dishes[0]'],
  ['a switch of the EPOS that is missing', 'PUT', '/epos/acc_1/switches', {}, 400, 'isDown'],
])('%s is refused with the name of the field', async (_, method, path, body, status, field) => {
  const { ask } = shared;
  const answer = await ask(method, path, body);
  expect([answer.status, Object.keys(answer.body?.['errors'] ?? {})]).toEqual([
    status,
    expect.arrayContaining([field]),
  ]);
});

function createPayment(part: object) {
  return { sessionId: 'x', part };
}

test.each([
  ['a machine of another account', 'GET', '/machines/acc_2/90000001/screen', undefined, 404],
  ['an unknown machine', 'GET', '/machines/acc_1/80000001/screen', undefined, 404],
  ['the stream of an unknown machine', 'GET', '/machines/acc_1/80000001/screen/events', undefined, 404],
  ['a tap that nothing waits for', 'POST', `${MACHINE}/taps`, { kind: 'enterPin' }, 409],
  ['the tables of a machine without connection', 'GET', `${MACHINE}/tables`, undefined, 409],
  ['a payment without connection', 'POST', `${MACHINE}/payments`, createPayment({ mode: 'full' }), 409],
  ['a sale without connection', 'POST', `${MACHINE}/sales`, { amount: 100 }, 409],
  ['a receipt of nothing', 'GET', `${MACHINE}/receipt`, undefined, 409],
  ['the EPOS of an unknown account', 'GET', '/epos/acc_2/screen', undefined, 404],
  ['a course for an unknown party', 'POST', '/epos/acc_1/sessions/x/courses', { dishes: ['301'] }, 404],
  ['a link for an unknown table', 'POST', `${MACHINE}/table-links`, { sessionId: 'x' }, 404],
  ['a token that nobody signed', 'GET', '/guests/abc.def/screen', undefined, 404],
  ['the stream of such a token', 'GET', '/guests/abc.def/screen/events', undefined, 404],
  ['a payment with such a token', 'POST', '/guests/abc.def/payments', { part: { mode: 'full' } }, 404],
])('%s is refused', async (_, method, path, body, status) => {
  const { ask } = shared;
  expect((await ask(method, path, body)).status).toBe(status);
});

test('the stream of a machine sends its screen, and the server closes while the stream is open', async () => {
  const { url, sandbox } = await startTestSandbox();
  const address = `${url}${MACHINE}/screen/events`;
  expect(await readFirstState(address)).toMatchObject({ tid: '90000001', isConnected: false, switches: NO_SWITCHES });
  const answer = await fetch(address);
  await sandbox.close();
  await answer.text().catch(() => '');
});

test('switches are shown, and the reset of the sandbox clears them', async () => {
  const { ask } = shared;
  const switches = { ...NO_SWITCHES, isSlow: true, isBusy: true };
  expect(await ask('PUT', `${MACHINE}/switches`, switches)).toMatchObject({ status: 200, body: { switches } });
  const eposSwitches = { isDown: false, isSlow: false, refuses: true, losesReply: true };
  expect(await ask('PUT', '/epos/acc_1/switches', eposSwitches)).toMatchObject({ body: { switches: eposSwitches } });
  await ask('POST', '/reset');
  expect((await ask('GET', `${MACHINE}/screen`)).body).toMatchObject({ switches: NO_SWITCHES });
});

test('the kitchen adds a course to a bill, but not while it is locked', async () => {
  const { ask, sandbox } = shared;
  const simulator = sandbox.environment.findAccount('acc_1')?.epos;
  const before = simulator?.epos.listBills([])[0];
  const path = `/epos/acc_1/sessions/${before?.sessionId ?? ''}/courses`;
  expect((await ask('POST', path, { dishes: ['301', '401'] })).status).toBe(200);
  const after = simulator?.epos.getBill(before?.sessionId ?? '');
  expect(after?.total.value).toBe((before?.total.value ?? 0) + 750 + 350);
  expect(after?.items).toHaveLength((before?.items.length ?? 0) + 2);
  await ask('PUT', `/epos/acc_1/locks/${before?.sessionId ?? ''}`);
  expect((await ask('POST', path, { dishes: ['301'] })).status).toBe(409);
});
