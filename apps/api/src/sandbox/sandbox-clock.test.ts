import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { Holds } from '@pos/payments/holds';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { SetupIntents } from '@pos/payments/setup-intents';
import { createTimerEffects } from '@pos/payments/timers';
import * as rest from '@pos/rest-contracts/terminal-sessions';
import { TimerQueue } from '@pos/store/queues';
import { createSetup } from '../testing/setup-requests.js';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

describe('the clock of a sandbox', () => {
  const KINDS = ['intent-expiry', 'setup-expiry', 'session-window'] as const;
  let scope: Scope;
  let key: string;
  let isWorking = true;
  let worker: Promise<void>;
  let acquirer: AcquirerClient;

  beforeAll(async () => {
    ({ scope, key } = await testEnvironment.createAccount());
    worker = work();
  });
  afterAll(async () => {
    isWorking = false;
    await worker;
    acquirer.close();
  });

  /** Runs this account's due timers, as a webhook worker does. No call to the acquirer is open here. */
  async function work(): Promise<void> {
    const { database } = testEnvironment.testDatabase;
    const queue = new TimerQueue(database);
    const accounts = new AccountCache();
    const settings = DEFAULT_PAYMENT_SETTINGS;
    acquirer = new AcquirerClient('127.0.0.1:1');
    const calls = new AcquirerCalls({ database, acquirers: { find: () => acquirer }, accounts, settings });
    const intentsOf = new PaymentIntents(accounts, settings);
    const effects = createTimerEffects({
      ...{
        database,
        queue,
        intents: intentsOf,
        setups: new SetupIntents(accounts, settings),
        sessions: testEnvironment.sessions,
        calls,
        settings,
        accounts,
        acquirers: { find: () => null },
      },
      holds: new Holds(settings),
    });
    while (isWorking) {
      const claimed = await queue.claim(scope, KINDS, { limit: 10, leaseMs: 60_000 });
      for (const timer of claimed) {
        const kind = KINDS.find((each) => each === timer.kind);
        if (kind !== undefined) await effects[kind](timer);
      }
      await pause(5);
    }
  }

  const advance = async (by: string) => {
    const answer = await testEnvironment.sendRequest('POST', '/sandbox/clock/advance', {
      key,
      headers: { version: null },
      body: { by },
    });
    expect(answer.status).toBe(200);
    return Date.parse(String(parseJson(answer)['now']));
  };
  const visible = async (id: string) =>
    parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}?returnCanceled=true`, { key }));

  test('moves forward and runs each timer at its own due time', async () => {
    const inMs = (at: number) => new Date(Date.parse(plain.createdAt) + at).toISOString();
    const plain = await testEnvironment.createIntent({ reference: 'plain' }, key);
    const soon = await testEnvironment.createIntent({ reference: 'soon', expireAt: inMs(3_600_000) }, key);
    const body = {
      terminalId: await testEnvironment.createTerminal({ scope }),
      details: { sessionType: 'Sale', sale: { paymentIntentId: plain.id } },
    } as const;
    const session = await testEnvironment.createClient(key)(rest.createTerminalSession, { body });

    const before = Date.parse(plain.createdAt);
    const noon = await advance('00:59:00');
    expect(noon - before).toBeGreaterThanOrEqual(59 * 60_000);
    expect((await visible(soon.id))['status']).toBe('Created');
    expect(
      parseJson(await testEnvironment.sendRequest('GET', `/terminal-sessions/${session.id}`, { key })),
    ).toMatchObject({
      status: 'Expired',
      updatedAt: expect.any(String) as unknown,
    });

    const later = await advance('01:00:00');
    expect(later - noon).toBeGreaterThanOrEqual(3_600_000);
    const ended = await visible(soon.id);
    expect(ended).toMatchObject({ status: 'Canceled', paymentEvents: [{ eventType: 'Canceled' }] });
    // The intent expired at its due time, not at the end of the advance.
    expect(Date.parse(String(ended['updatedAt'])) - Date.parse(soon.expireAt)).toBeLessThan(10 * 60_000);
    expect((await visible(plain.id))['status']).toBe('Created');
    expect(Date.parse((await testEnvironment.createIntent({}, key)).createdAt)).toBeGreaterThanOrEqual(later);
  });

  test('expires a setup intent, and its secret before that', async () => {
    const { id, createdAt } = await createSetup(testEnvironment, {}, key);
    const expireAt = new Date(Date.parse(createdAt) + 7_200_000).toISOString();
    const soon = await createSetup(testEnvironment, { expireAt }, key);
    const read = async (of: string) =>
      parseJson(await testEnvironment.sendRequest('GET', `/setup-intents/${of}`, { key }));
    expect(await read(id)).toHaveProperty('clientSessionSecret');
    await advance('01:00:00');
    expect(await read(id)).toMatchObject({ clientSessionSecretExpirationDate: '0001-01-01T00:00:00Z' });
    expect(await read(soon.id)).toMatchObject({ status: 'Created' });
    await advance('01:00:00');
    expect(await read(soon.id)).toMatchObject({ status: 'Expired', setupEvents: [] });
    expect(await read(id)).toMatchObject({ status: 'Created' });
  });

  // oxfmt-ignore
  test.each(['00:00:00', '366.00:00:01', '-00:00:01', 'PT1H', '1', 7, null])('is not advanced by %j', async (by) => {
    const answer = await testEnvironment.sendRequest('POST', '/sandbox/clock/advance', { key, body: { by } });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, ['by']]);
  });

  test('belongs to one account: the clock of another does not move', async () => {
    const other = await testEnvironment.createAccount();
    const { createdAt } = await testEnvironment.createIntent({}, other.key);
    await advance('02:00:00');
    const next = await testEnvironment.createIntent({}, other.key);
    expect(Date.parse(next.createdAt) - Date.parse(createdAt)).toBeLessThan(3_600_000);
  });
});
