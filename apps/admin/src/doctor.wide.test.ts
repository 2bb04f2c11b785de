import { createServer, type Server, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Server as GrpcServer,
  type sendUnaryData,
  ServerCredentials,
  type ServerUnaryCall,
  status,
} from '@grpc/grpc-js';
import { AcquirerServiceService, Capabilities } from '@pos/grpc-contracts/acquirer';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { CertificateAuthority, writeFiles } from '@pos/service-kit/network';
import { requireAgreedSettings } from '@pos/store/testing';
import { schedule } from '@pos/store/queues';
import { generate } from 'selfsigned';
import { checkCertificates } from './doctor/certificate-checks.js';
import { checkClock } from './doctor/database-checks.js';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';
import { answerHealth, HEALTH_SERVICE } from './testing/health-service.js';
import { getInternalTls } from '@pos/service-kit/testing';
import { testEvery } from '@pos/testing';

let environment: CommandEnvironment;
let acquirer: GrpcServer;
let address: string;
/** The port of a card vault, which admits certificates of the tests only. */
let vault: GrpcServer;
let vaultAddress: string;
let folder: string;
/** A server that accepts connections and never speaks. */
let silent: Server;
const held: Socket[] = [];
/** Whether the card vault can decrypt the stored numbers; null: it does not report it. */
let canDecrypt: boolean | null = true;
beforeAll(async () => {
  environment = await createCommandEnvironment();
  acquirer = new GrpcServer();
  address = await listen(acquirer, ServerCredentials.createInsecure());
  vault = new GrpcServer();
  vault.addService(
    HEALTH_SERVICE,
    answerHealth(() => canDecrypt),
  );
  const files = getInternalTls('card-vault');
  const pair = { cert_chain: readFileSync(files.INTERNAL_TLS_CERT), private_key: readFileSync(files.INTERNAL_TLS_KEY) };
  vaultAddress = await listen(vault, ServerCredentials.createSsl(readFileSync(files.INTERNAL_TLS_CA), [pair], true));
  silent = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1');
  folder = mkdtempSync(path.join(tmpdir(), 'pos-doctor-'));
});
afterAll(async () => {
  acquirer.forceShutdown();
  vault.forceShutdown();
  silent.close();
  for (const socket of held) socket.destroy();
  rmSync(folder, { recursive: true });
  await environment.close();
});

async function listen(server: GrpcServer, credentials: ServerCredentials): Promise<string> {
  return `127.0.0.1:${await bindGrpcServer(server, '127.0.0.1:0', credentials)}`;
}

function examine(env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
  const reachable = {
    ACQUIRER_ADDRESS_PRODUCTION: address,
    CARD_VAULT_ADDRESS: vaultAddress,
    ...getInternalTls('admin'),
  };
  return environment.run(['doctor', ...flags], { ...reachable, ...env });
}

const NO_CERTIFICATE = { INTERNAL_TLS_CERT: '', INTERNAL_TLS_KEY: '', INTERNAL_TLS_CA: '' };

describe('doctor', () => {
  test('finds nothing at a service that works, and ends with 0', async () => {
    const { exitCode, output } = await examine();
    expect([exitCode, output.match(/^(problem|note)/gm)]).toEqual([0, null]);
    expect(output).toMatch(/^ok +database: PostgreSQL \d+.* as service_app; the schema works with this release$/m);
    expect(output).toMatch(
      /^ok +acquirer of production: 127\.0\.0\.1:\d+ answers, and declares nothing: it counts as able to do all but wallets$/m,
    );
    expect(output).toMatch(/^ok +clock: /m);
  });

  test('a connection off loopback without TLS is a problem, and a note where the network encrypts', async () => {
    const DATABASE_URL = environment.testDatabase.url.replace(/@[^:/]+:/, '@0.0.0.0:');
    const bare = await examine({ DATABASE_URL }, '--database');
    expect(bare.exitCode).toBe(1);
    expect(bare.output).toMatch(
      /^problem +database TLS: the connection to 0\.0\.0\.0:\d+ is not encrypted; add sslmode/m,
    );
    const byNetwork = await examine(
      { DATABASE_URL, DATABASE_TLS_BY_NETWORK: 'true', NODE_ENV: 'production' },
      '--database',
    );
    expect(byNetwork.output).toMatch(/^note +database TLS: .* is not encrypted by this process; make sure/m);
    expect(byNetwork.exitCode).toBe(0);
  });

  testEvery(3)([
    [
      'a database that is away',
      { DATABASE_URL: 'postgres://service_app:p@127.0.0.1:1/x' },
      /^problem +database: .*does not answer/m,
    ],
    ['another pepper', { KEY_PEPPER: 'another pepper for tests' }, /^problem +settings: KEY_PEPPER: is not the one/m],
    [
      'an acquirer that is away',
      { ACQUIRER_ADDRESS: '127.0.0.1:1' },
      /^problem +acquirer of sandboxes: 127.0.0.1:1 does not answer as an acquirer: 14 UNAVAILABLE/m,
    ],
    [
      'a vault that is away',
      { CARD_VAULT_ADDRESS: '127.0.0.1:1' },
      /^problem +card-vault: 127.0.0.1:1 does not answer/m,
    ],
    [
      'a gateway that is away',
      { GATEWAY_INTERNAL_ADDRESSES: '127.0.0.1:1' },
      /^problem +gateway: 127.0.0.1:1 does not answer/m,
    ],
    [
      'an acquirer off loopback without TLS',
      { ACQUIRER_ADDRESS: 'acquirer.example:443' },
      /^problem +acquirers: they cannot be called: ACQUIRER_TLS_CA: is not set, and ACQUIRER_ADDRESS is not a loopback/m,
    ],
    [
      'a list of acquirers that is missing',
      { ACQUIRERS_FILE: '/nowhere.json' },
      /^problem +acquirers: they cannot be called: ACQUIRERS_FILE: names no file/m,
    ],
    [
      'a vault without a certificate of its own',
      { CARD_VAULT_ADDRESS: 'vault.example:443', ...NO_CERTIFICATE },
      /^problem +card-vault: it cannot be checked: INTERNAL_TLS_CERT: is not set, and calls to CARD_VAULT_ADDRESS/m,
    ],
    [
      'certificates without authorities',
      { INTERNAL_TLS_CERT: '/nowhere.pem', INTERNAL_TLS_KEY: '/nowhere.key', INTERNAL_TLS_CA: '' },
      /^problem +ports: it cannot be checked: INTERNAL_TLS_CA: is not set/m,
    ],
    [
      'a certificate file that is missing',
      { INTERNAL_TLS_CERT: '/nowhere.pem' },
      /^problem +INTERNAL_TLS_CERT: .*cannot be read/m,
    ],
  ])('reports %s in one line with what to do, and ends with 1', async (_, env, line) => {
    const { exitCode, output, error } = await examine(env);
    expect([exitCode, error]).toEqual([1, '']);
    expect(output).toMatch(line);
    expect(output.split('\n').find((each) => line.test(each))).toMatch(/; .+/);
  });

  test.each([
    [true, 0, /^ok +card-vault: 127\.0\.0\.1:\d+ answers, and can decrypt the stored card numbers$/m],
    [
      false,
      1,
      /^problem +card-vault: .*cannot decrypt all stored card numbers; .*VAULT_KEYS; .*key service does not answer$/m,
    ],
    [null, 0, /^note +card-vault: .*does not report whether it can decrypt/m],
  ])('reports whether the card vault has the keys of what is stored: %s', async (answer, code, line) => {
    canDecrypt = answer;
    const { exitCode, output } = await examine();
    canDecrypt = true;
    expect([exitCode, output]).toEqual([code, expect.stringMatching(line)]);
  });

  test('reports a port that accepts connections and never speaks', async () => {
    const { port } = silent.address() as { readonly port: number };
    const { exitCode, output } = await examine({ CARD_VAULT_ADDRESS: `127.0.0.1:${port}` });
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^problem +card-vault/m)]);
  });

  test('with --database it checks the database, and calls nothing else', async () => {
    const { port } = silent.address() as { readonly port: number };
    const settings = { CARD_VAULT_ADDRESS: `127.0.0.1:${port}`, ACQUIRER_ADDRESS_PRODUCTION: '127.0.0.1:1' };
    const { exitCode, output } = await examine(settings, '--database');
    expect([exitCode, output.match(/^(problem|note)/gm)]).toEqual([0, null]);
    expect(output).toMatch(/^ok +database: PostgreSQL/m);
    expect(output).not.toMatch(/acquirer|card-vault|certificate/);
    const away = await examine({ DATABASE_URL: 'postgres://service_app:p@127.0.0.1:1/x' }, '--database');
    expect([away.exitCode, away.output]).toEqual([1, expect.stringMatching(/^problem +database: .*does not answer/m)]);
  });

  test('warns of a login that may do everything', async () => {
    const { exitCode, output } = await examine({ DATABASE_URL: environment.testDatabase.ownerUrl });
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^problem +database login: .*use service_app/m)]);
  });

  test('reports overdue deadlines, and a change of a setting that is not finished', async () => {
    const account = await environment.createAccount();
    const { database } = environment.testDatabase;
    await database.transact({ accountId: account as `acc_${string}`, environment: 'production' }, (tx) =>
      schedule(tx, { kind: 'retention', subject: 'late', dueInMs: -3_600_000 }),
    );
    await requireAgreedSettings(database.dataSource, {
      app: 'api',
      settings: { CHECKOUT_BASE_URL: 'https://a.example' },
    });
    const words = ['--name', 'CHECKOUT_BASE_URL', '--value', 'https://b.example', ...REASON];
    await environment.runJson(['agreed-settings', 'change', ...words]);
    const { exitCode, output } = await examine();
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^problem +deadlines: 1 are overdue, the oldest for 60 min; is webhook-worker running/m);
    expect(output).toMatch(/^note +settings: CHECKOUT_BASE_URL is being changed from https:\/\/a/m);
  });

  test('lists which apps did not start because of a setting, and a setting of its own that differs', async () => {
    const { dataSource } = environment.testDatabase.database;
    await requireAgreedSettings(dataSource, { app: 'api', settings: { ACQUIRER_CALL_PENDING_MS: '300000' } });
    const worker = { app: 'webhook-worker', settings: { ACQUIRER_CALL_PENDING_MS: '5' } };
    await expect(requireAgreedSettings(dataSource, worker)).rejects.toThrow('ACQUIRER_CALL_PENDING_MS');
    const { exitCode, output } = await examine({ ACQUIRER_CALL_PENDING_MS: '7' });
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^problem +settings: webhook-worker did not start at .*Z: its ACQUIRER_CALL_PENDING_MS is 5, and 300000 at the other processes \(api was the first\); set/m,
    );
    expect(output).toMatch(
      /^problem +settings: ACQUIRER_CALL_PENDING_MS is 7 for this command, and 300000 at the apps; /m,
    );
    await requireAgreedSettings(dataSource, { ...worker, settings: { ACQUIRER_CALL_PENDING_MS: '300000' } });
    expect((await examine()).output).not.toMatch(/^problem +settings/m);
  });
});

test('doctor and the pending list report acquirers that rows name and the settings do not', async () => {
  const account = await environment.createAccount();
  const call = (of: string, acquirer: string, state: string) =>
    environment.query(
      `insert into acquirer_calls (account_id, environment, merchant_id, acquirer, reference, kind, state, amount, currency,
         deadline_at, version, created_at, updated_at)
       values ($1, $2, 'merchant-1', $3, $4, 'Capture', $5, 100, 'GBP', now(), 1, now(), now())`,
      [account, of, acquirer, `${of} ${acquirer} ${state}`, state],
    );
  await call('production', 'north', 'Unknown');
  await call('production', 'default', 'Sent');
  await call('production', 'south', 'Settled');
  await call('sandbox', 'north', 'Unknown');
  await environment.query(
    `insert into uncompared_days (account_id, environment, acquirer, day, reason, problem, since)
     values ($1, 'production', 'north', current_date, 'BooksUnread', 'not configured', now())`,
    [account],
  );
  await environment.query(
    `update accounts set settings = settings || '{"acquirer": {"production": "west", "sandbox": "west"}}'
     where account_id = $1`,
    [account],
  );
  const { exitCode, output } = await examine();
  expect(exitCode).toBe(1);
  expect(output.match(/^problem +acquirer .*$/gm)).toEqual([
    expect.stringMatching(
      /^problem +acquirer north of production: it is not in the settings, and the database has 1 open calls, 1 days of books that were not read; add it again until/,
    ),
    expect.stringMatching(
      /^problem +acquirer west of production: it is not in the settings, and the database has 1 accounts that have chosen it; /,
    ),
    expect.stringMatching(
      /^problem +acquirer north of sandboxes: it is not in the settings, and the database has 1 open calls; /,
    ),
  ]);
  await environment.query(`update acquirer_calls set deadline_at = now() - interval '1 day'`);
  const pending = await environment.run(['pending', 'list', '--account', account, '--environment', 'production'], {
    ACQUIRER_ADDRESS_PRODUCTION: address,
  });
  expect(pending.output).toMatch(
    / the outcome of the call Capture to the acquirer north is not known; the settings do not name this acquirer$/m,
  );
  expect(pending.output).toMatch(/ the outcome of the call Capture to the acquirer default is not known$/m);
  await environment.query('delete from uncompared_days');
  await environment.query(`update acquirer_calls set state = 'Settled' where account_id = $1`, [account]);
  await environment.query(`update accounts set settings = settings - 'acquirer' where account_id = $1`, [account]);
});

describe('encrypted ports', () => {
  const CREDENTIAL = 'Bearer the credential of the service';
  let server: GrpcServer;
  let encrypted: string;
  const file = (name: string): string => path.join(folder, name);
  beforeAll(async () => {
    const authority = await CertificateAuthority.create('service');
    const [vault, admin, stranger] = await Promise.all([
      authority.issue({ names: ['card-vault'], addresses: ['127.0.0.1'] }),
      authority.issue({ names: ['admin'] }),
      (await CertificateAuthority.create('other')).issue({ names: ['admin'] }),
    ]);
    await writeFiles(folder, {
      ...{ 'ca.pem': authority.cert, 'admin.pem': admin.cert, 'admin.key': admin.key },
      ...{ 'stranger.pem': stranger.cert, 'stranger.key': stranger.key, credential: CREDENTIAL },
    });
    const names = { name: 'north', environment: 'production' };
    const tls = { ca: file('ca.pem'), cert: file('admin.pem'), key: file('admin.key') };
    server = new GrpcServer();
    server.addService(
      HEALTH_SERVICE,
      answerHealth(() => true),
    );
    server.addService(AcquirerServiceService, {
      getCapabilities: (call: ServerUnaryCall<unknown, object>, done: sendUnaryData<object>) => {
        if (call.metadata.get('authorization')[0] === CREDENTIAL)
          done(null, { capabilities: Capabilities.fromPartial({ adapterName: 'test' }) });
        else done({ code: status.UNAUTHENTICATED, details: 'no credential' });
      },
    });
    const pair = { cert_chain: Buffer.from(vault.cert), private_key: Buffer.from(vault.key) };
    const credentials = ServerCredentials.createSsl(Buffer.from(authority.cert), [pair], true);
    encrypted = `127.0.0.1:${await bindGrpcServer(server, '127.0.0.1:0', credentials)}`;
    const acquirers = [{ ...names, address: encrypted, tls, credentialFile: file('credential') }];
    await writeFiles(folder, { 'acquirers.json': JSON.stringify({ acquirers }) });
  });
  afterAll(() => {
    server.forceShutdown();
  });

  const internal = (who: string) => ({
    ...{ INTERNAL_TLS_CERT: file(`${who}.pem`), INTERNAL_TLS_KEY: file(`${who}.key`), INTERNAL_TLS_CA: file('ca.pem') },
    CARD_VAULT_ADDRESS: encrypted,
  });
  const ofProduction = (who: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ ACQUIRER_TLS_CERT_PRODUCTION: file(`${who}.pem`), ACQUIRER_TLS_KEY_PRODUCTION: file(`${who}.key`) },
    ...{ ACQUIRER_ADDRESS_PRODUCTION: encrypted, ACQUIRER_TLS_CA_PRODUCTION: file('ca.pem'), ...more },
  });

  test.each([
    ['card-vault', () => internal('admin'), /^ok +card-vault: 127\.0\.0\.1:\d+ answers, and can decrypt/m],
    ['card-vault', () => internal('stranger'), /^problem +card-vault: .* does not answer/m],
    ['card-vault', () => ({ CARD_VAULT_ADDRESS: encrypted }), /^problem +card-vault: .* does not answer/m],
    [
      'acquirer',
      () => ofProduction('admin', { ACQUIRER_CREDENTIAL_PRODUCTION: CREDENTIAL }),
      /^ok +acquirer of production: .* declares what it can do$/m,
    ],
    [
      'acquirer',
      () => ofProduction('admin'),
      /^problem +acquirer of production: .*: 16 UNAUTHENTICATED: no credential; /m,
    ],
    ['acquirer', () => ofProduction('stranger'), /^problem +acquirer of production: .*: 14 UNAVAILABLE/m],
    ['acquirer', () => ({ ACQUIRERS_FILE: file('acquirers.json') }), /^ok +acquirer north of production: .* declares/m],
  ])('%s is entered with the files and credential of the settings only', async (_, settings, line) => {
    expect((await examine(settings())).output).toMatch(line);
  });
});

describe('certificates', () => {
  const DAY_MS = 86_400_000;
  test.each([
    [3, 'problem', 'ends in 3 days'],
    [20, 'note', 'ends in 20 days'],
    [300, 'ok', 'ends in 300 days'],
    [-2, 'problem', 'has ended'],
  ])('one that ends in %s days is a %s', async (days, level, message) => {
    const now = new Date();
    const notAfterDate = new Date(now.getTime() + days * DAY_MS + DAY_MS / 2);
    const notBeforeDate = new Date(notAfterDate.getTime() - 400 * DAY_MS);
    const { cert } = await generate([{ name: 'commonName', value: 'api' }], { notBeforeDate, notAfterDate });
    const file = path.join(folder, `${level}-${days}.pem`);
    writeFileSync(file, cert);
    const findings = checkCertificates({ GRPC_TLS_CERT: file, GRPC_TLS_KEY: file, HOME: file }, now);
    expect(findings).toMatchObject([{ level, subject: 'GRPC_TLS_CERT', message: `the certificate CN=api ${message}` }]);
  });

  test('a file without a certificate is a problem', () => {
    const file = path.join(folder, 'empty.pem');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(checkCertificates({ EGRESS_CA_FILE: file }, new Date())).toMatchObject([{ level: 'problem' }]);
    writeFileSync(file, 'nothing');
    expect(checkCertificates({ EGRESS_CA_FILE: file }, new Date())).toMatchObject([{ level: 'problem' }]);
  });
});

test.each([
  [0, 'ok', 'agree'],
  [1_500, 'ok', 'agree'],
  [-1_500, 'ok', 'agree'],
  [10_000, 'problem', '10 s ahead of'],
  [-10_000, 'problem', '10 s behind'],
])('a database whose clock is %s ms ahead: %s', (aheadMs, level, message) => {
  const sentAt = new Date('2027-01-01T12:00:00Z');
  const databaseNow = new Date(sentAt.getTime() + aheadMs);
  expect(checkClock(databaseNow, { sentAt, receivedAt: sentAt })).toMatchObject({
    level,
    message: expect.stringContaining(message),
  });
});
