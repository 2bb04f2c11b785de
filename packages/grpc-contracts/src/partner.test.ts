import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 180_000;
const RUN_LIMIT_MS = 30_000;
const PACKAGE = join(import.meta.dirname, '..');

describe('a partner who has only the packed package', () => {
  let folder: string;
  let epos: ChildProcess | undefined;

  beforeAll(async () => {
    // Outside the workspace: nothing of ours is found by accident.
    folder = await mkdtemp(join(tmpdir(), 'partner-'));
    await run('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE, timeout: RUN_LIMIT_MS });
    const [tarball] = await readdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...quietly, join(folder, tarball ?? '')], { cwd: folder, timeout: INSTALL_LIMIT_MS });
    for (const example of ['restaurant-epos.mjs', 'pay-a-bill.mjs']) {
      await copyFile(join(folder, 'node_modules/@pos/grpc-contracts/examples', example), join(folder, example));
    }
  }, INSTALL_LIMIT_MS);

  afterAll(async () => {
    epos?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  test('depends on nothing that only this repository has', async () => {
    const text = await readFile(join(folder, 'node_modules/@pos/grpc-contracts/package.json'), 'utf8');
    const packed = JSON.parse(text) as { dependencies: Record<string, string> };
    expect(text).not.toMatch(/"(workspace|catalog|link|file):/);
    expect(Object.keys(packed.dependencies).sort()).toEqual(['@bufbuild/protobuf', '@grpc/grpc-js']);
    expect(await readdir(join(folder, 'node_modules/@pos'))).toEqual(['grpc-contracts']);
  });

  test('gets no tests, and gets the descriptor image and the words for it', async () => {
    const packed = await readdir(join(folder, 'node_modules/@pos/grpc-contracts'), { recursive: true });
    expect(packed.filter((file) => /\.test\.|testing|tsbuildinfo|^src/.test(file))).toEqual([]);
    expect(packed).toEqual(expect.arrayContaining(['README.md', 'descriptor.binpb']));
    const script = `import { readDescriptor } from '@pos/grpc-contracts/descriptor';
      console.log(readDescriptor().includes('service.tables.v1'));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    expect(stdout).toBe('true\n');
  });

  test(
    'serves an EPOS, pays a bill at it over a socket and reads each refusal',
    async () => {
      epos = spawn(process.execPath, ['restaurant-epos.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
      const address = await firstLine(epos);
      const { stdout } = await run(process.execPath, ['pay-a-bill.mjs', address], {
        cwd: folder,
        timeout: RUN_LIMIT_MS,
      });
      const steps = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Step);
      expect(steps.map(notified)).toEqual([
        'listSessions: Smith',
        'recordPayment: SESSION_NOT_LOCKED (FAILED_PRECONDITION)',
        'lockSession: 0 of 2500 paid',
        'lockSession: SESSION_ALREADY_LOCKED (ABORTED)',
        'recordPayment: ok',
        'recordPayment: PAYMENT_ALREADY_RECORDED (ALREADY_EXISTS)',
        'recordPayment: PAYMENT_NOT_RECORDED (FAILED_PRECONDITION)',
        'getBillItems: 1250 of 2500 paid',
        'unlockSession: ok',
        'getBillItems: SESSION_NO_SUCH_SESSION (NOT_FOUND)',
        'listTables: undefined (UNIMPLEMENTED)',
      ]);
    },
    RUN_LIMIT_MS,
  );
});

interface Step {
  method: string;
  ok: boolean;
  status?: string;
  errorCode?: string;
  sessions?: { name: string }[];
  billItems?: { paidAmount: number; totalAmount: number };
}

function notified({ method, ok, status, errorCode, sessions, billItems }: Step): string {
  if (!ok) return `${method}: ${errorCode} (${status})`;
  if (sessions !== undefined) return `${method}: ${sessions.map(({ name }) => name).join()}`;
  if (billItems !== undefined) return `${method}: ${billItems.paidAmount} of ${billItems.totalAmount} paid`;
  return `${method}: ok`;
}

async function firstLine(process: ChildProcess): Promise<string> {
  if (process.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(process.stdout)) return line;
  throw new Error('the EPOS ended before it said its address');
}
