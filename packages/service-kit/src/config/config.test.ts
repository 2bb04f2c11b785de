import { afterAll, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { z } from 'zod';
import { requireHttpsInProduction } from './plaintext-addresses.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ConfigError,
  formatConfigTable,
  databaseUrlSetting,
  hostPortSetting,
  hostPortListSetting,
  encryptionKeySetting,
  listSetting,
  millisecondsSetting,
  nodeEnvSetting,
  portSetting,
  readConfig,
  requireInProduction,
  secretSetting,
  requiredHostPortListSetting,
} from './config.js';

const Config = z.object({
  DATABASE_URL: databaseUrlSetting().describe('Where PostgreSQL is.'),
  PORT: portSetting(3002).describe('Where health is served.'),
  EGRESS_ALLOW: hostPortListSetting().describe('Targets that may be called | wherever they are.'),
  LANE_LEASE_MS: millisecondsSetting(60_000).describe('How long a worker may hold a lane.'),
  ENCRYPTION_KEY: encryptionKeySetting().optional().describe('Seals stored secrets.'),
});
const Address = z.object({ ACQUIRER_ADDRESS: hostPortSetting().describe('Where the acquirer is.') });
const GOOD = { DATABASE_URL: 'postgres://me:hunter2@localhost:5432/pos' };

test('defaults are those of production', () => {
  const { DATABASE_URL, ...rest } = readConfig(Config, GOOD);
  expect(DATABASE_URL.reveal()).toBe(GOOD.DATABASE_URL);
  expect(rest).toEqual({ PORT: 3002, EGRESS_ALLOW: [], LANE_LEASE_MS: 60_000 });
});

test('a set variable is read, and an empty text counts as not set', () => {
  const read = readConfig(Config, {
    ...GOOD,
    PORT: ' 80 ',
    LANE_LEASE_MS: '',
    EGRESS_ALLOW: 'localhost:8443, [::1]:9443 ,',
  });
  expect(read).toMatchObject({ PORT: 80, LANE_LEASE_MS: 60_000, EGRESS_ALLOW: ['localhost:8443', '[::1]:9443'] });
});

test.each([
  ['nothing set', {}, 'DATABASE_URL: is not set, and has no default'],
  [
    'an address of something else',
    { DATABASE_URL: 'https://me:hunter2@localhost/pos' },
    'DATABASE_URL: is not a postgres:// address',
  ],
  ['a port beyond the last', { ...GOOD, PORT: '65536' }, 'PORT: '],
  ['a port that is a word', { ...GOOD, PORT: 'http' }, 'PORT: '],
  ['half a millisecond', { ...GOOD, LANE_LEASE_MS: '0.5' }, 'LANE_LEASE_MS: '],
  ['no time at all', { ...GOOD, LANE_LEASE_MS: '0' }, 'LANE_LEASE_MS: '],
  ['a host without a port', { ...GOOD, EGRESS_ALLOW: 'localhost' }, 'EGRESS_ALLOW: is not a list of host:port'],
  ['a URL for a host', { ...GOOD, EGRESS_ALLOW: 'https://localhost:1' }, 'EGRESS_ALLOW: is not a list of host:port'],
  ['a short key', { ...GOOD, ENCRYPTION_KEY: 'aGVsbG8=' }, 'ENCRYPTION_KEY: is not 32 bytes in base64'],
])('%s stops the start and names the setting', (_, env, problem) => {
  expect(() => readConfig(Config, env)).toThrow(problem);
});

test.each(['acquirer.example:443', '10.0.0.7:50051', '[2001:db8::7]:50051'])('%s is one network address', (place) => {
  expect(readConfig(Address, { ACQUIRER_ADDRESS: place })).toEqual({ ACQUIRER_ADDRESS: place });
});

test.each([
  '::1:50051',
  '2001:db8::7:50051',
  '[::1]',
  'acquirer',
  'acquirer:',
  ':50051',
  'user@acquirer:1',
  'https://a:1',
])('%s is no unambiguous network address', (place) => {
  expect(() => readConfig(Address, { ACQUIRER_ADDRESS: place })).toThrow(
    'ACQUIRER_ADDRESS: is not host:port, with an IPv6 address in brackets',
  );
});

test('every invalid setting is named at once, and no value is printed', () => {
  const env = { DATABASE_URL: 'mysql://me:hunter2@x/', PORT: 'sixty' };
  try {
    readConfig(Config, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems).toHaveLength(2);
    expect(error.message).not.toMatch(/hunter2|sixty/);
    return;
  }
  throw new Error('the settings were taken');
});

test('a secret setting cannot be printed by accident', () => {
  const read = readConfig(Config, { ...GOOD, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
  const visible = `${JSON.stringify(read)} ${inspect(read, { depth: 9 })} ${String(read.DATABASE_URL)}`;
  expect(visible).not.toMatch(/hunter2|BwcH/);
  expect(read.ENCRYPTION_KEY?.reveal()).toHaveLength(44);
});

test('the table in the documents is generated from the schema', () => {
  expect(formatConfigTable(Config)).toMatchInlineSnapshot(`
   "| Setting | Default | Meaning |
   |---|---|---|
   | \`DATABASE_URL\`, \`DATABASE_URL_FILE\` | required | Where PostgreSQL is. |
   | \`PORT\` | \`3002\` | Where health is served. |
   | \`EGRESS_ALLOW\` | none | Targets that may be called \\| wherever they are. |
   | \`LANE_LEASE_MS\` | \`60000\` | How long a worker may hold a lane. |
   | \`ENCRYPTION_KEY\`, \`ENCRYPTION_KEY_FILE\` | none | Seals stored secrets. |"
  `);
});

test('a setting without a description cannot be documented', () => {
  expect(() => formatConfigTable(z.object({ MUTE: portSetting(1) }))).toThrow('the setting MUTE has no description');
});

const Served = z.object({
  CHECKOUT_BASE_URL: requireInProduction(z.url(), 'http://127.0.0.1:3006').describe('Where the payment page is.'),
  CHALLENGE_ORIGINS: requireInProduction(listSetting(), 'https:').describe('What may be framed.'),
  GATEWAYS: requireInProduction(requiredHostPortListSetting(), '127.0.0.1:50054').describe('The gateways.'),
  KEY_PEPPER: secretSetting(16).optional().describe('Keys hashes.'),
  HTTP_PORT: portSetting(3000).describe('Where it is served.'),
  SEED: z.string().optional().describe('Makes ids reproducible.'),
  NODE_ENV: nodeEnvSetting().describe('Where the process runs.'),
});
const PRODUCTION = { CHECKOUT_BASE_URL: 'https://pay.example', CHALLENGE_ORIGINS: 'https:', GATEWAYS: 'gateway:50054' };

test('addresses for development have no default in production', () => {
  expect(readConfig(Served, { NODE_ENV: 'development' })).toMatchObject({
    CHECKOUT_BASE_URL: 'http://127.0.0.1:3006',
    CHALLENGE_ORIGINS: ['https:'],
    GATEWAYS: ['127.0.0.1:50054'],
  });
  expect(readConfig(Served, PRODUCTION)).toMatchObject({ NODE_ENV: 'production', GATEWAYS: ['gateway:50054'] });
  for (const name of Object.keys(PRODUCTION)) {
    for (const env of [{ NODE_ENV: 'production' }, {}]) {
      const reading = () => readConfig(Served, { ...PRODUCTION, ...env, [name]: '' });
      expect(reading).toThrow(`  ${name}: is not set, and has no default in production`);
    }
  }
});

const Linked = z.object({
  COLLECTOR: requireHttpsInProduction(z.url({ protocol: /^https?$/ }).optional()).describe('Where traces go.'),
  PAGE: requireHttpsInProduction(requireInProduction(z.url(), 'http://127.0.0.1:3006')).describe('Where the page is.'),
  ORIGINS: requireHttpsInProduction(listSetting()).describe('What may be framed.'),
  NODE_ENV: nodeEnvSetting().describe('Where the process runs.'),
});

test.each([
  ['https://collector.example:4318', true],
  ['HTTPS://collector.example', true],
  ['http://127.0.0.1:4318', true],
  ['http://[::1]:4318', true],
  ['http://localhost:4318', true],
  ['http://collector.example:4318', false],
  ['HTTP://collector.example', false],
  ['http://10.0.0.1:4318', false],
  ['http://0.0.0.0:4318', false],
  ['http://[2001:db8::1]', false],
  ['http://localhost.example', false],
  ['http://localhost@collector.example', false],
])('%s as the address of a collector or a link of production: %s', (address, isAccepted) => {
  for (const name of ['COLLECTOR', 'PAGE', 'ORIGINS']) {
    const env = { PAGE: 'https://pay.example', [name]: name === 'ORIGINS' ? `https:, ${address}` : address };
    const problem = `${name}: must be https in production, except on loopback`;
    for (const reading of [
      () => readConfig(Linked, env),
      () => readConfig(Linked, { ...env, NODE_ENV: 'production' }),
    ]) {
      if (isAccepted) expect(reading).not.toThrow();
      else expect(reading).toThrow(problem);
    }
    expect(() => readConfig(Linked, { ...env, NODE_ENV: 'development' })).not.toThrow();
  }
});

test('the table of settings says which addresses must be https', () => {
  expect(formatConfigTable(Linked).match(/In production `https`, except on loopback\./g)).toHaveLength(3);
  // An app without NODE_ENV never counts as production.
  expect(formatConfigTable(Linked.omit({ NODE_ENV: true }))).not.toContain('In production');
});

test.each([
  ['production', { NODE_ENV: 'production' }],
  ['a process without NODE_ENV', {}],
])('a seed is refused in %s', (_, env) => {
  expect(() => readConfig(Served, { ...PRODUCTION, ...env, SEED: 'demo' })).toThrow('SEED: must not be set');
  expect(readConfig(Served, { NODE_ENV: 'development', SEED: 'demo' }).SEED).toBe('demo');
});

const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a secret is read from a file, without the final line end; other settings are not', () => {
  const file = fileWith('pepper', 'a pepper out of a file\n');
  const { KEY_PEPPER } = readConfig(Served, { ...PRODUCTION, KEY_PEPPER_FILE: file });
  expect(KEY_PEPPER?.reveal()).toBe('a pepper out of a file');
  expect(readConfig(Served, { ...PRODUCTION, HTTP_PORT_FILE: fileWith('port', '80') }).HTTP_PORT).toBe(3000);
  const { DATABASE_URL } = readConfig(Config, { DATABASE_URL_FILE: fileWith('url', GOOD.DATABASE_URL) });
  expect(DATABASE_URL.reveal()).toBe(GOOD.DATABASE_URL);
});

test.each([
  ['that is not there', 'missing', null, 'KEY_PEPPER_FILE: names a file that cannot be read'],
  ['that is empty', 'empty', ' \n', 'KEY_PEPPER_FILE: names a file that cannot be read or is empty'],
  ['with a secret that is too short', 'short', 'hunter2', 'KEY_PEPPER: '],
])('a file %s stops the start and names the setting', (_, name, text, problem) => {
  const file = text === null ? path.join(folder, name) : fileWith(name, text);
  const reading = () => readConfig(Served, { ...PRODUCTION, KEY_PEPPER_FILE: file });
  expect(reading).toThrow(`  ${problem}`);
  expect(reading).not.toThrow('hunter2');
});

test('a secret that is given twice stops the start', () => {
  const env = { ...PRODUCTION, KEY_PEPPER: 'a pepper of sixteen', KEY_PEPPER_FILE: fileWith('again', 'another') };
  expect(() => readConfig(Served, env)).toThrow('  KEY_PEPPER_FILE: is set, and KEY_PEPPER is set, too');
});

test('the table names the files of secrets, and the settings without a default in production', () => {
  expect(formatConfigTable(Served)).toContain(
    '| `KEY_PEPPER`, `KEY_PEPPER_FILE` | none | Keys hashes. At least 16 characters. |',
  );
  expect(formatConfigTable(Served)).toContain(
    '| `CHECKOUT_BASE_URL` | required; outside production `http://127.0.0.1:3006` |',
  );
});
