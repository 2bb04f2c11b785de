import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signServiceSignature, signWebhook } from '@pos/sdk';
import { REPOSITORY } from '../repository/repository.js';
import {
  CSHARP,
  isInstalled,
  LANGUAGE_CLIENTS,
  type LanguageClient,
  reportAbsence,
  runCSharp,
} from './language-clients.js';
import { runTypeScriptVectors } from './language-vectors.js';
import { type ReceivedRequest, ScriptedService, type Step } from './scripted-service.js';

interface WebhookVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceSeconds: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: string;
  /** Only the event is malformed. */
  readonly isSigned?: true;
}

interface ServiceSignatureVector extends Omit<WebhookVector, 'toleranceSeconds'> {
  readonly toleranceSeconds: number | null;
}

interface ExpectedRequest extends Partial<Pick<ReceivedRequest, 'method' | 'path' | 'body'>> {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly key?: string | null;
}

interface CallVector {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly expected: { readonly attempts?: number; readonly requests?: readonly ExpectedRequest[] } & Record<
    string,
    unknown
  >;
}

/** What the program of a language prints about the vectors. */
interface Found {
  readonly webhooks: readonly string[];
  readonly signatures: readonly unknown[];
  readonly serviceSignatures: readonly string[];
  readonly madeServiceSignatures: readonly unknown[];
  readonly retries: readonly (number | null)[];
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

const LIMIT_MS = 240_000;
const VECTORS = path.join(REPOSITORY, 'sdks/vectors');
const read = <T>(name: string): readonly T[] =>
  (JSON.parse(readFileSync(path.join(VECTORS, `${name}.json`), 'utf8')) as { readonly vectors: readonly T[] }).vectors;
const webhooks = read<WebhookVector>('webhooks');
const serviceSignatures = read<ServiceSignatureVector>('service-signatures');
const retries = read<{ readonly name: string; readonly expected: number | null }>('retries');
const calls = read<CallVector>('calls');
const RELEASE = /NEWEST_RELEASE = '([\d-]+)'/.exec(
  readFileSync(path.join(REPOSITORY, 'packages/sdk/src/gen/operation-types.ts'), 'utf8'),
)?.[1];

const service = new ScriptedService(calls.map(({ steps }) => steps));
/** What each language has printed, or why it printed nothing. Languages that are not installed are missing. */
const found = new Map<string, Found | Error>();
let origin: string;
let scratch: string;

beforeAll(async () => {
  origin = await service.open();
  scratch = mkdtempSync(path.join(tmpdir(), 'languages-'));
  for (const language of [...LANGUAGE_CLIENTS, CSHARP]) if (!isInstalled(language)) reportAbsence(language.name);
  const programs = LANGUAGE_CLIENTS.filter(isInstalled).map(async (language) => {
    const { folder } = language;
    // A language that fails leaves the tests of the others alone.
    found.set(folder, await runChecker(language).catch((error: unknown) => error as Error));
  });
  // The tests of the SDK itself play the other vectors.
  const others = { webhooks: [], signatures: [], serviceSignatures: [], madeServiceSignatures: [], retries: [] };
  found.set('typescript', { ...others, calls: await runTypeScriptVectors(origin) });
  await Promise.all(programs);
}, LIMIT_MS);

afterAll(() => {
  service.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function runChecker(language: LanguageClient): Promise<Found> {
  const { name, folder, checker } = language;
  const file = path.join(REPOSITORY, 'sdks', folder, checker);
  const words = [VECTORS, `${origin}/${folder}`];
  return JSON.parse(await language.run({ file, scratch: path.join(scratch, name) }, words)) as Found;
}

/** What the program of the language has printed; undefined where the machine does not have the language. */
function findResults({ folder }: { readonly folder: string }): Found | undefined {
  const results = found.get(folder);
  if (results instanceof Error) throw results;
  return results;
}

describe.each(LANGUAGE_CLIENTS.map((client) => [client.name, client] as const))('the client in %s', (_, client) => {
  test('accepts and refuses the deliveries that all verifiers accept and refuse', () => {
    const results = findResults(client);
    if (results === undefined) return;
    expect(webhooks.map(({ name }, index) => [name, results.webhooks[index]])).toEqual(
      webhooks.map(({ name, expected }) => [name, expected]),
    );
  });

  test('signs deliveries as the service does', async () => {
    const results = findResults(client);
    if (results === undefined) return;
    const wanted = webhooks.map(({ secrets: [secret = ''], now, body }) =>
      signWebhook(secret, { id: 'evt_1', timestamp: now, body }),
    );
    expect(results.signatures).toEqual(await Promise.all(wanted));
  });

  test('accepts and refuses the service signatures that all verifiers accept and refuse, and makes them', async () => {
    const results = findResults(client);
    if (results === undefined) return;
    expect(serviceSignatures.map(({ name }, index) => [name, results.serviceSignatures[index]])).toEqual(
      serviceSignatures.map(({ name, expected }) => [name, expected]),
    );
    const wanted = serviceSignatures.map(({ secrets: [secret = ''], body }) => signServiceSignature(secret, body));
    expect(results.madeServiceSignatures).toEqual(await Promise.all(wanted));
  });

  test('repeats what all clients repeat, after the same wait', () => {
    const results = findResults(client);
    if (results === undefined) return;
    expect(retries.map(({ name }, index) => [name, results.retries[index]])).toEqual(
      retries.map(({ name, expected }) => [name, expected]),
    );
  });
});

test(
  'the verifier in C# accepts and refuses the deliveries that all verifiers accept and refuse, and signs them',
  async () => {
    if (!isInstalled(CSHARP)) return;
    const output = await runCSharp(
      path.join(REPOSITORY, 'sdks/csharp/check/CheckVectors.cs'),
      path.join(scratch, 'csharp'),
      [
        ...webhooks.map((vector) => writeCSharpLine('webhook-signature', vector)),
        ...serviceSignatures.map((vector) => writeCSharpLine('service-signature', vector)),
      ].join('\n'),
    );
    const wanted = [
      ...webhooks.map(async (vector) => {
        const signed = await signWebhook(vector.secrets[0] ?? '', { ...vector, id: 'evt_1', timestamp: vector.now });
        return [vector.name, `${getUnparsedOutcome(vector)} ${signed['webhook-signature']}`];
      }),
      ...serviceSignatures.map(async (vector) => {
        const signed = await signServiceSignature(vector.secrets[0] ?? '', vector.body);
        return [vector.name, `${getUnparsedOutcome(vector)} ${signed['service-signature']}`];
      }),
    ];
    const said = output.trim().split('\n');
    expect([...webhooks, ...serviceSignatures].map(({ name }, index) => [name, said[index]])).toEqual(
      await Promise.all(wanted),
    );
  },
  LIMIT_MS,
);

/** The outcome for a verifier that does not parse the body. */
function getUnparsedOutcome({ expected, isSigned }: Pick<WebhookVector, 'expected' | 'isSigned'>): string {
  return isSigned === true ? 'accepted' : expected;
}

function writeCSharpLine(header: string, vector: WebhookVector | ServiceSignatureVector): string {
  const { now, toleranceSeconds, body, secrets, headers } = vector;
  const createdAt = /"createdAt":"(\d[^"]+)"/.exec(body)?.[1];
  const times = [now, toleranceSeconds ?? '-', createdAt === undefined ? '-' : encode(createdAt)];
  const texts = [...secrets, ...Object.entries(headers).flat()].map(encode);
  return [header, ...times, encode(body), secrets.length, ...texts].join(' ');
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

const LANGUAGES = [{ name: 'TypeScript', folder: 'typescript' }, ...LANGUAGE_CLIENTS];
describe.each(LANGUAGES.map((client) => [client.name, client] as const))('a call in %s', (_, client) => {
  test('ends as that of all clients, after the same attempts', () => {
    const results = findResults(client);
    if (results === undefined) return;
    const ends = calls.map(({ name, expected }, index) => {
      const { attempts, requests } = expected;
      const count = service.listReceived(client.folder, index).length;
      // Members that the vector does not name are not compared.
      const end = Object.fromEntries(
        Object.entries(results.calls[index] ?? {}).filter(([member]) => member === 'outcome' || member in expected),
      );
      return [name, { ...end, attempts: count }, attempts ?? requests?.length];
    });
    expect(ends).toEqual(
      calls.map(({ name, expected: { attempts, requests, ...end } }) => {
        const count = attempts ?? requests?.length;
        return [name, { ...fillIn(end), attempts: count }, count];
      }),
    );
  });

  test('sends what all clients send, and keeps its key', () => {
    if (findResults(client) === undefined) return;
    for (const [index, { name, expected }] of calls.entries()) {
      const received = service.listReceived(client.folder, index);
      for (const [at, request] of (expected.requests ?? []).entries()) {
        const sent = received[at];
        const wanted = fillIn(request);
        expect({ name, ...selectNamed(wanted, sent) }).toEqual({ name, ...wanted, ...sortQuery(wanted.path) });
      }
      const keys = received.map(({ headers }) => headers['idempotencykey']);
      expect([name, ...new Set(keys)]).toHaveLength(received.length === 0 ? 1 : 2);
    }
  });
});

/** The placeholders of the vectors with the values of this run. */
function fillIn<T>(expected: T): T {
  const text = JSON.stringify(expected).replaceAll('{origin}', origin);
  return JSON.parse(text.replaceAll('{release}', RELEASE ?? '')) as T;
}

/** The path with its query in the order of the names: no client promises another. */
function sortQuery(sent: string | undefined): { readonly path?: string } {
  const [found = '', query] = sent?.split('?') ?? [];
  if (sent === undefined) return {};
  return { path: query === undefined ? found : `${found}?${query.split('&').sort().join('&')}` };
}

/** The parts of a request that the vector names, in its form. */
function selectNamed(wanted: ExpectedRequest, sent: ReceivedRequest | undefined): Record<string, unknown> {
  const key = sent?.headers['idempotencykey'];
  const isMade = wanted.key === 'made' && typeof key === 'string' && /^[\w-]{36}$/.test(key);
  const selected: Record<string, unknown> = {
    ...{ method: sent?.method, ...sortQuery(sent?.path), body: sent?.body, key: isMade ? 'made' : (key ?? null) },
    headers: Object.fromEntries(Object.keys(wanted.headers ?? {}).map((name) => [name, sent?.headers[name] ?? null])),
  };
  return Object.fromEntries(Object.keys(wanted).map((member) => [member, selected[member]]));
}

test('the vectors contain calls that fail and calls that succeed', () => {
  expect(calls.filter(({ expected }) => expected['outcome'] === 'answer').length).toBeGreaterThan(10);
  expect(calls.filter(({ expected }) => expected['outcome'] !== 'answer').length).toBeGreaterThan(25);
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
});
