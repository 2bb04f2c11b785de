import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createServerFolder, type EmbeddedPostgres, findDataDirectory, startPostgres } from '@pos/dev-database';
import pg from 'pg';
import { generate } from 'selfsigned';
import { connectDatabase } from '../startup/database-startup.js';
import { migrate } from '../migrations/migrate.js';
import { TEST_SECRETS } from '../testing/test-database.js';
import { buildLoginUrl, DatabaseServers, RoutedClient } from '@pos/postgres/connections';

const PASSWORDS = { appPassword: 'app password', vaultPassword: 'vault password' };
const YEAR_MS = 365 * 24 * 3_600_000;

interface Issued {
  readonly cert: string;
  readonly private: string;
}

let folder: string;
let server: EmbeddedPostgres;
let authority: Issued;
let other: Issued;

/** A certificate of an authority; without one it is an authority itself. */
async function issue(name: string, ca: Issued | null, host = 'localhost'): Promise<Issued> {
  const notBeforeDate = new Date(Date.now() - 60_000);
  return generate([{ name: 'commonName', value: name }], {
    ...{ keySize: 2048, algorithm: 'sha256', notBeforeDate, notAfterDate: new Date(Date.now() + YEAR_MS) },
    ...(ca !== null && { ca: { key: ca.private, cert: ca.cert } }),
    extensions:
      ca === null
        ? [
            { name: 'basicConstraints', cA: true, critical: true },
            { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
          ]
        : [
            { name: 'basicConstraints', cA: false },
            { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
            { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
            { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
          ],
  });
}

/** Writes a file of this test and returns its path, escaped for a URL. */
function put(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return encodeURIComponent(file);
}

async function asOwner(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Gives the server a certificate from now on. */
async function serve(issued: Issued): Promise<void> {
  const cluster = await findDataDirectory(server);
  const { uid, gid } = statSync(cluster);
  for (const [name, text] of [
    ['server.crt', issued.cert],
    ['server.key', issued.private],
    ['clients.crt', authority.cert],
  ] as const) {
    const file = path.join(cluster, name);
    writeFileSync(file, text, { mode: 0o600 });
    chownSync(file, uid, gid);
  }
  await asOwner(`alter system set ssl_ca_file = 'clients.crt'`, 'alter system set ssl = on', 'select pg_reload_conf()');
  // The server applies the change after it has answered.
  for (let tries = 0; tries < 100; tries += 1) {
    const state = await new Promise<string>((resolve) => {
      const client = new pg.Client({ connectionString: server.url, ssl: { rejectUnauthorized: false } });
      client.connect().then(
        () => {
          const socket = (client as unknown as { connection: { stream: { getPeerCertificate(): { raw: Buffer } } } })
            .connection.stream;
          resolve(socket.getPeerCertificate().raw.toString('base64'));
          void client.end();
        },
        () => resolve(''),
      );
    });
    if (state !== '' && issued.cert.replaceAll(/\s/g, '').includes(state)) return;
    await pause(20);
  }
  throw new Error('the server does not use its certificate');
}

/** Whether the connection is encrypted, for a connection with these parameters. */
async function connectWith(query: string): Promise<boolean> {
  const url = server.url.replace('127.0.0.1', 'localhost');
  const client = new RoutedClient({ servers: new DatabaseServers(`${url}?${query}`), connectionTimeoutMillis: 5_000 });
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  await client.end();
  return rows[0]?.ssl ?? false;
}

beforeAll(async () => {
  folder = createServerFolder('pos-tls-');
  server = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'remove' });
  authority = await issue('Authority', null);
  other = await issue('Other authority', null);
  await serve(await issue('localhost', authority));
  put('ca.pem', authority.cert);
  put('other.pem', other.cert);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => encodeURIComponent(path.join(folder, name));

test.each([
  ['sslmode=disable', () => '', false],
  ['sslmode=require', () => '', true],
  ['sslmode=require', () => `&sslrootcert=${file('ca.pem')}`, true],
  ['sslmode=verify-ca', () => `&sslrootcert=${file('ca.pem')}`, true],
  ['sslmode=verify-full', () => `&sslrootcert=${file('ca.pem')}`, true],
])('%s: a certificate of the authority for the host is accepted, encrypted: %s', async (mode, files, isEncrypted) => {
  expect(await connectWith(mode + files())).toBe(isEncrypted);
});

test.each([
  ['sslmode=require', () => `&sslrootcert=${file('other.pem')}`],
  ['sslmode=verify-ca', () => `&sslrootcert=${file('other.pem')}`],
  ['sslmode=verify-ca', () => ''],
  ['sslmode=verify-full', () => `&sslrootcert=${file('other.pem')}`],
  ['sslmode=verify-full', () => '&sslrootcert=system'],
])('%s: a certificate of another authority is refused, and the setting is named', async (mode, files) => {
  const url = `${buildLoginUrl(server.url.replace('127.0.0.1', 'localhost'), 'service_app', 'p')}?${mode}${files()}`;
  await expect(connectDatabase({ url, applicationName: 'tls', secrets: TEST_SECRETS })).rejects.toThrow(
    'DATABASE_URL: no TLS connection to the server',
  );
});

test('the name in the certificate counts in verify-full alone', async () => {
  await serve(await issue('elsewhere', authority, 'elsewhere.example'));
  const root = `&sslrootcert=${file('ca.pem')}`;
  expect(await connectWith(`sslmode=verify-ca${root}`)).toBe(true);
  await expect(connectWith(`sslmode=verify-full${root}`)).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  await serve(await issue('localhost', authority));
});

test('a replaced authority file counts for the next connection, and a broken one does not end the process', async () => {
  const root = put('rotated.pem', other.cert);
  const servers = new DatabaseServers(
    `${server.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${root}`,
  );
  await expect(new RoutedClient({ servers }).connect()).rejects.toThrow(/certificate/);
  put('rotated.pem', authority.cert);
  const accepted = new RoutedClient({ servers });
  await accepted.connect();
  await accepted.end();
  put('rotated.pem', 'half written');
  const beside = new RoutedClient({ servers });
  await beside.connect();
  await beside.end();
});

test('the service migrates and logs in with a certificate of its own, and not without', async () => {
  const cluster = await findDataDirectory(server);
  const client = await issue('service', authority);
  const [root, certificate, key] = [file('ca.pem'), put('client.pem', client.cert), put('client.key', client.private)];
  writeFileSync(
    path.join(cluster, 'pg_hba.conf'),
    'hostssl all postgres all scram-sha-256\nhostssl all all all scram-sha-256 clientcert=verify-ca\n',
  );
  await asOwner('select pg_reload_conf()');
  const ownerUrl = `${server.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${root}`;
  await migrate(ownerUrl, PASSWORDS);
  const appUrl = buildLoginUrl(ownerUrl, 'service_app', PASSWORDS.appPassword);
  const options = { applicationName: 'tls', secrets: TEST_SECRETS, requiresVerifiedServers: true };
  const database = await connectDatabase({ url: `${appUrl}&sslcert=${certificate}&sslkey=${key}`, ...options });
  await database.checkReady();
  await database.close();
  await expect(connectDatabase({ url: appUrl, ...options })).rejects.toThrow(
    'DATABASE_URL: the server refuses the login',
  );
});
