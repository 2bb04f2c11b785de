import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@pos/service-kit/config';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Config } from '../config.js';
import { openGrpcTls } from './tls-settings.js';

const QUIET = { info: () => undefined, warn: () => undefined };

let folder: string;
const pem = (): string => path.join(folder, 'any.pem');

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tls-settings-'));
  writeFileSync(pem(), '-----BEGIN CERTIFICATE-----\n');
  writeFileSync(path.join(folder, 'text'), 'none');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each<[string, (file: string) => Record<string, string>, RegExp]>([
  ['a key alone', (file) => ({ GRPC_TLS_KEY: file }), /^ *GRPC_TLS_CERT: is not set/m],
  ['a certificate alone', (file) => ({ GRPC_TLS_CERT: file }), /^ *GRPC_TLS_KEY: is not set/m],
  ['an authority alone', (file) => ({ GRPC_TLS_CA: file }), /^ *GRPC_TLS_CERT: is not set/m],
  [
    'a file that does not exist',
    (file) => ({ GRPC_TLS_CERT: `${file}x`, GRPC_TLS_KEY: file }),
    /^ *GRPC_TLS_CERT: names/m,
  ],
  [
    'a file without PEM',
    (file) => ({ GRPC_TLS_CERT: file, GRPC_TLS_KEY: path.join(path.dirname(file), 'text') }),
    /^ *GRPC_TLS_KEY: names/m,
  ],
])('%s is refused by the name of the setting', (_, settings, message) => {
  const open = () => openGrpcTls({ TLS_RELOAD_MS: 10_000, ...settings(pem()) }, QUIET);
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(message);
});

test('without a certificate the port is without TLS', () => {
  expect(openGrpcTls({ TLS_RELOAD_MS: 10_000 }, QUIET)).toBeNull();
});

test.each([
  ['FINGERPRINT_KEY', { FINGERPRINT_KEY: 'short' }],
  ['FINGERPRINT_KEY_ACCEPTED', { FINGERPRINT_KEY_ACCEPTED: 'short' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://db' }],
  ['PROCESSOR_URL', { PROCESSOR_URL: 'processor' }],
  ['CALL_CREDENTIAL', { CALL_CREDENTIAL: '' }],
])('a wrong %s is refused, and its value is not shown', (name, change) => {
  const settings = {
    ...{ DATABASE_URL: 'postgres://db/adapter', PROCESSOR_URL: 'http://processor:80', CALL_CREDENTIAL: 'Bearer x' },
    ...{ FINGERPRINT_KEY: 'k'.repeat(32), ...change },
  };
  expect(() => readConfig(Config, settings)).toThrow(new RegExp(`^ *${name}: `, 'm'));
  const [value = ''] = Object.values(change);
  if (value !== '') expect(() => readConfig(Config, settings)).not.toThrow(`: ${value}`);
});
