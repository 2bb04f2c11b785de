import { mkdtemp, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { type Client, openClient } from '@pos/rest-contracts/client';
import { putRestIntegration, putWsIntegration } from '@pos/rest-contracts/accounts';
import { cancelPaymentIntent, createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { listReferenceEposCalls, listEposEvents, replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { createSubscription, replayEvents } from '@pos/rest-contracts/webhooks';
import { startWorld, type DevWorld } from '../dev/world.js';
import type { SeededAccount } from '../dev/seed.js';
import { HookReceiver } from './hook-receiver.js';
import { waitUntil } from './stage.js';

// API, worker, gateway and EPOSes run as processes; the test checks what they send to each other.

type Fault = z.input<typeof replaceEposFaults.body>['faults'][number];

const MINUTES = 60_000;
const NOTIFIED_MS_MAX = 30_000;
const CREATED = 'payment_intent.created';
const UPDATED = 'payment_intent.status_updated';
const WAYS = ['rest', 'ws'] as const;

let world: DevWorld;
let receiver: HookReceiver;
let sandbox: Client;

beforeAll(async () => {
  world = await startWorld({
    dataDir: await mkdtemp('/var/tmp/pos-events-'),
    ports: 'free',
    durable: false,
    restaurants: 4,
    count: { 'epos-tester': 0, checkout: 0 },
    env: { '*': { WEBHOOK_BACKOFF_SCALE: '0.02', EPOS_CALL_LIMIT_MS: '2000' } },
  });
  receiver = await HookReceiver.open(world.receiverPorts[0] ?? 0, world.certificates);
  sandbox = openClient({ baseUrl: world.addresses.sandbox, apiKey: null });
}, 3 * MINUTES);

afterAll(async () => {
  await receiver.close();
  await world.remove();
}, 2 * MINUTES);

describe.each(WAYS)('an EPOS that registered its events over %s', (way) => {
  let account: SeededAccount;
  let api: Client;
  let params: { readonly accountId: string };

  beforeEach(() => {
    account = world.accounts.find(({ epos }) => epos.way === way)!;
    api = openClient({ baseUrl: world.addresses.api[0] ?? '', apiKey: account.keys.full });
    params = { accountId: account.accountId };
  });

  async function register(kinds: readonly string[], password = account.epos.password): Promise<void> {
    const capabilities = kinds.map((kind) => ({ name: `HandleEvent:${kind}`, version: 'v1' as const }));
    const auth = { authType: 'basic', basic: { username: account.epos.username, password } } as const;
    if (way === 'ws') await api(putWsIntegration, { body: { capabilities } });
    else await api(putRestIntegration, { body: { url: world.addresses.sandboxEpos, auth, capabilities } });
  }

  /** A payment that is created and cancelled; returns its events. */
  async function createAndCancel(): Promise<string[]> {
    const body = { amount: { value: 700, currencyCode: 'GBP' }, reference: 'given up' };
    const { id } = await api(createPaymentIntent, { body });
    await api(cancelPaymentIntent, { params: { paymentIntentId: id } });
    return [`${CREATED} ${id} Created`, `${UPDATED} ${id} Canceled`];
  }

  async function received(): Promise<{ readonly id: string; readonly says: string }[]> {
    const { events } = await sandbox(listEposEvents, { params });
    return events.map(({ id, event, data }) => ({
      id,
      says: 'paymentStatus' in data ? `${event} ${data.paymentIntentId} ${data.paymentStatus}` : event,
    }));
  }

  /** The answers to all attempts to deliver an event. */
  async function listAttempts(): Promise<string[]> {
    const { calls } = await sandbox(listReferenceEposCalls, { params });
    return calls.filter(({ method }) => method === 'HandleEvent').map((call) => `${call.transport} ${call.answered}`);
  }

  /** Runs the work, waits until its events have arrived, and returns them. */
  async function runAndReceive(work: () => Promise<readonly string[]>) {
    const before = { events: (await received()).length, attempts: (await listAttempts()).length };
    const wanted = await work();
    await waitUntil('the EPOS has the events', NOTIFIED_MS_MAX, async () => {
      const events = new Set((await received()).slice(before.events).map(({ says }) => says));
      return wanted.every((each) => events.has(each));
    });
    return {
      wanted,
      events: (await received()).slice(before.events),
      attempts: (await listAttempts()).slice(before.attempts),
    };
  }

  async function injectFault(fault: Fault): Promise<void> {
    await sandbox(replaceEposFaults, { params, body: { faults: [{ ...fault, method: 'HandleEvent' }] } });
  }

  test(
    'receives the events of each payment in order, over that transport and once',
    async () => {
      const { wanted, events, attempts } = await runAndReceive(async () => [
        ...(await createAndCancel()),
        ...(await createAndCancel()),
        ...(await createAndCancel()),
      ]);
      expect(events.map(({ says }) => says)).toEqual(wanted);
      expect(attempts).toEqual(wanted.map(() => `${way} ok`));
    },
    MINUTES,
  );

  test(
    'receives an event again after it has refused it twice',
    async () => {
      await injectFault({ effect: 'refuse', code: 'UnexpectedError', times: 2 });
      const { wanted, events, attempts } = await runAndReceive(createAndCancel);
      expect(events.map(({ says }) => says).sort()).toEqual([...wanted].sort());
      expect(attempts.filter((each) => each === `${way} UnexpectedError`)).toHaveLength(2);
      expect(attempts.filter((each) => each === `${way} ok`)).toHaveLength(2);
    },
    MINUTES,
  );

  test(
    'receives the same event again when its answer was lost',
    async () => {
      await injectFault({ effect: 'drop-stream', afterDoing: true, times: 1 });
      const { wanted, events } = await runAndReceive(async () => {
        const events = await createAndCancel();
        const [first = ''] = events;
        await waitUntil('the first is delivered twice', NOTIFIED_MS_MAX, async () => {
          return (await received()).filter(({ says }) => says === first).length === 2;
        });
        return events;
      });
      const repeats = events.filter(({ says }) => says === wanted[0]);
      expect(new Set(repeats.map(({ id }) => id)).size).toBe(1);
      expect(events.filter(({ says }) => says === wanted[1])).toHaveLength(1);
    },
    MINUTES,
  );

  test(
    'receives neither unregistered events nor the replay of a subscription',
    async () => {
      const from = new Date(Date.now() - 10 * MINUTES).toISOString();
      await register([UPDATED]);
      const { wanted, events } = await runAndReceive(async () => (await createAndCancel()).slice(1));
      expect(events.map(({ says }) => says)).toEqual(wanted);

      const url = receiver.url(account.accountId);
      const { id, secret } = await api(createSubscription, { body: { events: [CREATED, UPDATED], url } });
      receiver.addSecret(account.accountId, secret.value);
      const before = await received();
      const to = new Date().toISOString();
      await api(replayEvents, {
        params: { subscriptionId: id },
        body: { from, to, states: ['DeadLettered', 'Delivered', 'NotSubscribed'] },
      });
      const hooks = () => receiver.hooks.filter(({ accountId }) => accountId === account.accountId);
      const ids = new Set(before.map((each) => each.id));
      await waitUntil('the subscription receives all of it', NOTIFIED_MS_MAX, async () => {
        return [...ids].every((each) => hooks().some((hook) => hook.id === each));
      });
      expect(receiver.forgeries).toEqual([]);
      // The event of one more payment arrives after all events that the replay might have sent.
      const after = await runAndReceive(async () => (await createAndCancel()).slice(1));
      expect(await received()).toEqual([...before, ...after.events]);
    },
    MINUTES,
  );
});

test(
  'a replaced password is used from the next attempt on',
  async () => {
    const account = world.accounts.find(({ epos }) => epos.way === 'rest')!;
    const api = openClient({ baseUrl: world.addresses.api[0] ?? '', apiKey: account.keys.full });
    const register = (password: string) =>
      api(putRestIntegration, {
        body: {
          url: world.addresses.sandboxEpos,
          auth: { authType: 'basic', basic: { username: account.epos.username, password } },
          capabilities: [{ name: `HandleEvent:${CREATED}`, version: 'v1' }],
        },
      });
    const listEventIds = async (): Promise<string[]> => {
      const { events } = await sandbox(listEposEvents, { params: { accountId: account.accountId } });
      return events.flatMap(({ data }) => ('paymentStatus' in data ? [data.paymentIntentId] : []));
    };
    const failures = async (): Promise<number> => {
      const lines = (await readFile(world.app('webhook-worker').logFile, 'utf8')).split('\n');
      const about = lines.filter((line) => line.includes('epos_event.attempted') && line.includes(account.accountId));
      return about.filter((line) => !line.includes('"outcome":"accepted"')).length;
    };
    const before = await failures();
    await register('wrong');
    const { id } = await api(createPaymentIntent, {
      body: { amount: { value: 700, currencyCode: 'GBP' }, reference: 'not delivered at first' },
    });
    await waitUntil('the EPOS turns us away', NOTIFIED_MS_MAX, async () => (await failures()) > before);
    expect(await listEventIds()).not.toContain(id);
    await register(account.epos.password);
    await waitUntil('the EPOS has the event', NOTIFIED_MS_MAX, async () => (await listEventIds()).includes(id));
  },
  MINUTES,
);
