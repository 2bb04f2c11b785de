import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { APPROVED_CARD, VaultTestEnvironment } from './testing/vault-test-environment.js';

const MAIN_PROGRAM = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
const ROTATE_PROGRAM = fileURLToPath(new URL('../bundle/rotate-keys.js', import.meta.url));
const isLinux = process.platform === 'linux';
/** With a pipe or an absolute path in the pattern, core files are not in the working folder, where the test looks. */
const corePattern = isLinux ? readFileSync('/proc/sys/kernel/core_pattern', 'utf8').trim() : '';
const writesCoreHere = corePattern !== '' && !/^[|/]/.test(corePattern);

let testEnvironment: VaultTestEnvironment;
let folder: string;
beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  folder = mkdtempSync(path.join(tmpdir(), 'pos-core-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testEnvironment.close();
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a vault without a size limit for core files, in its own folder. */
async function startVault(): Promise<{ readonly url: string; readonly vault: ChildProcess }> {
  const shell = 'ulimit -c unlimited && exec "$0" "$1"';
  const vault = spawn('/bin/sh', ['-c', shell, process.execPath, MAIN_PROGRAM], {
    cwd: folder,
    env: { ...testEnvironment.buildEnvironment() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(vault);
  let written = '';
  for await (const part of vault.stdout.setEncoding('utf8')) {
    written += String(part);
    const line = written.split('\n').find((each) => each.includes('process.started'));
    if (line === undefined) continue;
    return { url: (JSON.parse(line) as { url: string }).url, vault };
  }
  throw new Error(`the vault ended before it served: ${written}`);
}

async function containsText(file: string, text: string): Promise<boolean> {
  const core = await open(file);
  const chunk = Buffer.alloc(16 * 1024 * 1024);
  try {
    let stored = 0;
    for (;;) {
      const { bytesRead } = await core.read(chunk, stored, chunk.length - stored);
      if (bytesRead === 0) return false;
      const filled = chunk.subarray(0, stored + bytesRead);
      if (filled.includes(text)) return true;
      stored = Math.min(text.length - 1, filled.length);
      filled.copy(chunk, 0, filled.length - stored);
    }
  } finally {
    await core.close();
  }
}

test.each(['SIGABRT', 'SIGSEGV'] as const)('a core file of %s contains no card number', async (signal) => {
  // Only Linux filters core files.
  if (!isLinux) return;
  const { url, vault } = await startVault();
  const payable = await testEnvironment.createPayable();
  const answer = await testEnvironment.payByCard(
    payable,
    {},
    { at: { url, internalGrpc: '', close: () => Promise.resolve() } },
  );
  expect(answer.status).toBe(200);
  const filter = readFileSync(`/proc/${vault.pid}/coredump_filter`, 'utf8');
  vault.kill(signal);
  expect(await once(vault, 'exit')).toEqual([null, signal]);
  const cores = readdirSync(folder);
  if (writesCoreHere) expect(cores).toHaveLength(1);
  for (const core of cores) {
    expect(await containsText(path.join(folder, core), APPROVED_CARD)).toBe(false);
    rmSync(path.join(folder, core));
  }
  // The filter also applies where a program of the system receives the core files.
  expect(Number.parseInt(filter, 16)).toBe(0);
});

async function waitForExit(
  file: string,
  { options = [], env = {} }: { options?: string[]; env?: Record<string, string> },
) {
  const child = spawn(process.execPath, [...options, file], {
    env: { ...testEnvironment.buildEnvironment(), NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.on('data', (part: Buffer) => (written += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, written };
}

test.each([
  [MAIN_PROGRAM, { env: { NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' } }, 'NODE_OPTIONS: --heapsnapshot-signal'],
  [ROTATE_PROGRAM, { options: ['--report-uncaught-exception'] }, 'node options: --report-uncaught-exception'],
])('%s with %j does not start in production', async (file, started, says) => {
  const { code, written } = await waitForExit(file, started);
  expect(code).toBe(2);
  expect(written).toContain(`  ${says} must not be set in production`);
  expect(written).not.toContain('    at ');
});

test('SIGUSR1 opens no debugger in production', async () => {
  const child = spawn(process.execPath, [MAIN_PROGRAM], {
    env: {
      ...testEnvironment.buildEnvironment(),
      NODE_ENV: 'production',
      DEVICE_DATA_URL: 'https://bank.example/device',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let written = '';
  child.stderr.on('data', (part: Buffer) => (written += part.toString()));
  for await (const part of child.stdout.setEncoding('utf8')) {
    if (String(part).includes('process.started')) break;
  }
  child.kill('SIGUSR1');
  // SIGTERM is handled after SIGUSR1: the debugger would have opened and logged it before the process ends.
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(written).not.toContain('Debugger listening');
});
