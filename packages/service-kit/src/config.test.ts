import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { z } from 'zod';
import { ConfigError, configTable, databaseUrl, hostPorts, key32, milliseconds, port, readConfig } from './config.js';

const Config = z.object({
  DATABASE_URL: databaseUrl().describe('Where PostgreSQL is.'),
  PORT: port(3002).describe('Where health is served.'),
  EGRESS_ALLOW: hostPorts().describe('Targets that may be called | wherever they are.'),
  LANE_LEASE_MS: milliseconds(60_000).describe('How long a worker may hold a lane.'),
  ENCRYPTION_KEY: key32().optional().describe('Seals stored secrets.'),
});
const GOOD = { DATABASE_URL: 'postgres://me:hunter2@localhost:5432/pos' };

test('defaults are those of production', () => {
  const { DATABASE_URL, ...rest } = readConfig(Config, GOOD);
  expect(DATABASE_URL.reveal()).toBe(GOOD.DATABASE_URL);
  expect(rest).toEqual({ PORT: 3002, EGRESS_ALLOW: [], LANE_LEASE_MS: 60_000 });
});

test('what is set is read, and an empty text is not set', () => {
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

test('every bad setting is named at once, and no value is shown', () => {
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

test('a secret setting cannot be shown by accident', () => {
  const read = readConfig(Config, { ...GOOD, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
  const shown = `${JSON.stringify(read)} ${inspect(read, { depth: 9 })} ${String(read.DATABASE_URL)}`;
  expect(shown).not.toMatch(/hunter2|BwcH/);
  expect(read.ENCRYPTION_KEY?.reveal()).toHaveLength(44);
});

test('the table in the documents is printed from the schema', () => {
  expect(configTable(Config)).toMatchInlineSnapshot(`
   "| Setting | Default | Meaning |
   |---|---|---|
   | \`DATABASE_URL\` | required | Where PostgreSQL is. |
   | \`PORT\` | \`3002\` | Where health is served. |
   | \`EGRESS_ALLOW\` | none | Targets that may be called \\| wherever they are. |
   | \`LANE_LEASE_MS\` | \`60000\` | How long a worker may hold a lane. |
   | \`ENCRYPTION_KEY\` | none | Seals stored secrets. |"
  `);
});

test('a setting that does not say what it is for cannot be documented', () => {
  expect(() => configTable(z.object({ MUTE: port(1) }))).toThrow('the setting MUTE has no description');
});
