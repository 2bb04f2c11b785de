import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { LOOPBACK } from '../dev/ports.js';
import { forgetWorld, ownSettings, readyWorld, Terminal } from '../dev/testing.js';

const MINUTES = 60_000;
let settings: Record<string, string> & { DATA_DIR: string };
let world: Terminal;

beforeAll(async () => {
  settings = { ...(await ownSettings()), SIMULATOR_TIME_SCALE: '5' };
  world = new Terminal('dev/start.js', settings);
  await readyWorld(world, settings.DATA_DIR);
}, 3 * MINUTES);

afterAll(async () => {
  await world.end('SIGINT');
  await forgetWorld(settings.DATA_DIR);
}, 2 * MINUTES);

test(
  'the demo tells the payment of a table in two parts, and can be told again',
  async () => {
    for (const time of ['the first time', 'the second time']) {
      const demo = new Terminal('demo/demo.js', settings);
      expect([time, await demo.end(), demo.said]).toEqual([time, 0, expect.stringContaining('Every step held')]);
      expect(demo.said.match(/webhook +payment_intent\.status_updated +Captured/g)).toHaveLength(2);
      expect(demo.said.match(/It is on the bill\./g)).toHaveLength(2);
    }
  },
  3 * MINUTES,
);

test(
  'the demo stops at the first step that does not hold',
  async () => {
    const eposDown = { faults: [{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }] };
    const sandbox = `http://${LOOPBACK}:${settings['SANDBOX_PORT']}`;
    const { accounts } = (await (await fetch(`${sandbox}/accounts`)).json()) as { accounts: { accountId: string }[] };
    const faults = accounts.map(({ accountId }) => `${sandbox}/epos/${accountId}/faults`);
    const headers = { 'content-type': 'application/json' };
    for (const url of faults) await fetch(url, { method: 'PUT', headers, body: JSON.stringify(eposDown) });
    const demo = new Terminal('demo/demo.js', settings);
    expect(await demo.end()).toBe(1);
    expect(demo.said).toMatch(/The demo stopped: the payment is not on the bill: given back/);
    expect(demo.said).not.toContain('Every step held');
    for (const url of faults) await fetch(url, { method: 'DELETE' });
  },
  2 * MINUTES,
);

test('a restaurant that is not there is answered with those that are', async () => {
  const demo = new Terminal('demo/demo.js nowhere', settings);
  expect(await demo.end()).toBe(1);
  expect(demo.said).toMatch(/there is no restaurant nowhere, only oyster-shed, .*garden-room/);
});

test('the demo says that its receiver has no port', async () => {
  const stranger = createServer();
  await new Promise<void>((resolve) => stranger.listen(Number(settings['DEMO_RECEIVER_PORT']), LOOPBACK, resolve));
  const demo = new Terminal('demo/demo.js', settings);
  expect(await demo.end()).toBe(1);
  expect(demo.said).toContain('set DEMO_RECEIVER_PORT');
  await new Promise((resolve) => stranger.close(resolve));
});

test('without a running world the demo says how to get one', async () => {
  const demo = new Terminal('demo/demo.js', { ...settings, DATA_DIR: `${settings.DATA_DIR}-nowhere` });
  expect(await demo.end()).toBe(1);
  expect(demo.said).toContain('run npm start in another terminal');
});
