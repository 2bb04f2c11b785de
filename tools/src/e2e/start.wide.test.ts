import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { getDevJsonPath } from '../dev/dev-json.js';
import { readWorldOptions } from '../dev/dev-settings.js';
import { DEFAULT_PORTS, LOOPBACK } from '../dev/ports.js';
import {
  forgetWorld,
  listLivingProcesses,
  buildOwnSettings,
  listTakenPorts,
  listProcesses,
  waitForReadyWorld,
  useTerminals,
} from '../dev/testing.js';
import { WORLD_APPS } from '../dev/world-apps.js';

const MINUTES = 60_000;
const open = useTerminals();
let settings: Record<string, string> & { DATA_DIR: string };

beforeAll(async () => {
  // In the long run the programs of `npm start`, which take longer to load; and card machines that are quick.
  const programs = process.env['LONG'] === '1' ? 'modules' : 'bundle';
  settings = { ...(await buildOwnSettings()), PROGRAMS: programs, SIMULATOR_TIME_SCALE: '10' };
});

afterAll(async () => {
  await forgetWorld(settings.DATA_DIR);
}, 2 * MINUTES);

test(
  'a world starts, prints its addresses, takes card payments at a table, restarts a crashed app, and leaves nothing behind on Ctrl-C',
  async () => {
    const terminal = open('dev/start.js', settings);
    const dev = await waitForReadyWorld(terminal, settings.DATA_DIR);
    expect(Object.keys(dev).sort()).toEqual(
      [
        'accountServer',
        'apiKey',
        'otherApiKey',
        'pciApiKey',
        'portal',
        'ready',
        'resellerId',
        'restaurants',
        'softwareHouseId',
        'tls',
        'urls',
      ].sort(),
    );
    expect(dev.urls.api).toBe(`http://127.0.0.1:${settings['API_PORT']}`);
    const answers = await Promise.all(dev.ready.map(async (url) => (await fetch(url)).status));
    expect(answers).toEqual(dev.ready.map(() => 200));
    const apps = listProcesses(settings.DATA_DIR);
    expect(dev.ready).toHaveLength(Object.keys(WORLD_APPS).length);
    expect(terminal.output).toContain(dev.apiKey);
    expect(terminal.output).toContain(`their keys are in ${getDevJsonPath(settings.DATA_DIR)}:`);

    const demo = open('demo/demo.js grpc-stream', settings);
    expect([await demo.end(), demo.output]).toEqual([0, expect.stringContaining('Every step held')]);

    expect(listLivingProcesses(apps)).toHaveLength(dev.ready.length);
    const [crashed = 0] = apps;
    process.kill(crashed, 'SIGKILL');
    await terminal.waitForOutput(
      /\S+ ended \(SIGKILL\) and is started again in 1 s; its log is .*\n {2}\S+ serves again/,
    );
    const now = listProcesses(settings.DATA_DIR);
    expect(now).not.toContain(crashed);
    expect(listLivingProcesses(now)).toHaveLength(dev.ready.length);

    expect(await terminal.end('SIGINT')).toBe(0);
    expect(listLivingProcesses(now)).toEqual([]);
    expect(await listTakenPorts(settings)).toEqual([]);
    expect(existsSync(getDevJsonPath(settings.DATA_DIR))).toBe(false);
    await expect(fetch(dev.urls.database.replace(/^.*@/, 'http://'))).rejects.toThrow();
  },
  3 * MINUTES,
);

test(
  'a port in use is printed with the setting that changes it',
  async () => {
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(Number(settings['SANDBOX_PORT']), LOOPBACK, resolve));
    const terminal = open('dev/start.js', settings);
    expect(await terminal.end()).toBe(1);
    expect(terminal.output.trim()).toBe(
      `Could not start. Port ${settings['SANDBOX_PORT']} for sandbox is taken by another program: ` +
        `stop that one, or set SANDBOX_PORT to another port.`,
    );
    await new Promise((resolve) => stranger.close(resolve));
  },
  MINUTES,
);

test('a setting that is refused stops the start, which names it', async () => {
  const terminal = open('dev/start.js', { ...settings, API_PORT: '70000' });
  expect(await terminal.end()).toBe(1);
  expect(terminal.output).toContain('Could not start. API_PORT ');
});

test.each([
  ['DATABASE_URL', 'mysql://here'],
  ['DATABASE_URL', 'postgres://me@here,/books'],
  ['DATABASE_URL', 'postgres://me@here/books?unknown=1'],
  ['EGRESS_ALLOW', 'https://example.com'],
  ['PROGRAMS', 'images'],
  ['WATCH', 'yes'],
  ['TLS', '1'],
  ['API_PORT', '70000'],
  ['API_PORT', 'http'],
  ['API_PORT', '0'],
])('%s=%s is refused with the name of the setting', (name, value) => {
  expect(() => readWorldOptions({ [name]: value })).toThrow(new RegExp(`^${name} `));
});

test('several database servers are accepted, with the parameters that the apps accept', () => {
  const url = 'postgres://me:secret@db1:5433,db2:5434/books?target_session_attrs=primary&sslmode=disable';
  expect(readWorldOptions({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test.each([
  ['without the setting', {}, 'modules'],
  ['by the setting', { PROGRAMS: 'bundle' }, 'bundle'],
])('the apps run what is chosen: %s', (_, env, programs) => {
  expect(readWorldOptions(env).programs).toBe(programs);
});

test('the ports that the README names are those of the documented architecture', () => {
  const ports = Object.fromEntries(Object.entries(DEFAULT_PORTS).map(([name, { port }]) => [name, port]));
  expect(ports).toEqual({
    api: 3000,
    cardVault: 3001,
    workerHealth: 3002,
    gatewayHttp: 3003,
    eposTester: 3004,
    sandboxControl: 3005,
    checkout: 3006,
    portal: 3007,
    receiver: 3008,
    sandboxEpos: 3009,
    gatewayGrpc: 50_051,
    sandboxGrpc: 50_052,
    cardVaultGrpc: 50_053,
    gatewayInternal: 50_054,
  });
});
