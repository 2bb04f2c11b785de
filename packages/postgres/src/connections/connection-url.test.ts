import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTlsOptions } from './client-tls.js';
import { buildLoginUrl, describeTarget, parseConnectionUrl, requireVerifiedServers } from './connection-url.js';

const folder = mkdtempSync(path.join(tmpdir(), 'pos-url-'));
const pem = (name: string, kind: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, `-----BEGIN ${kind}-----\nMA==\n-----END ${kind}-----\n`);
  return encodeURIComponent(file);
};
const CA = pem('ca.pem', 'CERTIFICATE');
const CERTIFICATE = pem('client.pem', 'CERTIFICATE');
const KEY = pem('client.key', 'PRIVATE KEY');

process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

test('several servers, a login with special characters, and every parameter are read', () => {
  const url = parseConnectionUrl(
    'postgres://us%40er:p%3Aw@db1.example:5433,db2.example,[fd00::1]:6000/books?target_session_attrs=primary&connect_timeout=3&options=-c%20jit%3Doff',
  );
  expect(url).toEqual({
    servers: [
      { host: 'db1.example', port: 5433 },
      { host: 'db2.example', port: 5432 },
      { host: 'fd00::1', port: 6000 },
    ],
    user: 'us@er',
    password: 'p:w',
    database: 'books',
    sessionAttributes: 'primary',
    tls: null,
    connectTimeoutMs: 3_000,
    serverOptions: '-c jit=off',
  });
  expect(describeTarget(url)).toEqual({ host: 'db1.example:5433,db2.example:5432,[fd00::1]:6000', database: 'books' });
});

test.each([
  ['postgres://me@h/d', [{ host: 'h', port: 5432 }]],
  ['postgresql://me@h:1/d', [{ host: 'h', port: 1 }]],
  ['postgres://me@%2Fvar%2Frun%2Fpostgresql/d', [{ host: '/var/run/postgresql', port: 5432 }]],
  ['postgres://me@/d?host=/var/run/postgresql&port=5433', [{ host: '/var/run/postgresql', port: 5433 }]],
  ['postgres://me:p@ss@h/d', [{ host: 'h', port: 5432 }]],
])('%s names its servers', (url, servers) => {
  expect(parseConnectionUrl(url).servers).toEqual(servers);
});

test('a URL without a database or attributes means the database of the user, and servers that accept writes', () => {
  expect(parseConnectionUrl('postgres://me:p@h')).toMatchObject({ database: 'me', sessionAttributes: 'read-write' });
});

test.each([
  ['another scheme', 'mysql://me:hunter2@h/d', 'is not postgres://'],
  ['no scheme', 'me:hunter2@h/d', 'is not postgres://'],
  ['a fragment', 'postgres://me:hunter2@h/d#x', 'is not postgres://'],
  ['no host', 'postgres://me:hunter2@/d', 'host: is missing'],
  ['an empty host in a list', 'postgres://me:hunter2@h1,,h2/d', 'host: is missing'],
  ['a port that is a word', 'postgres://me:hunter2@h:x/d', 'host: is not host:port'],
  ['two ports', 'postgres://me:hunter2@h:1:2/d', 'host: is not host:port'],
  ['a port beyond the last', 'postgres://me:hunter2@h:65536/d', 'port: is not between 1 and 65535'],
  ['port zero', 'postgres://me:hunter2@h1:1,h2:0/d', 'port: is not between 1 and 65535'],
  ['an IPv6 address without brackets', 'postgres://me:hunter2@fd00::1/d', 'host: is not host:port'],
  ['a server twice', 'postgres://me:hunter2@h,h:5432/d', 'host: one server is named twice'],
  [
    'seventeen servers',
    `postgres://me:hunter2@${Array.from({ length: 17 }, (_, n) => `h${n}`).join()}/d`,
    'host: there are more than 16',
  ],
  ['a host twice', 'postgres://me:hunter2@h/d?host=/tmp', 'host: is given before the database and as a parameter'],
  ['a broken password', 'postgres://me:hunter2%@h/d', 'password: has a percent sign'],
  ['a broken user', 'postgres://%zz:hunter2@h/d', 'user: has a percent sign'],
  ['a broken database', 'postgres://me:hunter2@h/%d', 'database: has a percent sign'],
  [
    'an unknown parameter',
    'postgres://me:hunter2@h/d?ssl=true',
    'has an unknown parameter; the known ones are sslmode',
  ],
  ['a parameter twice', 'postgres://me:hunter2@h/d?sslmode=disable&sslmode=require', 'sslmode: is given twice'],
  ['an empty parameter', 'postgres://me:hunter2@h/d?sslmode=', 'sslmode: is empty'],
  [
    'a mode that falls back to no TLS',
    'postgres://me:hunter2@h/d?sslmode=prefer',
    'sslmode: is none of disable, require',
  ],
  [
    'a standby',
    'postgres://me:hunter2@h/d?target_session_attrs=standby',
    'target_session_attrs: is none of read-write, primary, any',
  ],
  ['no time to connect', 'postgres://me:hunter2@h/d?connect_timeout=0', 'connect_timeout: is not between 1 and 300'],
  [
    'a time that is a word',
    'postgres://me:hunter2@h/d?connect_timeout=soon',
    'connect_timeout: is not between 1 and 300',
  ],
  ['an authority without TLS', `postgres://me:hunter2@h/d?sslrootcert=${CA}`, 'sslrootcert: needs sslmode=verify-full'],
  [
    'an authority with TLS disabled',
    `postgres://me:hunter2@h/d?sslmode=disable&sslrootcert=${CA}`,
    'sslrootcert: needs sslmode=verify-full',
  ],
  [
    'a file that is not there',
    'postgres://me:hunter2@h/d?sslmode=verify-full&sslrootcert=/no/such',
    'sslrootcert: names a file that cannot be read',
  ],
  [
    'a key in place of the authority',
    `postgres://me:hunter2@h/d?sslmode=verify-full&sslrootcert=${KEY}`,
    'sslrootcert: names a file without a certificate',
  ],
  [
    'a certificate in place of the key',
    `postgres://me:hunter2@h/d?sslmode=verify-full&sslcert=${CERTIFICATE}&sslkey=${CERTIFICATE}`,
    'sslkey: names a file without a private key',
  ],
  [
    'a certificate without its key',
    `postgres://me:hunter2@h/d?sslmode=verify-full&sslcert=${CERTIFICATE}`,
    'sslkey: must be given with the other',
  ],
  [
    'a key without its certificate',
    `postgres://me:hunter2@h/d?sslmode=verify-full&sslkey=${KEY}`,
    'sslcert: must be given with the other',
  ],
])('%s is refused with the part, and no secret', (_, url, problem) => {
  const parse = () => parseConnectionUrl(url);
  expect(parse).toThrow(`DATABASE_URL: ${problem}`);
  expect(parse).not.toThrow('hunter2');
});

test.each([
  ['sslmode=require', false, false],
  [`sslmode=require&sslrootcert=${CA}`, true, false],
  ['sslmode=verify-ca', true, false],
  ['sslmode=verify-full', true, true],
  [`sslmode=verify-full&sslrootcert=${CA}`, true, true],
  ['sslmode=verify-full&sslrootcert=system', true, true],
])('%s: the chain is verified %s, the name %s', (query, verifiesChain, verifiesName) => {
  const { tls } = parseConnectionUrl(`postgres://me@h/d?${query}`);
  const options = readTlsOptions(tls!);
  expect(options.rejectUnauthorized).toBe(verifiesChain);
  expect(options.checkServerIdentity === undefined).toBe(verifiesName);
});

test.each([
  ['postgres://me@127.0.0.1/d', true],
  ['postgres://me@localhost,[::1]/d', true],
  ['postgres://me@%2Ftmp/d', true],
  ['postgres://me@%2Ftmp/d?sslmode=disable', true],
  ['postgres://me@127.0.0.1/d?sslmode=require', true],
  ['postgres://me@db.example/d?sslmode=verify-full', true],
  [`postgres://me@127.0.0.1,db.example/d?sslmode=verify-full&sslrootcert=${CA}`, true],
  ['postgres://me@db.example/d', false],
  ['postgres://me@db.example/d?sslmode=disable', false],
  ['postgres://me@db.example/d?sslmode=require', false],
  [`postgres://me@db.example/d?sslmode=require&sslrootcert=${CA}`, false],
  [`postgres://me@db.example/d?sslmode=verify-ca&sslrootcert=${CA}`, false],
  ['postgres://me@127.0.0.1,10.0.0.1/d?sslmode=require', false],
  ['postgres://me@[2001:db8::1]/d?sslmode=require', false],
  ['postgres://me@127.0.0.1,10.0.0.1/d', false],
  ['postgres://me@127.evil.example/d', false],
])('in production %s is accepted: %s', (url, isAccepted) => {
  const check = () => {
    requireVerifiedServers(parseConnectionUrl(url));
  };
  if (isAccepted) expect(check).not.toThrow();
  else expect(check).toThrow('DATABASE_URL: sslmode: must be verify-full for a server on another machine');
});

test('the URL of another login keeps everything else', () => {
  const url = buildLoginUrl('postgres://a:b@h1:1,h2:2/d?sslmode=disable', 'service_app', 'p@ss:/w');
  expect(url).toBe('postgres://service_app:p%40ss%3A%2Fw@h1:1,h2:2/d?sslmode=disable');
  expect(parseConnectionUrl(url)).toMatchObject({ user: 'service_app', password: 'p@ss:/w' });
  expect(buildLoginUrl('postgres://h/d', 'me', 'x')).toBe('postgres://me:x@h/d');
});
