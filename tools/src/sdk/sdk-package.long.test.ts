import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PosClient, PosConnectionError } from '@pos/sdk';
import { publint } from 'publint';
import { startSecondWorld } from '../dev/testing.js';
import { listPrograms } from './page-programs.js';
import { REPOSITORY } from '../repository/repository.js';
import { DevJson, getDevJsonPath } from '../dev/dev-json.js';
import { describeExamples } from '../examples/example-scenarios.js';
import { CSHARP, isInstalled, LANGUAGE_CLIENTS, reportAbsence, runCSharp } from './language-clients.js';
import { listSamples, writeSample } from './language-samples.js';
import { LossyNetwork } from './lossy-network.js';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const PAGE = 'docs/integrate/typescript-sdk.md';
const programs = listPrograms(PAGE);

/** One world for the programs of the page, the clients whose answers are lost, and the examples of the documents. */
const settings = startSecondWorld(20);
let folder: string;
let tarball: string;

beforeAll(async () => {
  // Outside the workspace: nothing of ours is found by accident.
  folder = await mkdtemp(path.join(tmpdir(), 'integrator-'));
  const words = ['pack', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', words, { cwd: path.join(REPOSITORY, 'packages/sdk'), timeout: LIMIT_MS });
  tarball = path.join(folder, stdout.trim());
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...quietly, tarball], { cwd: folder, timeout: LIMIT_MS });
  for (const { name, text } of programs) await writeFile(path.join(folder, `${name}.ts`), text);
}, LIMIT_MS);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('an integrator who has only the packed package', () => {
  test('gets no dependency, no test and no source map', async () => {
    const installed = path.join(folder, 'node_modules/@pos/sdk');
    expect(await readdir(path.join(folder, 'node_modules/@pos'))).toEqual(['sdk']);
    const files = (await readdir(installed, { recursive: true })).map((file) => file.replaceAll(path.sep, '/'));
    expect(files.filter((file) => /\.test\.|\.map$|tsbuildinfo|^src/.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        ...['dist/node.js', 'dist/node.d.ts', 'dist/browser.js', 'dist/payment-flow.d.ts'],
        'dist/payment-component.min.js',
      ]),
    );
    const text = await readFile(path.join(installed, 'package.json'), 'utf8');
    expect(JSON.parse(text)).not.toHaveProperty('dependencies');
  });

  test('publint and arethetypeswrong find no defect', async () => {
    const bytes = await readFile(tarball);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball: file }, strict: true });
    expect(messages).toEqual([]);
    const attw = path.join(REPOSITORY, 'tools/node_modules/.bin/attw');
    const words = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color'];
    const { stdout } = await run(attw, words, { timeout: LIMIT_MS });
    for (const name of ['', '/browser', '/payment-flow', '/payment-component', '/payment-component.min.js']) {
      expect(stdout).toMatch(new RegExp(`"@pos/sdk${name}"\\s+node16 \\(from ESM\\): 🟢`));
    }
  });

  test('gets the entry of browsers under their condition, which has no client that takes a key', async () => {
    const script = "console.log(Object.keys(await import('@pos/sdk')).sort().join())";
    const load = (...conditions: string[]) =>
      run(process.execPath, [...conditions, '--input-type=module', '--eval', script], { cwd: folder });
    expect((await load('--conditions=browser')).stdout).toBe(
      'PayerClient,PosAnswerError,PosApiError,PosConnectionError,PosError,PosTimeoutError,PosUsageError,formatAmount,formatDecimal\n',
    );
    expect((await load()).stdout).toMatch(/PosClient.*verifyWebhook/);
    await expect(
      run(process.execPath, ['--input-type=module', '--eval', "await import('@pos/sdk/dist/node.js')"], {
        cwd: folder,
      }),
    ).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  test('compiles the programs of the page strictly, and the compiler finds mistakes', async () => {
    const compile = async (...files: string[]) => {
      const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2023'];
      const types = [
        '--module',
        'nodenext',
        '--types',
        'node',
        '--typeRoots',
        path.join(REPOSITORY, 'node_modules/@types'),
      ];
      return run(path.join(REPOSITORY, 'node_modules/.bin/tsc'), [...options, ...types, ...files], { cwd: folder });
    };
    await compile(...programs.map(({ name }) => `${name}.ts`));
    const mistakes = [
      "import { PosClient } from '@pos/sdk';",
      "const pos = new PosClient({ baseUrl: '', apiKey: '' });",
      "await pos.paymentIntents.capture('pi_1', { amuont: 5 });",
      'await pos.paymentIntents.refund(5, { amount: 5, refundReason: "" });',
      "try {} catch (error) { (error as import('@pos/sdk').PosApiError).reason === 'not_a_reason'; }",
    ];
    await writeFile(path.join(folder, 'mistakes.ts'), mistakes.join('\n'));
    const found = (stdout: string) => [...stdout.matchAll(/mistakes\.ts\((\d+),/g)].map(([, line]) => line);
    const failure = await compile('mistakes.ts').then(
      () => '',
      (error: unknown) => (error as { readonly stdout: string }).stdout,
    );
    expect(found(failure)).toEqual(['3', '4', '5']);
  });

  test('the page has a program for each part', () => {
    expect(programs.map(({ name }) => name)).toEqual(['sale', 'refusals', 'search', 'webhooks', 'page']);
  });

  test.each(programs.filter(({ output }) => output !== null))(
    'runs $name against the service, and sees the output of the page',
    async ({ name, output }) => {
      const { urls, otherApiKey, softwareHouseId, resellerId } = DevJson.parse(
        JSON.parse(await readFile(getDevJsonPath(settings().DATA_DIR), 'utf8')),
      );
      const env = {
        ...{ PATH: process.env['PATH'] ?? '', POS_API_URL: urls.api, POS_API_KEY: otherApiKey },
        ...{ POS_SOFTWARE_HOUSE: softwareHouseId, POS_RESELLER: resellerId },
      };
      const { stdout } = await run(process.execPath, [`${name}.js`], { cwd: folder, env, timeout: LIMIT_MS });
      expect(stdout).toBe(output);
    },
    LIMIT_MS,
  );
});

const LOST_MS_MAX = 60_000;
// The programs of the READMEs need minutes where the machine compiles for many at once.
const PROGRAMS_MS_MAX = 240_000;
const scratch = mkdtempSync(path.join(tmpdir(), 'samples-'));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('when answers are lost after the service has done its work', () => {
  let network: LossyNetwork;
  let client: PosClient;
  let single: PosClient;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const dev = DevJson.parse(JSON.parse(readFileSync(getDevJsonPath(settings().DATA_DIR), 'utf8')));
    const { hostname: host, port } = new URL(dev.urls.api);
    network = new LossyNetwork({ host, port: Number(port) });
    const baseUrl = await network.open();
    const { otherApiKey: apiKey, softwareHouseId, resellerId } = dev;
    environment = {
      ...{ POS_API_URL: baseUrl, POS_API_KEY: apiKey, POS_SOFTWARE_HOUSE: softwareHouseId, POS_RESELLER: resellerId },
      POS_SDK: path.join(REPOSITORY, 'sdks/php'),
    };
    client = new PosClient({ baseUrl, apiKey, softwareHouseId, resellerId });
    single = new PosClient({ baseUrl, apiKey, softwareHouseId, resellerId, retriesMax: 0 });
  });
  afterAll(() => {
    network.close();
  });

  /** Runs a call whose first answers are lost. */
  async function lose<T>(answers: number, call: () => Promise<T>): Promise<T> {
    [network.losses, network.lost] = [answers, 0];
    const result = await call();
    expect(network.lost).toBe(answers);
    return result;
  }

  async function createPaid(): Promise<string> {
    const { id } = await client.paymentIntents.create({
      amount: { value: 1000, currencyCode: 'GBP' },
      reference: 'lost',
    });
    const machine = (await client.terminals.list()).find(({ properties }) => properties.tid === '90000001');
    await client.terminalSessions.create({
      terminalId: machine?.id ?? '',
      details: { sessionType: 'Sale', sale: { paymentIntentId: id } },
    });
    while ((await client.paymentIntents.read(id)).status !== 'Captured') {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return id;
  }

  test(
    'a payment exists once, and the caller gets it',
    async () => {
      const reference = crypto.randomUUID();
      const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference };
      const { id } = await lose(2, () => client.paymentIntents.create(body));
      const found = [];
      for await (const intent of client.paymentIntents.searchAll({ statuses: ['Created'] })) {
        if (intent.reference === reference) found.push(intent.id);
      }
      expect(found).toEqual([id]);
    },
    LOST_MS_MAX,
  );

  test(
    'the payer gets a refund once',
    async () => {
      const id = await createPaid();
      const refund = await lose(2, () => client.paymentIntents.refund(id, { amount: 300, refundReason: 'cold' }));
      expect(refund.message).toBe('REFUNDED');
      expect((await client.paymentIntents.read(id)).refundedAmount).toBe(300);
    },
    LOST_MS_MAX,
  );

  test(
    'a program that ended without an answer repeats its own key, and the payer gets a refund once',
    async () => {
      const id = await createPaid();
      const call = (pos: PosClient) =>
        pos.paymentIntents.refund(id, { amount: 300, refundReason: 'cold' }, { idempotencyKey: `refund-of-${id}` });
      const failed = await lose(1, () => call(single).catch((error: unknown) => error));
      expect(failed).toBeInstanceOf(PosConnectionError);
      expect((await call(client)).message).toBe('REFUNDED');
      expect((await client.paymentIntents.read(id)).refundedAmount).toBe(300);
    },
    LOST_MS_MAX,
  );

  test.each(LANGUAGE_CLIENTS.map((language) => [language.name, language] as const))(
    'the programs of the README of %s do what it promises, and their payment exists once',
    async (name, language) => {
      if (!isInstalled(language)) {
        reportAbsence(name);
        return;
      }
      const own = path.join(scratch, language.folder);
      for (const [index, sample] of listSamples(language.folder).entries()) {
        const file = writeSample(own, sample);
        // The first program is the quickstart. The answer that it loses is that of the new payment.
        const output = await lose(index === 0 ? 1 : 0, () => language.run({ file, scratch: own, environment }, []));
        expect([sample.name, output]).toEqual([sample.name, sample.output]);
      }
      const found = [];
      for await (const intent of client.paymentIntents.searchAll({})) {
        if (intent.reference === `quickstart in ${name}`) found.push([intent.status, intent.refundedAmount]);
      }
      expect(found).toEqual([['Captured', 250]]);
    },
    PROGRAMS_MS_MAX,
  );
});

test(
  'the program of the README of C# does what it promises',
  async () => {
    if (!isInstalled(CSHARP)) {
      reportAbsence(CSHARP.name);
      return;
    }
    for (const sample of listSamples('csharp')) {
      const file = writeSample(path.join(scratch, 'csharp'), sample);
      expect(await runCSharp(file, path.join(scratch, 'csharp'), '')).toBe(sample.output);
    }
  },
  PROGRAMS_MS_MAX,
);

describe('the examples of the documents', () => {
  describeExamples(settings);
});
