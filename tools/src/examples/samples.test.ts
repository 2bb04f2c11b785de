import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PayerClient } from '@pos/sdk/browser';
import { PosClient } from '@pos/sdk';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { OPERATION_EXAMPLES, type OperationExample } from '@pos/rest-contracts/examples';
import { getBody, openApiDocument } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import {
  createSampleRequest,
  type SampleServer,
  writeCliSample,
  writeCurlSample,
  writeSdkSample,
} from '@pos/rest-contracts/samples';
import { type SampleParameter, type SampleRequest } from '@pos/rest-contracts/testing';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { REPOSITORY } from '../repository/repository.js';
import { ExampleNames } from './example-match.js';
import { buildExampleRequest, type ExampleRequest } from './example-player.js';
import { type RecordedRequest, RequestRecorder } from './request-recorder.js';

// The examples are played against the whole service; these tests prove that a sample sends what the player sends.

const MINUTE = 60_000;
const run = promisify(execFile);
const KEY = 'sk_sandbox_aKeyOfNobody';
const SECRET = 'aSecretOfNobody';
const PARTNERS = { softwareHouseId: 'house-1', resellerId: 'reseller-1' };

/** A sample, and the request of the player for the same example. */
interface SampledExample {
  readonly title: string;
  readonly sampled: SampleRequest;
  readonly wanted: ExampleRequest;
}

let recorder: RequestRecorder;
let folder: string;
beforeAll(async () => {
  recorder = await RequestRecorder.open();
  // Without settings of a running world.
  folder = await mkdtemp(path.join(tmpdir(), 'samples-'));
});
afterAll(async () => {
  await recorder.close();
  await rm(folder, { recursive: true });
});

const SERVERS: readonly (readonly [SampleServer, readonly Operation[]])[] = [
  ['api', API_OPERATIONS],
  ['card-vault', CARD_VAULT_OPERATIONS],
  ['epos-tester', TESTER_OPERATIONS],
];

function listSampled(): SampledExample[] {
  return SERVERS.flatMap(([server, operations]) => {
    const parameters = listParameters(operations);
    return operations.flatMap((operation) =>
      OPERATION_EXAMPLES.filter(({ operationId, isWithoutKey }) => operationId === operation.id && !isWithoutKey).map(
        (example) => createSampled(operation, example, { server, parameters: parameters.get(operation.id) ?? [] }),
      ),
    );
  });
}

function createSampled(
  operation: Operation,
  example: OperationExample,
  { server, parameters }: { readonly server: SampleServer; readonly parameters: readonly SampleParameter[] },
): SampledExample {
  const { id, method, path: address, permission } = operation;
  const { params = {}, query = {}, name } = example;
  const key = `key-of-${id}-${name}`;
  const sampled = createSampleRequest(
    { id, method, path: address, server, parameters, needsKey: permission !== null },
    { params, query, body: getBody(operation, example) },
    { release: LATEST_RELEASE, idempotencyKey: key },
  );
  const wanted = buildExampleRequest(
    operation,
    { ...example, secret: SECRET },
    { server: { ...PARTNERS, apiKey: KEY, baseUrl: '' }, names: new ExampleNames({}), idempotencyKey: key },
  );
  return { title: `${id} ${name}`, sampled, wanted };
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly (SampleParameter | { readonly $ref: string })[];
}

/** The parameters of each operation, as the document and the pages of the reference have them. */
function listParameters(operations: readonly Operation[]): ReadonlyMap<string, readonly SampleParameter[]> {
  const { paths, components } = openApiDocument(operations, { title: '', description: '' }) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly parameters: Readonly<Record<string, SampleParameter>> };
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    described.map(({ operationId, parameters }) => [
      operationId,
      parameters.flatMap((each) =>
        '$ref' in each ? (components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? []) : each,
      ),
    ]),
  );
}

const SAMPLED = listSampled();
/** Texts that a shell, a program or an address would read as more than text. */
const HOSTILE = `it's "quoted" $HOME \`id\` $(id) \\n !! & ; | > <b> é 漢 \u2028\u2029\nsecond line`;
const HOSTILE_SAMPLES = createHostileSamples();

function createHostileSamples(): SampledExample[] {
  const find = (id: string): SampledExample => {
    const found = SAMPLED.find(({ sampled }) => sampled.operationId === id);
    if (found === undefined) throw new Error(`${id} has no example`);
    return found;
  };
  const create = find('createPaymentIntent');
  const body = { reference: HOSTILE, [HOSTILE]: [null, true, 1.5, {}, [], { 'a-b': HOSTILE }] };
  const read = find('readPaymentIntent');
  const params = { paymentIntentId: `${HOSTILE}/../x?y=1#z` };
  const list = find('listDeliveries');
  const query = { state: HOSTILE };
  return [
    {
      title: 'a hostile body',
      sampled: { ...create.sampled, body },
      wanted: { ...create.wanted, body: JSON.stringify(body) },
    },
    {
      title: 'a hostile id',
      sampled: { ...read.sampled, params },
      wanted: { ...read.wanted, url: `/payment-intents/${encodeURIComponent(params.paymentIntentId)}` },
    },
    {
      title: 'a hostile query',
      sampled: { ...list.sampled, query },
      wanted: { ...list.wanted, url: `${list.wanted.url.split('?', 1)[0]}?${new URLSearchParams(query).toString()}` },
    },
  ];
}

const ENVIRONMENT = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  POS_API_URL: recorder.url,
  POS_CARD_VAULT_URL: recorder.url,
  POS_EPOS_TESTER_URL: recorder.url,
  POS_API_KEY: KEY,
  POS_SOFTWARE_HOUSE: PARTNERS.softwareHouseId,
  POS_RESELLER: PARTNERS.resellerId,
  CLIENT_SESSION_SECRET: SECRET,
  CUSTOMER_SECRET: SECRET,
});

/** The headers that say what is asked and by whom. Clients add their own. */
const HEADERS = [
  'version',
  'authorization',
  'content-type',
  'client-session-secret',
  'software-house-id',
  'reseller-id',
];

/** The request without what differs between clients: the spelling of the address, and optional keys. */
function toComparable(request: {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}) {
  const { method, path: address, headers, body } = request;
  const url = new URL(address, 'http://service');
  const names = HEADERS.filter((name) => headers[name] !== undefined);
  return {
    ...{ method, body, path: decodeURIComponent(url.pathname) },
    query: [...url.searchParams],
    // A key may be sent by either scheme.
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name]).replace(/^(Basic|Bearer) /, '')])),
  };
}

function expectSame(samples: readonly SampledExample[], received: readonly RecordedRequest[]): void {
  const found = received.map((request, at) => ({ title: samples[at]?.title, ...toComparable(request) }));
  const wanted = samples.map(({ title, wanted: { url, method, headers, body = 'null' } }) => ({
    title,
    ...toComparable({ method, path: url, headers, body: JSON.parse(body) as unknown }),
  }));
  expect(found).toEqual(wanted);
}

test('every example has a sample, and every operation an example', () => {
  const operations = SERVERS.flatMap(([, own]) => own.map(({ id }) => id));
  const sampled = new Set(SAMPLED.map(({ sampled: { operationId } }) => operationId));
  const others = OPERATION_EXAMPLES.filter(({ isWithoutKey }) => isWithoutKey !== true).length;
  expect(SAMPLED).toHaveLength(others);
  expect(operations.filter((id) => !sampled.has(id))).toEqual([]);
});

/** One example of each form: members of the path, query, body, and the secret of a customer. */
function listForms(): SampledExample[] {
  const byForm = new Map(SAMPLED.map((each) => [toForm(each.sampled), each]));
  expect(byForm.size).toBeGreaterThan(5);
  return [...byForm.values()];
}

function toForm({ path: address, query, body, headers, server }: SampleRequest): string {
  const hasQuery = Object.keys(query).length > 0;
  return JSON.stringify([
    server,
    address.includes('{'),
    hasQuery,
    body !== undefined,
    headers.includes('authorization'),
  ]);
}

test(
  'curl sends what the test of the examples sends, for each form of request',
  async () => {
    const samples = [...listForms(), ...HOSTILE_SAMPLES];
    const script = samples.map(({ sampled }) => `${writeCurlSample(sampled)} --silent --output /dev/null`).join('\n');
    await run('bash', ['-eu', '-c', script], { env: ENVIRONMENT() });
    expectSame(samples, recorder.takeRequests());
  },
  MINUTE,
);

test('the shell reads the curl sample of every example as that request', async () => {
  // In place of curl, because two hundred processes take too long: its words, and a mark after them.
  const program = `curl() { printf '%s\\0' "$@" '${END_OF_WORDS}'; }`;
  const script = [program, ...SAMPLED.map(({ sampled }) => writeCurlSample(sampled))].join('\n');
  const { stdout } = await run('bash', ['-eu', '-c', script], { env: ENVIRONMENT(), maxBuffer: 2 ** 24 });
  const received = stdout.split(`${END_OF_WORDS}\0`).slice(0, -1).map(readCurlWords);
  expectSame(SAMPLED, received);
  // The sample of an action names a key, so that a copy of it can be repeated.
  const missing = SAMPLED.filter(
    ({ sampled: { headers, idempotencyKey } }, at) =>
      headers.includes('idempotencyKey') && received[at]?.headers['idempotencykey'] !== idempotencyKey,
  );
  expect(missing.map(({ title }) => title)).toEqual([]);
});

const END_OF_WORDS = '=== end of words ===';

/** What curl sends for these words. */
function readCurlWords(text: string): RecordedRequest {
  const words = text.split('\0').slice(0, -1);
  const listValues = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []));
  const [data] = listValues('-d');
  const headers = listValues('-H').map((line) => {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return {
    method: listValues('-X')[0] ?? (data === undefined ? 'GET' : 'POST'),
    path: words.find((word) => word.startsWith(recorder.url))?.slice(recorder.url.length) ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: data === undefined ? null : (JSON.parse(data) as unknown),
  };
}

/** Runs a statement with `await` in it; the constructor of such functions has no name. */
const AsyncFunction = (async () => Promise.resolve()).constructor as new (
  ...parts: readonly string[]
) => (...values: readonly unknown[]) => Promise<unknown>;

test(
  'the TypeScript sample of every example of the API sends what the test of the examples sends',
  async () => {
    const settings = { baseUrl: recorder.url, retriesMax: 0 };
    const pos = new PosClient({ ...settings, ...PARTNERS, apiKey: KEY });
    const payer = new PayerClient(settings);
    const samples = [...SAMPLED, ...HOSTILE_SAMPLES].filter(({ sampled }) => sampled.server === 'api');
    for (const { title, sampled } of samples) {
      const sample = writeSdkSample(sampled);
      if (sample === null) throw new Error(`${title} has no sample`);
      await new AsyncFunction('pos', 'payer', 'process', sample)(pos, payer, { env: ENVIRONMENT() });
    }
    expectSame(samples, recorder.takeRequests());
  },
  MINUTE,
);

test(
  'the command sends what the test of the examples sends',
  async () => {
    const program = path.join(REPOSITORY, 'apps/cli/dist/main.js');
    // A process of its own each: the hostile texts, and the one flag that none of them has.
    const ofCustomer = SAMPLED.find(({ sampled: { headers } }) => headers.includes('authorization'));
    if (ofCustomer === undefined) throw new Error('no operation takes the secret of a customer');
    const samples = [ofCustomer, ...HOSTILE_SAMPLES];
    const commands = samples.map(({ sampled }) => writeCliSample(sampled));
    const pos = `pos() { ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} "$@"; }`;
    await run('bash', ['-eu', '-c', [pos, ...commands].join('\n')], { env: ENVIRONMENT(), cwd: folder });
    expectSame(samples, recorder.takeRequests());
  },
  MINUTE,
);

test('the card vault and the tester have no sample for the SDK and the command, which do not call them', () => {
  const others = SAMPLED.filter(({ sampled }) => sampled.server !== 'api');
  expect(others.length).toBeGreaterThan(5);
  for (const { sampled } of others) {
    expect([writeSdkSample(sampled), writeCliSample(sampled)]).toEqual([null, null]);
  }
});
