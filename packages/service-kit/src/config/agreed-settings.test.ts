import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { acquirerSettings } from './acquirer-settings.js';
import { readAgreedSettings } from './agreed-settings.js';
import { Secret } from './secret.js';
import { ConfigError } from './config.js';

const Settings = z.object({ ...acquirerSettings({ purpose: 'for tests' }), RUNNER_LEASE_MS: z.number() });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agreed-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Entry {
  readonly name: string;
  readonly environment: string;
  readonly address: string;
  readonly tls?: object;
  readonly credentialFile?: string;
}
const NORTH: Entry = { name: 'north', environment: 'production', address: 'north.example:8443' };
const EAST: Entry = { name: 'east', environment: 'sandbox', address: 'east.example:8443' };

async function read(name: string, acquirers: readonly Entry[]): Promise<string | undefined> {
  const file = path.join(folder, name);
  await writeFile(file, JSON.stringify({ acquirers }));
  return readAgreedSettings(Settings, { ACQUIRERS_FILE: file, RUNNER_LEASE_MS: 1 })['ACQUIRERS_FILE'];
}

test('a file of acquirers is compared by environment, name and address, in any order', async () => {
  const expected = 'production:north=north.example:8443,sandbox:east=east.example:8443';
  expect(await read('one.json', [NORTH, EAST])).toBe(expected);
  expect(await read('other-path.json', [EAST, NORTH])).toBe(expected);
});

test('where an app has its files is not compared, and no credential is shown', async () => {
  const credentialFile = path.join(folder, 'credential');
  await writeFile(credentialFile, 'Bearer the credential of the service');
  const north = { ...NORTH, tls: { ca: '/etc/north.pem' }, credentialFile };
  expect(await read('files.json', [north])).toBe('production:north=north.example:8443');
});

test.each([
  ['another address', [{ ...NORTH, address: 'north.example:8444' }, EAST]],
  ['another environment', [{ ...NORTH, environment: 'sandbox' }, EAST]],
  ['another name', [{ ...NORTH, name: 'south' }, EAST]],
  ['one more', [NORTH, EAST, { ...EAST, name: 'west' }]],
  ['one fewer', [NORTH]],
])('%s is another value', async (_, acquirers) => {
  expect(await read('changed.json', acquirers)).not.toBe(await read('first.json', [NORTH, EAST]));
});

test('a long list is compared by its fingerprint, which an operator can type', async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...NORTH, name: `north-${at}` }));
  const value = await read('many.json', many);
  expect(value).toMatch(/^60-acquirers:[0-9a-f]{16}$/);
  expect(await read('changed.json', [...many.slice(1), { ...NORTH, name: 'north-0', address: 'n:1' }])).not.toBe(value);
});

test('no file is the value `not set`, and a bad file is refused by its name', () => {
  expect(readAgreedSettings(Settings, { RUNNER_LEASE_MS: 1 })).toEqual({
    RUNNER_LEASE_MS: '1',
    ACQUIRERS_FILE: 'not set',
  });
  const bad = { ACQUIRERS_FILE: path.join(folder, 'missing.json') };
  expect(() => readAgreedSettings(Settings, bad)).toThrow(ConfigError);
});

const Keys = z.object({ PORTAL_KEY: z.instanceof(Secret).optional() });
const KEY = 'a key that two apps share, for tests';

test('a shared key is compared by a fingerprint that does not contain it, and another key has another one', () => {
  const { PORTAL_KEY: first } = readAgreedSettings(Keys, { PORTAL_KEY: new Secret(KEY) });
  expect(first).toMatch(/^fingerprint:[0-9a-f]{16}$/);
  expect(readAgreedSettings(Keys, { PORTAL_KEY: new Secret(KEY) })).toEqual({ PORTAL_KEY: first });
  const { PORTAL_KEY: other } = readAgreedSettings(Keys, { PORTAL_KEY: new Secret(`${KEY}.`) });
  expect(other).toMatch(/^fingerprint:/);
  expect(other).not.toBe(first);
});

test.each([
  ['does not have the key', Keys, {}],
  ['has no setting for it', z.object({}), { PORTAL_KEY: new Secret(KEY) }],
])('an app that %s compares nothing', (_, schema, config) => {
  expect(readAgreedSettings(schema, config)).toEqual({});
});
