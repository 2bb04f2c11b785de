import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publint } from 'publint';
import { copyCheckout } from './checkout-copy.js';
import { REPOSITORY } from '../repository/repository.js';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 240_000;
const RUN_LIMIT_MS = 120_000;
const PUBLIC_MODULES = ['acquirer', 'card-machine', 'gateway', 'tables'];

describe('a partner who has only the packed package', () => {
  let checkout: string;
  let folder: string;
  let tarball: string;
  let epos: ChildProcess | undefined;

  beforeAll(async () => {
    // A clean checkout: nothing is generated, built or installed there.
    checkout = await mkdtemp(join(tmpdir(), 'checkout-'));
    copyCheckout(checkout);
    const pnpm = join(REPOSITORY, 'node_modules/.bin/pnpm');
    const inCheckout = { cwd: checkout, timeout: INSTALL_LIMIT_MS };
    const only = ['--filter', 'pos', '--filter', '@pos/grpc-contracts...'];
    await run(pnpm, ['install', '--frozen-lockfile', '--prefer-offline', ...only], inCheckout);
    // Outside the workspace: nothing of ours is found by accident.
    folder = await mkdtemp(join(tmpdir(), 'partner-'));
    await run(pnpm, ['--filter', '@pos/grpc-contracts', 'pack', '--pack-destination', folder], inCheckout);
    const [packed = ''] = await readdir(folder);
    tarball = join(folder, packed);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...quietly, tarball], { cwd: folder, timeout: INSTALL_LIMIT_MS });
    for (const example of ['restaurant-epos.mjs', 'pay-a-bill.mjs']) {
      await copyFile(join(folder, 'node_modules/@pos/grpc-contracts/examples', example), join(folder, example));
    }
  }, INSTALL_LIMIT_MS);

  afterAll(async () => {
    epos?.kill('SIGKILL');
    for (const each of [folder, checkout]) await rm(each, { recursive: true, force: true });
  });

  test('depends on nothing that only this repository has', async () => {
    const text = await readFile(join(folder, 'node_modules/@pos/grpc-contracts/package.json'), 'utf8');
    const packed = JSON.parse(text) as { dependencies: Record<string, string> };
    expect(text).not.toMatch(/"(workspace|catalog|link|file):/);
    expect(Object.keys(packed.dependencies).sort()).toEqual(['@bufbuild/protobuf', '@grpc/grpc-js']);
    expect(await readdir(join(folder, 'node_modules/@pos'))).toEqual(['grpc-contracts']);
    expect(packed).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=20.19' } });
    const licence = await readFile(join(folder, 'node_modules/@pos/grpc-contracts/LICENSE'), 'utf8');
    expect(licence).toContain('Apache License');
    expect(packed).not.toHaveProperty('private');
  });

  test('gets the public services as types, .proto files and descriptor image, and no internal one', async () => {
    const inPackage = join(folder, 'node_modules/@pos/grpc-contracts');
    const packed = await readdir(inPackage, { recursive: true });
    expect(packed.filter((file) => /card_vault|gateway_internal|not-sent/.test(file))).toEqual([]);
    const services = PUBLIC_MODULES.map((name) => name.replace('-', '_'));
    expect((await readdir(join(inPackage, 'proto/service'))).sort()).toEqual(services);
    expect(packed.filter((file) => file.endsWith('.js') && !packed.includes(file.replace(/js$/, 'd.ts')))).toEqual([]);
    const image = await readFile(join(inPackage, 'descriptor.binpb'), 'latin1');
    const named = services.filter((name) => image.includes(`service.${name}.v1`));
    expect(named).toEqual(services);
    expect(image).not.toMatch(/service\.(card_vault|gateway_internal)\.v1/);
    for (const internal of ['card-vault', 'gateway-internal', 'not-sent']) {
      const load = `await import('@pos/grpc-contracts/${internal}')`;
      const failure = run(process.execPath, ['--input-type=module', '--eval', load], { cwd: folder });
      await expect(failure).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
    }
  });

  test('publint and arethetypeswrong find no defect', async () => {
    const bytes = await readFile(tarball);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball: file }, strict: true });
    expect(messages).toEqual([]);
    const attw = join(REPOSITORY, 'tools/node_modules/.bin/attw');
    const words = [
      tarball,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './descriptor.binpb',
      '--format',
      'ascii',
      '--no-color',
    ];
    const { stdout } = await run(attw, words, { timeout: RUN_LIMIT_MS });
    // It ends with another exit code where a profile has problems.
    for (const name of PUBLIC_MODULES)
      expect(stdout).toMatch(new RegExp(`"@pos/grpc-contracts/${name}"\\s+node16 \\(from ESM\\): 🟢`));
  });

  test('writes the adapter of an acquirer in TypeScript, whose mistakes the compiler finds', async () => {
    const adapter = (member: string): string => `
      import type { AcquirerServiceServer } from '@pos/grpc-contracts/acquirer';
      export const handlers: Pick<AcquirerServiceServer, 'inquire'> = {
        inquire: (call, done) => done(null, { ${member}: undefined }),
      };`;
    await writeFile(join(folder, 'right.ts'), adapter('result'));
    await writeFile(join(folder, 'wrong.ts'), adapter('results'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
    const compile = (file: string) =>
      run(join(REPOSITORY, 'node_modules/.bin/tsc'), [...options, file], { cwd: folder });
    await compile('right.ts');
    await expect(compile('wrong.ts')).rejects.toMatchObject({
      stdout: expect.stringContaining("'results' does not exist"),
    });
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
