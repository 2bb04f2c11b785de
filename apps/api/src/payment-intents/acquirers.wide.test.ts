import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import { Secret } from '@pos/service-kit/config';
import { CertificateAuthority, writeFiles } from '@pos/service-kit/network';
import { defineInLongRun, selectRows } from '@pos/testing';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';
import { TestAcquirer } from '../testing/test-acquirer.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);
const CREDENTIAL = 'a credential of an acquirer';
/** Longer than the settings of an account are cached. */
const SETTINGS_CACHED_MS = 2_100;

let folder: string;
let testEnvironment: ApiTestEnvironment;
/** An acquirer beside the default one, which wants a client certificate and a credential. */
let north: TestAcquirer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-acquirers-'));
  const authority = await CertificateAuthority.create('acquirer');
  const server = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
  const client = await authority.issue({ names: ['api'] });
  const stranger = await (await CertificateAuthority.create('stranger')).issue({ names: ['api'] });
  north = await TestAcquirer.open({
    credentials: ServerCredentials.createSsl(
      Buffer.from(authority.cert),
      [{ private_key: Buffer.from(server.key), cert_chain: Buffer.from(server.cert) }],
      true,
    ),
    credential: new Secret(CREDENTIAL),
  });
  await writeFiles(folder, {
    'ca.pem': authority.cert,
    ...{ 'client.pem': client.cert, 'client.key': client.key, credential: CREDENTIAL },
    ...{ 'stranger.pem': stranger.cert, 'stranger.key': stranger.key, wrong: 'the credential of another' },
  });
  await writeFiles(folder, {
    'acquirers.json': JSON.stringify({
      acquirers: [
        describeNorth('north'),
        describeNorth('north-untrusted', { tls: { ca: file('ca.pem') } }),
        describeNorth('north-stranger', {
          tls: { ca: file('ca.pem'), cert: file('stranger.pem'), key: file('stranger.key') },
        }),
        describeNorth('north-wrong', { credentialFile: file('wrong') }),
      ],
    }),
  });
  testEnvironment = await ApiTestEnvironment.open({ ACQUIRERS_FILE: file('acquirers.json') });
});
afterAll(async () => {
  await testEnvironment.close();
  north.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string): string => path.join(folder, name);

function describeNorth(name: string, more: object = {}) {
  return {
    ...{ name, environment: 'sandbox', address: north.address.replace('127.0.0.1', 'localhost') },
    tls: { ca: file('ca.pem'), cert: file('client.pem'), key: file('client.key') },
    ...{ credentialFile: file('credential'), ...more },
  };
}

async function chooseAcquirer(name: string): Promise<void> {
  await testEnvironment.queryRows(
    `update accounts set settings = settings || jsonb_build_object('acquirer', jsonb_build_object('sandbox', $2::text))
     where account_id = $1 returning account_id`,
    [testEnvironment.sandbox.accountId, name],
  );
  await pause(SETTINGS_CACHED_MS);
}

async function authorise(acquirer: TestAcquirer, more: Parameters<ApiTestEnvironment['createIntent']>[0] = {}) {
  const { id } = await testEnvironment.createIntent({ captureMode: 'Manual', ...more });
  await testEnvironment.approveSession((await testEnvironment.startSale(id)).id, { acquirer });
  const [row] = await testEnvironment.queryRows<{ reference: string }>(
    `select reference from acquirer_calls where intent_id = $1 and kind = 'Authorise'`,
    [id],
  );
  return { id, reference: row?.reference ?? '' };
}

function post(pathname: string, body?: unknown) {
  const headers = { idempotencyKey: randomUUID() };
  return testEnvironment.sendRequest('POST', pathname, { headers, ...(body !== undefined && { body }) });
}

describe('an account that moves to another acquirer', () => {
  test('settles what it has held with the acquirer that holds it', async () => {
    const held = await authorise(testEnvironment.acquirer);
    const toReverse = await authorise(testEnvironment.acquirer);
    expect((await post(`/payment-intents/${held.id}/captures`, { amount: 500 })).status).toBe(200);
    await chooseAcquirer('north');
    const moved = await authorise(north);

    expect((await post(`/payment-intents/${held.id}/captures`, { amount: 1_500 })).status).toBe(200);
    expect((await post(`/payment-intents/${held.id}/refunds`, { amount: 300 })).status).toBe(200);
    expect((await post(`/payment-intents/${toReverse.id}/reversal`)).status).toBe(200);
    expect((await post(`/payment-intents/${moved.id}/captures`, { amount: 2_000 })).status).toBe(200);

    expect(testEnvironment.acquirer.listBookings(held.reference)).toEqual([
      'Capture 500 Approved',
      'Capture 1500 Approved',
      'Refund 300 Approved',
    ]);
    expect(testEnvironment.acquirer.listBookings(toReverse.reference)).toEqual(['Reverse 2000 Approved']);
    expect(north.listBookings(moved.reference)).toEqual(['Capture 2000 Approved']);
    expect(north.simulator.acquirer.books.findCall(held.reference)).toBeNull();
    const rows = await testEnvironment.queryRows<{ acquirer: string; count: number }>(
      `select acquirer, count(*)::int as count from acquirer_calls where account_id = $1 group by 1 order by 1`,
      [testEnvironment.sandbox.accountId],
    );
    expect(rows).toEqual([
      { acquirer: 'default', count: 6 },
      { acquirer: 'north', count: 2 },
    ]);
  });

  const UNUSABLE = [
    ['south', 'acquirer_not_configured', 503],
    ['north-wrong', 'service_unavailable', 503],
    ['north-untrusted', 'service_unavailable', 503],
    ['north-stranger', 'service_unavailable', 503],
  ] as const;

  test.each(selectRows(UNUSABLE, ([, reason]) => reason))(
    'takes no payment with %s: %s',
    async (name, reason, status) => {
      await chooseAcquirer(name);
      const { id } = await testEnvironment.createIntent();
      const body = {
        terminalId: await testEnvironment.createTerminal(),
        details: { sessionType: 'Sale', sale: { paymentIntentId: id } },
      };
      const answer = await post('/terminal-sessions', body);
      expect([answer.status, parseProblem(answer).reason]).toEqual([status, reason]);
      const calls = await testEnvironment.queryRows('select from acquirer_calls where intent_id = $1', [id]);
      expect(calls).toEqual([]);
      await chooseAcquirer('default');
    },
  );

  test('a credential that the acquirer refuses, and a client without a certificate, are logged without secrets', () => {
    const unanswered = testEnvironment.logLines.filter((line) => line.includes('acquirer.capabilities_unanswered'));
    expect(unanswered.length).toBeGreaterThanOrEqual(3);
    expect(unanswered.join('\n')).toContain('"acquirer":"north-wrong"');
    expect(testEnvironment.logLines.join('\n')).not.toContain('the credential of another');
  });
});

describe('what the acquirer lacks is refused before money moves', () => {
  afterEach(() => testEnvironment.limitAcquirer());
  beforeAll(() => chooseAcquirer('default'));

  const whole = { amount: 2_000 };
  const capture = async (id: string, amount: number) => post(`/payment-intents/${id}/captures`, { amount });
  const held = async () => (await authorise(testEnvironment.acquirer)).id;
  const captured = () => testEnvironment.createIntentIn('Captured');
  const sell = async (intent: Parameters<ApiTestEnvironment['createIntent']>[0]) => {
    const { id } = await testEnvironment.createIntent(intent);
    const details = { sessionType: 'Sale', sale: { paymentIntentId: id } };
    return () =>
      testEnvironment.createTerminal().then((terminalId) => post('/terminal-sessions', { terminalId, details }));
  };
  const refundUnlinked = (amount: object) => async () => {
    const terminalId = await testEnvironment.createTerminal();
    const details = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount } };
    return post('/terminal-sessions', { terminalId, details });
  };

  // oxfmt-ignore
  const LACKS: readonly [string, string, CapabilityLimits, () => Promise<() => ReturnType<typeof post>>][] = [
    ['a capture of a part', 'partial_capture', { lacks: ['partial_capture'] }, async () => { const id = await held(); return () => capture(id, 500); }],
    ['a second capture', 'multiple_captures', { lacks: ['multiple_captures'] }, async () => { const id = await held(); await capture(id, 500); return () => capture(id, 1_500); }],
    ['a raise', 'incremental_authorisation', { lacks: ['incremental_authorisation'] }, async () => {
      const { id } = await authorise(testEnvironment.acquirer, { config: { payment: { customAmountAllowed: true, tipsAllowed: false } } });
      return () => post(`/payment-intents/${id}/amount`, { amount: { value: 2_500, currencyCode: 'GBP' } });
    }],
    ['a refund of a part', 'partial_refund', { lacks: ['partial_refund'] }, async () => { const id = await captured(); return () => post(`/payment-intents/${id}/refunds`, { amount: 1 }); }],
    ['a second refund', 'multiple_refunds', { lacks: ['multiple_refunds'] }, async () => { const id = await captured(); await post(`/payment-intents/${id}/refunds`, { amount: 1 }); return () => post(`/payment-intents/${id}/refunds`, { amount: 1_999 }); }],
    ['a refund that is too late', 'refund_window', { lacks: [], refundWindowMs: 0 }, async () => { const id = await captured(); return () => post(`/payment-intents/${id}/refunds`, whole); }],
    ['a reversal of what was taken', 'reversal_after_capture', { lacks: ['reversal_after_capture'] }, async () => { const id = await captured(); return () => post(`/payment-intents/${id}/reversal`); }],
    ['a refund without a payment', 'unreferenced_refund', { lacks: ['unreferenced_refund'] }, async () => refundUnlinked(GBP_20)],
    ['a currency of a refund', 'currencies', { lacks: [], currencies: ['EUR'] }, async () => refundUnlinked(GBP_20)],
    ['a currency of a sale', 'currencies', { lacks: [], currencies: ['EUR'] }, () => sell({})],
    ['a hold', 'separate_capture', { lacks: ['separate_capture'] }, () => sell({ captureMode: 'Manual' })],
    ['a telephone order', 'cardholder_not_present', { lacks: ['cardholder_not_present'] }, () => sell({ cardHolderNotPresent: true })],
  ];

  // Of each kind of request one, and each in the long run.
  test.each(selectRows(LACKS, ([says]) => says.split(' ')[1]))('%s: %s', async (_, capability, limits, prepare) => {
    const send = await prepare();
    await testEnvironment.limitAcquirer(limits);
    const before = await countCalls();
    const answer = await send();
    expect([answer.status, parseProblem(answer)]).toMatchObject([
      409,
      { reason: 'acquirer_lacks_capability', capability },
    ]);
    expect(await countCalls()).toBe(before);
  });

  test('what the acquirer can do continues, and what it declares later is possible again', async () => {
    const id = await held();
    await testEnvironment.limitAcquirer({ lacks: ['partial_capture', 'incremental_authorisation', 'partial_refund'] });
    expect((await capture(id, 1)).status).toBe(409);
    await testEnvironment.limitAcquirer();
    expect((await capture(id, 1)).status).toBe(200);
    const second = await held();
    await testEnvironment.limitAcquirer({ lacks: ['partial_capture', 'multiple_captures'] });
    const answer = await capture(second, 2_000);
    expect([answer.status, parseJson(answer)['message']]).toEqual([200, 'DEPOSITED']);
  });

  test('a started API refuses by what the acquirer declared before, while the acquirer is away', async () => {
    await testEnvironment.limitAcquirer({ lacks: ['unreferenced_refund'] });
    testEnvironment.acquirer.simulator.rules.replaceRules([{ match: {}, effect: 'down' }]);
    const another = await testEnvironment.startAnother({ ACQUIRERS_FILE: file('acquirers.json') });
    testEnvironment.acquirer.simulator.rules.replaceRules([]);
    const terminalId = await testEnvironment.createTerminal();
    const body = { terminalId, details: { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } } };
    const headers = { authorization: `Basic ${testEnvironment.keys.full}`, version: '2026-02-27' };
    const answer = await fetch(`${another.url}/terminal-sessions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'software-house-id': 's', 'reseller-id': 'r' },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ status: 409, capability: 'unreferenced_refund' });
    await another.close();
  });

  async function countCalls(): Promise<number> {
    const [row] = await testEnvironment.queryRows<{ count: number }>(
      'select count(*)::int as count from acquirer_calls where account_id = $1',
      [testEnvironment.sandbox.accountId],
    );
    return row?.count ?? 0;
  }
});

testLong('an acquirer that is down at the start takes payments soon after it is up', async () => {
  const reserved = await TestAcquirer.open();
  reserved.close();
  const { address } = reserved;
  const served = await ApiTestEnvironment.open({ ACQUIRER_ADDRESS_PRODUCTION: address });
  let late: TestAcquirer | null = null;
  try {
    const terminalId = await served.createTerminal({ scope: served.production });
    const body = { terminalId, sessionType: 'UnlinkedRefund', amount: GBP_20 };
    const refund = async (): Promise<number> =>
      (await served.sendRequest('POST', '/terminal-sessions', { key: served.keys.production, body })).status;
    expect(await refund()).toBe(503);
    late = await TestAcquirer.open({ address });
    let status = await refund();
    while (status === 503) {
      await pause(100);
      status = await refund();
    }
    expect(status).toBe(200);
    const unanswered = served.logLines.filter((line) => line.includes('"acquirer.capabilities_unanswered"'));
    expect(unanswered).toHaveLength(1);
  } finally {
    await served.close();
    late?.close();
  }
});
