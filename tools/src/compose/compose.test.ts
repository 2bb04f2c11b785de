import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, createServer } from 'node:tls';
import { listSecretSettings, readConfig } from '@pos/service-kit/config';
import { loadSettingsSchemas } from '../docs/configuration.js';
import { IMAGE_APPS } from '../images/runtime-folder.js';
import { MANIFEST } from '../repository/repository-copy.js';
import { COMPOSE_FOLDER, readComposeFile, withDefaults } from '../substitutes/compose-file.js';

const SETUP = path.join(COMPOSE_FOLDER, 'setup/setup.js');
/** Settings of Node itself. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS'];
const DAY_MS = 24 * 60 * 60 * 1000;

const { services, volumes } = readComposeFile();
const apps = Object.entries(services).filter(([name]) => !['setup', 'database', 'migrate', 'admin'].includes(name));
/** The two services of the operator's command: one with the owner's login, and one with that of the apps. */
const commands = Object.entries(services).filter(([name]) => ['migrate', 'admin'].includes(name));
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'compose-'));
  runSetup(scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('compose.yaml', () => {
  test('runs every app, each from the image that the Dockerfile makes for it', () => {
    expect(apps.map(([name]) => name).sort()).toEqual(IMAGE_APPS.filter((app) => app !== 'admin'));
    for (const [service, { image, build }] of [...apps, ...commands]) {
      const isCommand = commands.some(([each]) => each === service);
      const name = isCommand ? 'admin' : service;
      expect([name, withDefaults(image)]).toEqual([name, `pos/${name}:${MANIFEST.version}`]);
      expect(build).toMatchObject({ context: '../..', dockerfile: 'deploy/docker/Dockerfile', args: { APP: name } });
      expect([name, build?.target]).toEqual([name, isCommand ? 'command' : undefined]);
    }
  });

  test('starts the apps on a migrated database, and the database with its certificate', () => {
    for (const [name, { depends_on: needs, restart, stop_grace_period: grace }] of apps) {
      expect([name, restart, grace]).toEqual([name, 'unless-stopped', '45s']);
      const first = name === 'sandbox' ? 'setup' : 'migrate';
      expect([name, needs]).toEqual([name, { [first]: { condition: 'service_completed_successfully' } }]);
    }
    expect(services['migrate']?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(services['database']?.depends_on).toEqual({ setup: { condition: 'service_completed_successfully' } });
  });

  test('gives each service the secrets of its own, and no other', () => {
    for (const [name, service] of Object.entries(services).filter(([each]) => each !== 'setup')) {
      expect([name, service.volumes.filter((each) => each.includes('-secrets'))]).toEqual([
        name,
        [`${name}-secrets:/run/pos:ro`],
      ]);
      expect(services['setup']?.volumes).toContain(`${name}-secrets:/services/${name}`);
    }
    const mounted = Object.values(services).flatMap((service) =>
      service.volumes.map((each) => each.split(':')[0] ?? ''),
    );
    expect([...new Set(mounted)].filter((each) => !each.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
    expect(services['setup']).toMatchObject({ network_mode: 'none', user: '0:0' });
  });

  test('names only settings that the app has, and no secret itself', async () => {
    const schemas = await loadSettingsSchemas();
    for (const [service, { environment }] of [...apps, ...commands]) {
      const app = commands.some(([each]) => each === service) ? 'admin' : service;
      const schema = schemas.get(app);
      if (schema === undefined) throw new Error(`there is no app ${app}`);
      const secrets = listSecretSettings(schema);
      const known = [...Object.keys(schema.shape), ...secrets.map((each) => `${each}_FILE`), ...OF_NODE];
      const unknown = Object.keys(environment).filter((each) => !known.includes(each));
      expect([service, unknown]).toEqual([service, []]);
      expect([service, Object.keys(environment).filter((each) => secrets.includes(each))]).toEqual([service, []]);
    }
  });

  test.each(apps)('%s accepts its settings in production, and its files exist', async (name, { environment }) => {
    const schema = (await loadSettingsSchemas()).get(name);
    if (schema === undefined) throw new Error(`there is no app ${name}`);
    const settings = Object.entries(environment).map(([setting, text]): [string, string] => [
      setting,
      placed(name, text),
    ]);
    const files = settings.filter(([, text]) => text.startsWith(scratch)).map(([, file]) => file);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(() => readConfig(schema, Object.fromEntries(settings))).not.toThrow();
  });
});

describe('setup', () => {
  test('gives every file to the user of its service alone', () => {
    for (const [name, { user }] of Object.entries(services).filter(([each]) => each !== 'setup')) {
      const folder = path.join(scratch, 'services', name);
      for (const file of readdirSync(folder)) {
        const { mode, uid } = statSync(path.join(folder, file));
        expect([file, mode & 0o777]).toEqual([file, 0o400]);
        if (process.getuid?.() === 0) expect([file, uid]).toEqual([file, Number(user.split(':')[0])]);
      }
    }
    const holders = readdirSync(path.join(scratch, 'services')).filter((name) => existsSync(file(name, 'VAULT_KEYS')));
    expect(holders).toEqual(['card-vault']);
  });

  test('changes nothing when it runs again', () => {
    const before = readAll(scratch);
    runSetup(scratch);
    expect(readAll(scratch)).toEqual(before);
  });

  test('replaces certificates that end soon or are of another authority, and keeps secrets', () => {
    const other = mkdtempSync(path.join(tmpdir(), 'compose-other-'));
    try {
      runSetup(other);
      const before = readAll(other);
      const foreign = readFileSync(file('api', 'internal.crt'));
      rmSync(path.join(other, 'services/api/internal.crt'), { force: true });
      writeFileSync(path.join(other, 'services/api/internal.crt'), foreign);
      runSetup(other);
      const changed = Object.entries(readAll(other))
        .filter(([name, text]) => before[name] !== text)
        .map(([name]) => name);
      expect(changed.sort()).toEqual(['services/api/internal.crt', 'services/api/internal.key']);
      const later = runSetup(other, new Date(new Date().getTime() + 61 * DAY_MS));
      const renewed = Object.entries(later)
        .filter(([name, text]) => before[name] !== text)
        .map(([name]) => name);
      expect(renewed.filter((name) => !/\.(crt|key)$/.test(name))).toEqual([]);
      expect(renewed.filter((name) => name.endsWith('.crt'))).toHaveLength(
        Object.keys(before).filter((name) => name.endsWith('.crt') && !name.endsWith('-ca.crt')).length,
      );
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  test('makes certificates that name the app, and only for their purpose', () => {
    const internal = new X509Certificate(readFileSync(file('api', 'internal-ca.crt')));
    const open = new X509Certificate(readFileSync(file('api', 'public-ca.crt')));
    for (const [name] of apps) {
      for (const kind of ['http', 'grpc', 'internal'].filter((each) => existsSync(file(name, `${each}.crt`)))) {
        const certificate = new X509Certificate(readFileSync(file(name, `${kind}.crt`)));
        const isInternal = kind === 'internal';
        expect([name, kind, certificate.checkHost(name), certificate.checkHost('other')]).toEqual([
          name,
          kind,
          name,
          undefined,
        ]);
        expect(certificate.checkHost('localhost')).toBe(isInternal ? undefined : 'localhost');
        expect(certificate.verify(internal.publicKey)).toBe(isInternal);
        expect(certificate.verify(open.publicKey)).toBe(!isInternal);
        expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', ...(isInternal ? ['1.3.6.1.5.5.7.3.2'] : [])]);
        expect(certificate.ca).toBe(false);
      }
    }
  });

  test.each([
    ['another app', 'webhook-worker', 'internal', true],
    ['a public certificate of an app', 'checkout', 'http', false],
  ])('a server of card-vault takes %s: %s %s %s', async (_who, service, kind, isTaken) => {
    const own = {
      key: readFileSync(file('card-vault', 'internal.key')),
      cert: readFileSync(file('card-vault', 'internal.crt')),
    };
    const ca = readFileSync(file('card-vault', 'internal-ca.crt'));
    const server = createServer(
      { ...own, ca, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' },
      (socket) => socket.end('welcome'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const client = {
        key: readFileSync(file(service, `${kind}.key`)),
        cert: readFileSync(file(service, `${kind}.crt`)),
      };
      const socket = connect({ port, host: '127.0.0.1', servername: 'card-vault', ca, ...client });
      const answer = new Promise<string>((resolve) => {
        socket.once('data', (data: Buffer) => resolve(data.toString()));
        socket.once('error', (error: Error) => resolve(error.message));
        socket.once('close', () => resolve('closed'));
      });
      expect((await answer) === 'welcome').toBe(isTaken);
      socket.destroy();
    } finally {
      server.close();
    }
  });
});

/** The path of a file of the service. */
function file(service: string, name: string): string {
  return path.join(scratch, 'services', service, name);
}

/** A setting with the files of this test in place of those of the container. */
function placed(service: string, text: string): string {
  return withDefaults(text).replace('/run/pos', path.join(scratch, 'services', service));
}

/** Runs the setup of compose.yaml, at another time if one is given, and returns all files that it has made. */
function runSetup(folder: string, at?: Date): Record<string, string> {
  const words = [SETUP, path.join(folder, 'services'), path.join(folder, 'kept')];
  const clock = at === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(movedClock(at))}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...clock, ...words], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/in place/);
  return readAll(folder);
}

function movedClock(at: Date): string {
  return `const Real = Date; globalThis.Date = class extends Real { constructor(...of) { super(...(of.length === 0 ? [${at.getTime()}] : of)); } };`;
}

function readAll(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry): [string, string] => {
      const place = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, place), readFileSync(place, 'utf8')];
    }),
  );
}
