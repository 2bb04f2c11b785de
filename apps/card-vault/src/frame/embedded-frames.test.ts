import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeTestSettings } from '@pos/payments/testing';
import { restoreEnvironment, SHOP_ORIGIN } from '../testing/vault-requests.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import type { CardVaultServer } from '../vault-server.js';

let testEnvironment: VaultTestEnvironment;
let vault: CardVaultServer;
beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  await restoreEnvironment(testEnvironment);
  vault = await testEnvironment.startAnother();
});
afterAll(() => testEnvironment.close());

/** Loads a frame as a browser does. */
async function loadFrame(intentId: string, name = 'card', at: CardVaultServer = vault) {
  const answer = await fetch(`${at.url}/client/frame/embedded/${intentId}/${name}`);
  const text = await answer.text();
  const settings = /data-settings="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? 'null';
  const policy = answer.headers.get('content-security-policy') ?? '';
  return {
    status: answer.status,
    ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1],
    settings: JSON.parse(settings) as unknown,
    reason: text.startsWith('{') ? (JSON.parse(text) as { readonly reason?: unknown }).reason : null,
  };
}

const PARENTS = [SHOP_ORIGIN, 'http://localhost:3000'];

test.each([
  ['card', '/client/payments', true],
  ['saved-card', '/client/payments/saved-card', false],
])('only pages that the account has registered may embed the frame %s, for one intent', async (name, target, whole) => {
  const { id } = await testEnvironment.createPayable();
  expect(await loadFrame(id, name)).toEqual({
    ...{ status: 200, ancestors: PARENTS.join(' '), reason: null },
    settings: { parents: PARENTS, target, hasWholeCard: whole, paysOnlyIntentOfAddress: true },
  });
});

test('a card for later is set up in the same frame', async () => {
  const { id } = await testEnvironment.createSetup();
  expect(await loadFrame(id)).toMatchObject({ status: 200, ancestors: PARENTS.join(' ') });
});

test('the addresses of an answer of openCardFields are those of the frames', async () => {
  const { secret } = await testEnvironment.createPayable();
  const headers = { origin: SHOP_ORIGIN };
  const { body } = await testEnvironment.postJson('/client/card-fields', {}, { secret, headers });
  const answers = await Promise.all(
    [body['cardFields'], body['securityCode']].map((path) => fetch(`${vault.url}${String(path)}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test.each([
  ['an unknown payment', async () => 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA', 404, 'payment_intent_not_found'],
  ['an unknown setup', async () => 'si_sandbox_AAAAAAAAAAAAAAAAAAAAAA', 404, 'setup_intent_not_found'],
  ['a text that is no id', async () => 'pi_sandbox_short', 404, 'payment_intent_not_found'],
  ['an expired payment', () => createExpired('payment'), 404, 'payment_intent_not_found'],
  ['an expired setup', () => createExpired('setup'), 404, 'setup_intent_not_found'],
  [
    'a payment of an environment without origins',
    async () => (await testEnvironment.createPayable({ environment: 'production' })).id,
    403,
    'page_origin_not_registered',
  ],
])('%s has no frame', async (_, create, status, reason) => {
  expect(await loadFrame(await create())).toEqual({ status, reason, ancestors: undefined, settings: null });
});

test('there is no frame of another name', async () => {
  const { id } = await testEnvironment.createPayable();
  for (const name of ['wallet', 'toString', 'card%2fx', '']) expect((await loadFrame(id, name)).status).toBe(404);
});

test('an origin whose registration was removed may no longer embed the fields', async () => {
  const { id, secret } = await testEnvironment.createPayable();
  await changeTestSettings(testEnvironment.database, testEnvironment.sandbox, {
    'embeddingOrigins.sandbox': ['https://another.example'],
  });
  const at = await testEnvironment.startAnother();
  expect((await loadFrame(id, 'card', at)).ancestors).toBe('https://another.example');
  const opened = await testEnvironment.postJson(
    '/client/card-fields',
    {},
    { secret, at, headers: { origin: SHOP_ORIGIN } },
  );
  expect([opened.status, opened.body['reason'], opened.body['statusCode']]).toEqual([
    403,
    'page_origin_not_registered',
    403,
  ]);
});

/** An intent whose time is over, before the worker has ended it. */
async function createExpired(kind: 'payment' | 'setup'): Promise<string> {
  const { id } = await (kind === 'payment' ? testEnvironment.createPayable() : testEnvironment.createSetup());
  await testEnvironment.queryRows(
    `update ${kind}_intents set expire_at = now() - interval '1 minute' where id = $1 returning id`,
    [id],
  );
  return id;
}
