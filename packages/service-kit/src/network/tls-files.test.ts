import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CertificateAuthority, type IssuedCertificate, writeFiles } from './certificate-authority.js';
import { TestLog } from '@pos/testing';
import { ConfigError } from '../config/config.js';
import { createLog } from '../telemetry/log.js';
import { listCertificates, openTlsFiles, type TlsFiles } from './tls-files.js';

const NAMES = { cert: 'GRPC_TLS_CERT', key: 'GRPC_TLS_KEY', ca: 'GRPC_TLS_CA' };
const HOUR_MS = 60 * 60 * 1_000;

let authority: CertificateAuthority;
let first: IssuedCertificate;
let second: IssuedCertificate;
let expired: IssuedCertificate;
let folder: string;
let log: TestLog;
const opened: TlsFiles[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create('Test CA');
  first = await authority.issue({ names: ['first.test'] });
  second = await authority.issue({ names: ['second.test'] });
  expired = await authority.issue({ names: ['old.test'], notAfter: new Date(Date.now() - HOUR_MS) });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tls-files-'));
  log = new TestLog();
});
afterEach(async () => {
  for (const files of opened.splice(0)) files.close();
  await rm(folder, { recursive: true, force: true });
  log.expectNoLeaks();
});

function open(settings: Readonly<Record<string, string>>): TlsFiles | null {
  const files = openTlsFiles(NAMES, settings, {
    log: createLog({ app: 'test', level: 'info', write: log.write }),
    // The tests look at the files themselves.
    reloadMs: HOUR_MS,
  });
  if (files !== null) opened.push(files);
  return files;
}

/** Writes the texts, and returns the settings that name their files. */
async function write(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  await writeFiles(folder, texts);
  return Object.fromEntries(Object.keys(texts).map((name) => [`GRPC_TLS_${name}`, path.join(folder, name)]));
}

function readSubject(files: TlsFiles | null): string | undefined {
  return new X509Certificate(files?.identity?.certificate ?? '').subject;
}

function readEvents(): string[] {
  return log.lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

test('certificate, key and authorities are read from the files of the settings', async () => {
  const files = open(await write({ CERT: first.cert, KEY: first.key, CA: authority.cert }));
  expect(readSubject(files)).toBe('CN=first.test');
  expect(files?.authorities.toString()).toBe(authority.cert);
  expect(listCertificates()).toEqual([
    { setting: 'GRPC_TLS_CERT', subject: 'CN=first.test', notAfter: new Date(new X509Certificate(first.cert).validTo) },
    { setting: 'GRPC_TLS_CA', subject: 'CN=Test CA', notAfter: expect.any(Date) },
  ]);
  files?.close();
  expect(listCertificates()).toEqual([]);
});

test('without a setting there are no files; with authorities only there is no identity', async () => {
  expect(open({})).toBeNull();
  const files = open(await write({ CA: authority.cert }));
  expect(files).toMatchObject({ hasIdentity: false, hasAuthorities: true, identity: null });
});

type Texts = Readonly<Record<string, string>>;
test.each<[string, () => Texts, RegExp]>([
  ['a certificate without its key', () => ({ CERT: first.cert }), /GRPC_TLS_KEY: is not set, and GRPC_TLS_CERT is/],
  ['a key without its certificate', () => ({ KEY: first.key }), /GRPC_TLS_CERT: is not set, and GRPC_TLS_KEY is/],
  [
    'a key of another certificate',
    () => ({ CERT: first.cert, KEY: second.key }),
    /GRPC_TLS_KEY: is not the key of .*CERT/,
  ],
  [
    'an ended certificate',
    () => ({ CERT: expired.cert, KEY: expired.key }),
    /GRPC_TLS_CERT: names a certificate that ended/,
  ],
  [
    'a key as certificate',
    () => ({ CERT: first.key, KEY: first.key }),
    /GRPC_TLS_CERT: .* holds no certificate in PEM/,
  ],
  [
    'a certificate as key',
    () => ({ CERT: first.cert, KEY: first.cert }),
    /GRPC_TLS_KEY: .* holds no private key in PEM/,
  ],
  [
    'a cut certificate',
    () => ({ CERT: cutMiddle(first.cert), KEY: first.key }),
    /GRPC_TLS_CERT: .* no certificate in PEM/,
  ],
  ['empty files', () => ({ CERT: '', KEY: '' }), /GRPC_TLS_CERT: .*\n.*GRPC_TLS_KEY: /],
  ['authorities without a certificate', () => ({ CA: 'none' }), /GRPC_TLS_CA: .* holds no certificate in PEM/],
  ['authorities that all have ended', () => ({ CA: expired.cert }), /GRPC_TLS_CA: .* every certificate has ended/],
])('%s is refused, and the message names the setting only', async (_, texts, message) => {
  const settings = await write(texts());
  expect(() => open(settings)).toThrow(ConfigError);
  expect(() => open(settings)).toThrow(message);
  expect(() => open(settings)).not.toThrow(folder);
});

test.each(['CERT', 'KEY', 'CA'])('a missing file of %s is refused', async (name) => {
  const settings = await write({ CERT: first.cert, KEY: first.key, CA: authority.cert });
  await unlink(path.join(folder, name));
  expect(() => open(settings)).toThrow(`GRPC_TLS_${name}: names a file that cannot be read`);
});

test('an ended authority beside a valid one is accepted', async () => {
  expect(open(await write({ CA: `${expired.cert}\n${authority.cert}` }))?.certificates).toHaveLength(2);
});

test('replaced files are used after the next look at them, and the listeners are called once', async () => {
  const files = open(await write({ CERT: first.cert, KEY: first.key }))!;
  let calls = 0;
  files.onChange(() => (calls += 1));
  await files.reload();
  expect(calls).toBe(0);
  await write({ CERT: second.cert, KEY: second.key });
  await files.reload();
  await files.reload();
  expect([readSubject(files), calls, readEvents()]).toEqual(['CN=second.test', 1, ['tls.reloaded']]);
});

test('files are followed through the links of a Kubernetes volume', async () => {
  const target = (name: string): string => path.join(folder, name);
  await writeFiles(target('..1'), { CERT: first.cert, KEY: first.key });
  await writeFiles(target('..2'), { CERT: second.cert, KEY: second.key });
  await symlink('..1', target('..data'));
  for (const name of ['CERT', 'KEY']) await symlink(path.join('..data', name), target(name));
  const files = open({ GRPC_TLS_CERT: target('CERT'), GRPC_TLS_KEY: target('KEY') })!;
  expect(readSubject(files)).toBe('CN=first.test');
  await symlink('..2', target('..data_new'));
  await rename(target('..data_new'), target('..data'));
  await files.reload();
  expect(readSubject(files)).toBe('CN=second.test');
});

test.each<[string, () => Promise<unknown>]>([
  ['a certificate without its new key', () => write({ CERT: second.cert })],
  ['an ended certificate', () => write({ CERT: expired.cert, KEY: expired.key })],
  ['half a file', () => writeFile(path.join(folder, 'CERT'), first.cert.slice(0, 200))],
  ['no file', () => unlink(path.join(folder, 'KEY'))],
])('%s keeps the previous certificate, and is logged in one line', async (_, replace) => {
  const files = open(await write({ CERT: first.cert, KEY: first.key }))!;
  await replace();
  for (let look = 0; look < 4; look += 1) await files.reload();
  expect([readSubject(files), readEvents()]).toEqual(['CN=first.test', ['tls.reload_refused']]);
  expect(log.lines[0]).toMatch(/GRPC_TLS_(CERT|KEY)/);
  expect(log.lines[0]).not.toContain(folder);
  await write({ CERT: second.cert, KEY: second.key });
  await files.reload();
  expect([readSubject(files), readEvents()]).toEqual(['CN=second.test', ['tls.reload_refused', 'tls.reloaded']]);
});

test('files that are replaced one after the other are not logged as unusable', async () => {
  const files = open(await write({ CERT: first.cert, KEY: first.key }))!;
  await write({ CERT: second.cert });
  await files.reload();
  await write({ KEY: second.key });
  await files.reload();
  expect([readSubject(files), readEvents()]).toEqual(['CN=second.test', ['tls.reloaded']]);
});

test('files are read again by themselves', async () => {
  const settings = await write({ CERT: first.cert, KEY: first.key });
  const files = openTlsFiles(NAMES, settings, { log: createLog({ app: 'test', level: 'silent' }), reloadMs: 5 })!;
  opened.push(files);
  const changed = new Promise<void>((resolve) => files.onChange(resolve));
  await write({ CERT: second.cert, KEY: second.key });
  await changed;
  expect(readSubject(files)).toBe('CN=second.test');
});

function cutMiddle(pem: string): string {
  const lines = pem.trim().split('\n');
  return [...lines.slice(0, 2), ...lines.slice(-2)].join('\n');
}
