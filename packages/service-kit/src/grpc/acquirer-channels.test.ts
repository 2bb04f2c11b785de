import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CertificateAuthority, writeFiles } from '../network/certificate-authority.js';
import { Secret } from '../config/secret.js';
import { ConfigError } from '../config/config.js';
import { openAcquirerChannels } from './acquirer-channels.js';
import { createLog } from '../telemetry/log.js';

const log = createLog({ app: 'test', level: 'silent', write: () => undefined });
const CREDENTIAL = 'a credential of an acquirer';
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-acquirers-'));
  const authority = await CertificateAuthority.create('acquirer');
  const client = await authority.issue({ names: ['api'] });
  const stranger = await authority.issue({ names: ['api'] });
  await writeFiles(folder, {
    ...{ 'ca.pem': authority.cert, 'client.pem': client.cert, 'client.key': client.key },
    ...{ 'stranger.key': stranger.key, credential: `${CREDENTIAL}\n`, short: 'short' },
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const file = (name: string): string => path.join(folder, name);

function describeAcquirer(name: string, more: object = {}) {
  return {
    ...{ name, environment: 'production', address: 'acquirer.example:443', credentialFile: file('credential') },
    tls: { ca: file('ca.pem'), cert: file('client.pem'), key: file('client.key') },
    ...more,
  };
}

async function openWith(content: unknown, settings: object = {}) {
  await writeFiles(folder, { 'acquirers.json': JSON.stringify(content) });
  return openAcquirerChannels({ ACQUIRERS_FILE: file('acquirers.json'), ...settings }, log);
}

test('the acquirers of the settings and of the file, each with its name, TLS and credential', async () => {
  const channels = await openWith(
    { acquirers: [describeAcquirer('north'), describeAcquirer('north', { environment: 'sandbox' })] },
    {
      ...{ ACQUIRER_ADDRESS: '127.0.0.1:50052', ACQUIRER_ADDRESS_PRODUCTION: 'bank.example:443' },
      ...{ ACQUIRER_TLS_CA_PRODUCTION: file('ca.pem'), ACQUIRER_CREDENTIAL_PRODUCTION: new Secret('of the default') },
    },
  );
  channels.close();
  const found = channels.targets.map(({ environment, name, address, credential }) => [
    `${environment} ${name} ${address}`,
    credential?.reveal() ?? null,
  ]);
  expect(found).toEqual([
    ['sandbox default 127.0.0.1:50052', null],
    ['production default bank.example:443', 'of the default'],
    ['production north acquirer.example:443', CREDENTIAL],
    ['sandbox north acquirer.example:443', CREDENTIAL],
  ]);
  expect(channels.targets.map(({ tls }) => tls._isSecure())).toEqual([false, true, true, true]);
});

// oxfmt-ignore
test.each<[string, () => unknown, string]>([
  ['no object', () => 'acquirers', 'ACQUIRERS_FILE: names no file with a JSON object'],
  ['no list', () => ({}), 'ACQUIRERS_FILE: acquirers: Invalid input: expected array'],
  ['no acquirer', () => ({ acquirers: [] }), 'ACQUIRERS_FILE: acquirers: Too small'],
  ['an unknown member', () => [describeAcquirer('a', { port: 1 })], 'ACQUIRERS_FILE: acquirers[0]: Unrecognized key: "port"'],
  ['a bad name', () => [describeAcquirer('North')], 'acquirers[0].name: is not 1 to 32 of a-z, 0-9 and -, a letter first'],
  ['the default name', () => [describeAcquirer('default')], 'acquirers[0].name: "default" is the acquirer of ACQUIRER_ADDRESS'],
  ['a bad environment', () => [describeAcquirer('a', { environment: 'test' })], 'acquirers[0].environment: Invalid option'],
  ['a bad address', () => [describeAcquirer('a', { address: 'north' })], 'acquirers[0].address: is not host:port'],
  ['a name twice', () => [describeAcquirer('a'), describeAcquirer('a')], 'acquirers[1].name: is the second "a" of production'],
  ['no credential', () => [describeAcquirer('a', { credentialFile: file('none') })], 'acquirers[0].credentialFile: names a file that cannot be read or has fewer than 16 characters'],
  ['a short credential', () => [describeAcquirer('a', { credentialFile: file('short') })], 'acquirers[0].credentialFile: names a file that cannot be read or has fewer than 16 characters'],
  ['no certificate', () => [describeAcquirer('a', { tls: { ca: file('credential') } })], 'acquirers[0].tls.ca: names a file that holds no certificate in PEM'],
  ['a key alone', () => [describeAcquirer('a', { tls: { key: file('client.key') } })], 'acquirers[0].tls.cert: is not set, and ACQUIRERS_FILE: acquirers[0].tls.key is'],
  ['the key of another', () => [describeAcquirer('a', { tls: { cert: file('client.pem'), key: file('stranger.key') } })], 'acquirers[0].tls.key: is not the key of the certificate in'],
  ['plain text off loopback', () => [describeAcquirer('a', { tls: {} })], 'acquirers[0].tls.ca: is not set, and ACQUIRERS_FILE: acquirers[0].address is not a loopback address'],
])('a file of acquirers is refused: %s', async (_, describeContent, problem) => {
  const content = describeContent();
  const opening = openWith(Array.isArray(content) ? { acquirers: content } : content);
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(problem);
});

test.each([
  [
    'a file that is not there',
    { ACQUIRERS_FILE: '/nowhere/acquirers.json' },
    'ACQUIRERS_FILE: names no file with a JSON object',
  ],
  [
    'plain text off loopback',
    { ACQUIRER_ADDRESS_PRODUCTION: 'acquirer.example:443' },
    'ACQUIRER_TLS_CA_PRODUCTION: is not set, and ACQUIRER_ADDRESS_PRODUCTION is not a loopback address',
  ],
  ['plain text off loopback in the sandbox', { ACQUIRER_ADDRESS: '10.0.0.1:443' }, 'ACQUIRER_TLS_CA: is not set'],
])('settings are refused: %s', (_, settings, problem) => {
  expect(() => openAcquirerChannels(settings, log)).toThrow(problem);
});
