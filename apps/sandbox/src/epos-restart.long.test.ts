import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findFreePort } from '@pos/dev-database';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// The sandbox runs in a process of its own, which is killed like in a power cut.

const MAIN_PROGRAM = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
const ACCOUNT = {
  accountId: 'acc_1',
  apiKey: 'sk_sandbox_test',
  merchantId: 'merchant-1',
  tradingName: 'The Oyster Shed',
  hasMachines: false,
  epos: { username: 'shed', password: 'secret', dialsIn: false },
};

let folder: string;
let eposPort: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epos-restart-'));
  writeFileSync(join(folder, 'listed.json'), JSON.stringify([ACCOUNT]));
  eposPort = await findFreePort();
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function spawnSandbox(): ChildProcess {
  const child = spawn(process.execPath, [MAIN_PROGRAM], {
    env: {
      ...{ NODE_ENV: 'test', HTTP_PORT: '0', GRPC_PORT: '0', EPOS_HTTP_PORT: String(eposPort), SEED: 'test' },
      SANDBOX_DATA: folder,
      SANDBOX_ACCOUNTS: join(folder, 'listed.json'),
      EPOS_STATE_DIR: join(folder, 'epos'),
      GATEWAY_ADDRESSES: '127.0.0.1:1',
      GATEWAY_HTTP_ADDRESSES: '127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

/** Starts a sandbox and waits until it serves. */
async function startTestSandbox(): Promise<ChildProcess> {
  const child = spawnSandbox();
  let output = '';
  child.stderr?.on('data', (part) => {
    output += String(part);
  });
  for await (const part of child.stdout ?? []) {
    output += String(part);
    if (output.includes('process.started')) return child;
  }
  throw new Error(`the sandbox ended before it served: ${output}`);
}

async function killProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function callEpos(method: string, path: string, body?: unknown) {
  const answer = await fetch(`http://127.0.0.1:${eposPort}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from('shed:secret').toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('an EPOS that is killed after it has recorded a payment shows it when it is back, and books it only once', async () => {
  const first = await startTestSandbox();
  const { body: page } = await callEpos('POST', '/v1/orders/search', { payableOnly: true });
  const [order] = page['data'] as { id: string; totalAmount: { value: number } }[];
  const path = `/v1/orders/${order!.id}`;
  const lockId = 'c0c0c0c0-0000-4000-8000-000000000001';
  const expiry = new Date(Date.now() + 60 * 60_000).toISOString();
  expect((await callEpos('POST', `${path}/lock`, { lockId, expiry })).status).toBe(200);
  const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
  const payment = { paymentIntentId: 'pi_1', paidAmount: gbp(500), tipsAmount: gbp(100), lockId };
  const recorded = await callEpos('POST', `${path}/record-payment`, payment);
  expect(recorded).toMatchObject({ status: 200, body: { paidAmount: gbp(500) } });
  await killProcess(first);

  const second = await startTestSandbox();
  expect((await callEpos('GET', path)).body).toEqual(recorded.body);
  expect(await callEpos('POST', `${path}/record-payment`, payment)).toEqual(recorded);
  const other = { ...payment, paidAmount: gbp(600) };
  expect(await callEpos('POST', `${path}/record-payment`, other)).toMatchObject({ status: 409 });
  // The lock outlives the power cut, too, so that no other device can lock the order.
  const stranger = { lockId: 'c0c0c0c0-0000-4000-8000-000000000002', expiry };
  expect(await callEpos('POST', `${path}/lock`, stranger)).toMatchObject({ status: 409 });
  await killProcess(second);

  const file = join(folder, 'epos', 'acc_1.json');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
  await expect(startTestSandbox()).rejects.toThrow(
    `What the EPOS kept is damaged: move ${file} away to start with an empty one.`,
  );
}, 60_000);
