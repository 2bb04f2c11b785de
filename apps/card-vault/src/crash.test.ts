import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/identity';
import { VaultTestEnvironment } from './testing/vault-test-environment.js';

let testEnvironment: VaultTestEnvironment;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const MAIN_PROGRAM = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** Starts a vault process that kills itself at the fault point; resolves with its address. */
async function startCrashingVault(point: string) {
  const child = spawn(process.execPath, [MAIN_PROGRAM], {
    env: { ...testEnvironment.buildEnvironment({ ACQUIRER_DEADLINE_MS: '5000' }), FAULT_POINT: point },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    output += String(part);
    const line = output.split('\n').find((each) => each.includes('process.started'));
    if (line === undefined) continue;
    const { url } = JSON.parse(line) as { url: string };
    return { at: { url, internalGrpc: '', close: () => Promise.resolve() }, ended };
  }
  throw new Error('the vault ended before it served');
}

const CRASHES: readonly (readonly [when: string, point: string, booked: string[], state: string, stored: string[]])[] =
  [
    ['before the call to the acquirer', 'after-attempt-before-call', [], 'Created Error', ['Erased none']],
    [
      'with an approval in hand',
      'after-answer-before-commit',
      ['2000 Approved'],
      'Captured Captured',
      ['Stored number'],
    ],
  ];

test.each(CRASHES)('a vault that crashes %s leaves one outcome', async (...row) => {
  const [, point, bookedAtOnce, state, stored] = row;
  const payable = await testEnvironment.createCustomerPayable();
  const { at, ended } = await startCrashingVault(point);
  await expect(testEnvironment.payByCard(payable, { savePaymentMethod: true }, { at })).rejects.toThrow();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await testEnvironment.readState(payable)).toBe('Created');
  expect(await testEnvironment.listBookings(payable)).toEqual(bookedAtOnce);
  // A second try of the payer's page sends no second authorisation to the acquirer.
  expect((await testEnvironment.payByCard(payable)).body['statusCode']).toBe(20);
  await testEnvironment.advanceTime(20_000);
  await testEnvironment.advanceTime(60_000);
  expect(await testEnvironment.readState(payable)).toBe(state);
  for (let look = 0; look < 1_000 && (await testEnvironment.listStored(payable))[0] !== stored[0]; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await testEnvironment.listStored(payable)).toEqual(stored);
  const calls = await testEnvironment.queryRows('select from acquirer_calls where intent_id = $1 and state <> $2', [
    payable.id,
    'Settled',
  ]);
  expect(calls).toEqual([]);
});

test('a setup whose vault crashed with an approval is not canceled because a repeat of the key is refused', async () => {
  const key = await testEnvironment.createKey(ROLES.pci);
  const card = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cv2: '020' };
  const body = { reference: 'Crash', merchantInitiatedTransactionType: 'NoShow', terms: 'A no-show pays.', card };
  const headers = { version: '2026-02-27', authorization: `Basic ${key}`, idempotencyKey: 'crash' };
  const { at, ended } = await startCrashingVault('after-answer-before-commit');
  await expect(testEnvironment.postJson('/setup-intents', body, { headers, at })).rejects.toThrow();
  expect(await ended).toEqual([null, 'SIGKILL']);
  await testEnvironment.queryRows(
    `update idempotency_keys set leased_until = clock_timestamp() - interval '1 second' where leased_until is not null returning key`,
    [],
  );
  testEnvironment.setRules({
    match: { kind: 'Authorise' },
    effect: 'refuse',
    status: 'PERMISSION_DENIED',
    times: 1,
  });
  expect((await testEnvironment.postJson('/setup-intents', body, { headers })).status).toBe(504);
  const repeated = await testEnvironment.postJson('/setup-intents', body, { headers });
  expect([repeated.status, repeated.body['status']]).toEqual([200, 'Authorized']);
});
