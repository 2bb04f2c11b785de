import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { pollUntil } from '../dev/testing.js';
import { findFreePorts } from '@pos/dev-database';
import { type FinishedCommand, recordConnections, runHere, RunningCommand } from './running-command.js';

const LIMIT_MS = 180_000;

type WorldSettings = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

/** The settings of the world that the scenarios run in. */
let settings: () => WorldSettings;
const running: RunningCommand[] = [];

function start(line: string): RunningCommand {
  const command = new RunningCommand(line, settings());
  running.push(command);
  return command;
}

/** Runs a command to its end. It connects to this machine only: it never calls home. */
async function pos(line: string, env: Readonly<Record<string, string>> = {}): Promise<FinishedCommand> {
  const { result, hosts } = await recordConnections(async () => runHere(line, { ...settings(), ...env }));
  expect(hosts.filter((host) => !['127.0.0.1', 'localhost'].includes(host))).toEqual([]);
  return result;
}

const readLines = (output: string): readonly Record<string, unknown>[] =>
  output
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** An account that no other scenario changes. */
async function createAccount(): Promise<string> {
  const { exitCode, output } = await pos('sandbox new');
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^throwaway-[0-9a-f]{8}\n$/)]);
  return output.trim();
}

/** The scenarios of `pos` in a running world. Call it in the file of tests that has started the world. */
export function describeCommandLine(of: () => WorldSettings): void {
  settings = of;
  afterEach(async () => {
    await Promise.all(running.splice(0).map((command) => command.end('SIGKILL')));
  });
  describe('pos trigger', describeTrigger);
  describe('pos listen', () => {
    describeForwarding();
    describeSubscriptions();
  });
  describe('pos sandbox', describeThrowawayAccounts);
  describe('pos in a running world', () => {
    describeSimulation();
    describeDiagnosis();
  });
}

function describeTrigger(): void {
  test.each([
    ['payment', 'Captured'],
    ['payment-challenge', 'Captured'],
    ['payment-declined', 'Created'],
    ['authorization', 'Authorized'],
    ['capture', 'Captured'],
    ['refund', 'Captured'],
    ['reversal', 'Reversed'],
    ['cancellation', 'Canceled'],
    ['no-show', 'Captured'],
    ['sale', 'Captured'],
    ['sale-signature', 'Captured'],
    ['sale-declined', 'Created'],
    ['sale-canceled', 'Created'],
  ])(
    'plays %s, whose payment is %s at the end',
    async (scenario, status) => {
      const { exitCode, output, error } = await pos(`trigger ${scenario} --with amount=2000 --json`);
      expect([exitCode, error]).toEqual([0, '']);
      const intents = readLines(output).filter(({ thing }) => thing === 'payment intent');
      expect(intents.at(-1)).toMatchObject({ state: status });
    },
    LIMIT_MS,
  );

  test('the ids that it prints can be read by pos api', async () => {
    const [created] = readLines((await pos('trigger cancellation --with amount=2000 --json')).output);
    const { output } = await pos(`api readPaymentIntent ${String(created?.['id'])} --query returnCanceled=true --json`);
    expect(readLines(output)).toMatchObject([{ status: 'Canceled', amount: { value: 2000, currencyCode: 'GBP' } }]);
  });

  test(
    'an amount that changes the outcome ends with 4, and with 0 where every end is accepted',
    async () => {
      const { exitCode, output } = await pos('trigger payment --with amount=1091');
      expect([exitCode, output]).toEqual([4, expect.stringContaining('ended in Created instead of Captured')]);
      expect(await pos('trigger payment --with amount=1091 --any-end')).toMatchObject({ exitCode: 0 });
    },
    LIMIT_MS,
  );

  test('an unknown machine is refused with those that exist', async () => {
    const { exitCode, error } = await pos('trigger sale --with tid=1');
    expect([exitCode, error]).toEqual([2, expect.stringContaining('must be one of 90000001, 90000002')]);
  });
}

/** An integrator's endpoint, which refuses the first requests. */
async function openReceiver(refusals: number) {
  const events: { readonly id: string; readonly event: string }[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests += 1;
      if (requests <= refusals) {
        response.writeHead(500).end('not today');
        return;
      }
      events.push(JSON.parse(body) as (typeof events)[number]);
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, events, close: () => server.close() };
}

function describeForwarding(): void {
  test(
    'forwards what happens, has refused deliveries repeated, and continues where it stopped',
    async () => {
      const receiver = await openReceiver(1);
      const account = await createAccount();
      const words = `listen --name shop --account ${account} --events payment_intent.status_updated --forward-to ${receiver.url}`;
      const first = start(words);
      await first.untilSays(/Ready: /);
      expect(await pos(`trigger payment --account ${account}`)).toMatchObject({ exitCode: 0 });
      await first.untilSays(/-> 500 in \d+ ms: not today/);
      expect(receiver.events).toEqual([]);
      expect(await pos(`clock advance 30s --account ${account}`)).toMatchObject({ exitCode: 0 });
      await first.untilSays(/attempt 2 -> 200/);
      expect(await first.end('SIGINT')).toBe(0);
      expect(first.output).toMatch(/1 accepted, 1 not accepted, 0 refused; 0 wait/);

      // Nobody listens: the service holds what happens.
      expect(await pos(`trigger refund --account ${account}`)).toMatchObject({ exitCode: 0 });
      expect((await pos(`events --account ${account}`)).output).toMatch(/payment_intent\.status_updated .*\(paused\)/);
      const second = start(`${words} --count 1`);
      expect(await second.end()).toBe(0);
      expect(second.error).toContain('1 deliveries waited, 0 had been given up');
      expect(receiver.events.map(({ event }) => event)).toEqual(Array(2).fill('payment_intent.status_updated'));
      receiver.close();
    },
    LIMIT_MS,
  );

  test(
    'a listener that was killed gets what was given up meanwhile',
    async () => {
      const account = await createAccount();
      const words = `listen --name killed --events payment_intent.created --account ${account}`;
      const killed = start(words);
      await killed.untilSays(/Ready: /);
      await killed.end('SIGKILL');
      expect(await pos(`trigger cancellation --account ${account}`)).toMatchObject({ exitCode: 0 });
      // More than all attempts take.
      expect(await pos(`clock advance 30d --account ${account}`)).toMatchObject({ exitCode: 0 });
      const failed = await pos(`doctor --account ${account}`);
      expect([failed.exitCode, failed.output]).toEqual([4, expect.stringContaining('1 deliveries that were given up')]);
      const next = start(`${words} --count 1 --delete`);
      expect(await next.end()).toBe(0);
      expect(next.error).toContain('0 deliveries waited, 1 had been given up');
      expect((await pos(`events --account ${account}`)).output).toMatch(/payment_intent\.created +nobody/);
    },
    LIMIT_MS,
  );
}

function describeSubscriptions(): void {
  test(
    'kinds that another subscription receives are not taken, and the free ones are named',
    async () => {
      const account = await createAccount();
      const first = start(`listen --name one --events payment_intent.created --account ${account} --delete`);
      await first.untilSays(/Ready: /);
      // Another port than that of the first listener, so that only the subscription decides.
      const [port] = await findFreePorts(1);
      const second = `listen --name two --events payment_intent.created --account ${account} --public-url https://shop.example --port ${port}`;
      const { exitCode, error } = await pos(second);
      expect(exitCode).toBe(2);
      expect(error).toMatch(/each kind of event goes to one subscription.*free are: payment_intent\.status_updated/s);
      expect(await first.end('SIGTERM')).toBe(0);
    },
    LIMIT_MS,
  );
}

function describeThrowawayAccounts(): void {
  test(
    'a run of CI has an account of its own, which is gone afterwards',
    async () => {
      const created = readLines((await pos('sandbox new --json')).output)[0] ?? {};
      const { name, apiKey, apiUrl } = created as Readonly<Record<'name' | 'apiKey' | 'apiUrl', string>>;
      const asIts = { POS_API_URL: apiUrl, POS_API_KEY: apiKey };
      expect(await pos(`trigger sale --account ${name}`)).toMatchObject({ exitCode: 0 });
      const words = `listen --name ci --events payment_intent.created --account ${name}`;
      const listener = start(`${words} --count 1`);
      await listener.untilSays(/Ready: /);
      expect(await pos('trigger cancellation', asIts)).toMatchObject({ exitCode: 0 });
      expect(await listener.end()).toBe(0);

      expect(await pos(`sandbox delete ${name}`)).toMatchObject({ exitCode: 0, output: `${name} is deleted\n` });
      await pollUntil(async () => (await pos('api listSubscriptions', asIts)).exitCode === 1, 'its key is accepted');
      expect((await pos('api listSubscriptions', asIts)).error).toContain('401 unauthenticated');
      expect(await pos(`trigger sale --account ${name}`)).toMatchObject({ exitCode: 2 });
      expect(await pos(`sandbox delete ${name}`)).toMatchObject({ exitCode: 2 });
    },
    LIMIT_MS,
  );

  test('a restaurant of npm start is not deleted', async () => {
    const { exitCode, error } = await pos('sandbox delete oyster-shed');
    expect([exitCode, error]).toEqual([2, expect.stringContaining('oyster-shed is no throw-away account')]);
    expect(await pos('events --account oyster-shed')).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['portal', /^http:\/\/127\.0\.0\.1:\d+$/, 'Portal'],
    ['machine', /\/machine\/90000001\?account=acc_/, 'Sandbox'],
    ['checkout', /\/checkout\/pi_sandbox_/, ''],
  ])('pos open %s prints an address that serves a page', async (page, address, title) => {
    const { exitCode, output } = await pos(`open ${page}`);
    expect([exitCode, output.trim()]).toEqual([0, expect.stringMatching(address)]);
    const answer = await fetch(output.trim());
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(title)]);
  });
}

function describeSimulation(): void {
  test('the simulated world can be read and broken', async () => {
    expect((await pos('tables')).output).toMatch(/0 of \d+ GBP paid/);
    expect((await pos('terminals list')).output).toMatch(/^90000001 Available/m);
    expect((await pos('terminals machines')).output).toMatch(/^90000004 decline +free/m);
    expect(await pos('terminals unplug 90000002 --seconds 5')).toMatchObject({ exitCode: 0 });
    expect((await pos('terminals machines')).output).toMatch(/^90000002 pin +off/m);
    expect(await pos('terminals plug 90000002')).toMatchObject({ exitCode: 0 });
    expect(await pos('terminals unplug 12345678')).toMatchObject({ exitCode: 1 });
    expect(await pos('sandbox reset')).toMatchObject({ exitCode: 0 });
  });

  test(
    'a payer taps a card, a card is declined, and the EPOS tester runs a flow',
    async () => {
      // The scenario before has switched it off.
      const isConnected = async () => /^90000002 pin +free/m.test((await pos('terminals machines')).output);
      await pollUntil(isConnected, 'the machine is not connected');
      expect((await pos('terminals tap 90000002')).output).toMatch(/terminal session .* Captured$/m);
      expect(await pos('terminals decline 90000002')).toMatchObject({ exitCode: 0 });
      expect((await pos('tester list')).output).toMatch(/^tables-pay-in-full /m);
      const run = await pos('tester run tables-pay-in-full --param gratuity=150');
      expect([run.exitCode, run.output]).toEqual([0, 'tables-pay-in-full: SUCCESS\n']);
      expect(run.error).toMatch(/^ {3}1 SUCCESS/m);
      expect(await pos('tester run no-such-flow')).toMatchObject({ exitCode: 2 });
    },
    LIMIT_MS,
  );
}

function describeDiagnosis(): void {
  test('the log of an app shows the request of a trace id that a refusal names', async () => {
    const { error } = await pos('api readPaymentIntent pi_unknown');
    const [, traceId = ''] = /trace id (00-[\w-]+)/.exec(error) ?? [];
    expect(traceId).not.toBe('');
    let lines: readonly Record<string, unknown>[] = [];
    await pollUntil(async () => {
      lines = readLines((await pos(`logs api --contains ${traceId} --json`)).output);
      return lines.length > 0;
    }, 'the log has no line of the request');
    expect(lines).toEqual(expect.arrayContaining([expect.objectContaining({ status: 404 })]));
    expect(await pos('logs nothing')).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('must be one of api'),
    });
  });

  test('doctor finds the service, the key, the clock and the machines in order', async () => {
    const { output } = await pos('doctor --json');
    const checks = readLines(output).filter(({ check }) => check !== 'subscriptions');
    expect(checks.map(({ check, isFine }) => [check, isFine])).toEqual([
      ['service', true],
      ['key', true],
      ['clock', true],
      ['terminals', true],
    ]);
  });

  test('a key that the service does not know is a fault, and no other check hides it', async () => {
    const file = readFileSync(path.join(settings().DATA_DIR, 'dev.json'), 'utf8');
    const { api } = (JSON.parse(file) as { readonly urls: { readonly api: string } }).urls;
    const { exitCode, output } = await pos('doctor', { POS_API_URL: api, POS_API_KEY: 'sk_sandbox_unknown' });
    expect(exitCode).toBe(4);
    expect(output).toMatch(/^fine +service/m);
    expect(output).toMatch(/^FAULT key +401 unauthenticated/m);
  });

  test('a connection to another host would be noticed', async () => {
    const { hosts } = await recordConnections(async () => {
      const socket = connect({ host: 'telemetry.invalid', port: 443 });
      await once(socket, 'close').catch(() => undefined);
    });
    expect(hosts).toEqual(['telemetry.invalid']);
  });

  test('without a running world the command names how to start one', async () => {
    const { exitCode, error } = await pos('events', { DATA_DIR: `${settings().DATA_DIR}-nowhere` });
    expect([exitCode, error]).toEqual([3, expect.stringContaining('run npm start')]);
  });
}
