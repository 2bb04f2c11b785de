import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { putEposIntegration } from '@pos/store/repositories';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';
import { createPendingPayment } from '../testing/operator-requests.js';
import { NAMES_TO_REGISTER, REFUSED_EVENTS, REFUSED_REGISTRATIONS } from '../testing/epos/epos-refusal-cases.js';
import { GRPC_EPOS, REST_EPOS, WS_EPOS } from '../testing/epos/epos-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const REST_PATH = '/epos/integrations/rest';
const WS_PATH = '/epos/integrations/ws';
const GRPC_PATH = '/epos/integrations/grpc';
const readText = async (path: string, key: string) => (await testEnvironment.sendRequest('GET', path, { key })).text;
const readList = async (path: string, key: string) =>
  JSON.parse(await readText(path, key)) as Record<string, unknown>[];

describe('a registration with an invalid member is refused by the member’s name, and changes nothing', () => {
  test.each(REFUSED_REGISTRATIONS)('%s', async (_, path, body, member) => {
    const { key } = await testEnvironment.createAccount();
    for (const [where, good] of [
      [REST_PATH, REST_EPOS],
      [WS_PATH, WS_EPOS],
      [GRPC_PATH, GRPC_EPOS],
    ] as const) {
      expect((await testEnvironment.sendRequest('PUT', where, { key, body: good })).status).toBe(200);
    }
    const before = await readText('/epos/integrations', key);
    const answer = await testEnvironment.sendRequest('PUT', path, { key, body });
    expect(answer.status).toBe(400);
    expect(Object.keys(parseProblem(answer).errors)).toContain(member);
    expect(answer.text).not.toContain(REST_EPOS.auth.basic.password);
    expect(await readText('/epos/integrations', key)).toBe(before);
  });

  test('an unknown capability name is refused with the list of known names', async () => {
    const body = { capabilities: [{ name: 'GetOrder', version: 'v1' }] };
    const { errors } = parseProblem(await testEnvironment.sendRequest('PUT', WS_PATH, { body }));
    for (const name of NAMES_TO_REGISTER) expect(errors['capabilities[0].name']?.[0]).toContain(name);
  });
});

describe('a registration', () => {
  test.each(NAMES_TO_REGISTER.flatMap((name) => [[name, 'v1'] as const, [name, '1.0.0'] as const]))(
    'returns %s %s as it was sent',
    async (name, version) => {
      const [integration] = JSON.parse(
        (await testEnvironment.sendRequest('PUT', WS_PATH, { body: { capabilities: [{ name, version }] } })).text,
      ) as [unknown];
      expect(integration).toEqual({
        capabilities: [{ name, version, updatedAt: expect.any(String) }],
        createdAt: expect.any(String),
      });
    },
  );

  test('replaces address, credentials and capabilities, and keeps the first time of creation', async () => {
    const { key } = await testEnvironment.createAccount();
    const [first] = JSON.parse(
      (await testEnvironment.sendRequest('PUT', REST_PATH, { key, body: REST_EPOS })).text,
    ) as [object];
    expect(first).toEqual({
      url: REST_EPOS.url,
      auth: { authType: 'basic', basic: { username: 'till' } },
      capabilities: [{ name: 'GetOrderById', version: 'v1', updatedAt: expect.any(String) }],
      createdAt: expect.any(String),
    });
    const body = {
      url: 'https://other.example',
      capabilities: [],
      auth: { authType: 'Basic', basic: { username: 'bar', password: 'p' } },
    };
    await testEnvironment.sendRequest('PUT', REST_PATH, { key, body });
    expect(await readList(REST_PATH, key)).toEqual([
      { ...first, url: body.url, auth: { authType: 'basic', basic: { username: 'bar' } }, capabilities: [] },
    ]);
  });

  test('never returns a password, to any request', async () => {
    const { key } = await testEnvironment.createAccount();
    const answers = [
      await testEnvironment.sendRequest('PUT', REST_PATH, {
        key,
        body: REST_EPOS,
        headers: { idempotencyKey: 'once' },
      }),
      await testEnvironment.sendRequest('PUT', REST_PATH, {
        key,
        body: REST_EPOS,
        headers: { idempotencyKey: 'once' },
      }),
      await testEnvironment.sendRequest('PUT', GRPC_PATH, { key, body: GRPC_EPOS }),
    ];
    for (const path of ['/epos/integrations', REST_PATH, GRPC_PATH])
      answers.push(await testEnvironment.sendRequest('GET', path, { key }));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"username":"till"');
      expect(answer.text).not.toContain('password');
    }
    expect(testEnvironment.logLines.join('')).not.toContain(REST_EPOS.auth.basic.password);
    const stored = await testEnvironment.queryRows<{ row: string }>(
      'select row_to_json(i)::text as row from epos_integrations i',
      [],
    );
    expect(stored.map(({ row }) => row).join('')).not.toContain(REST_EPOS.auth.basic.password);
  });

  test('exists once for each kind, account and environment', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    await testEnvironment.sendRequest('PUT', REST_PATH, { key, body: REST_EPOS });
    await testEnvironment.sendRequest('PUT', WS_PATH, { key, body: WS_EPOS });
    await testEnvironment.sendRequest('PUT', GRPC_PATH, { key, body: GRPC_EPOS });
    await testEnvironment.testDatabase.database.transact(scope, (tx) =>
      putEposIntegration(tx, { kind: 'service', url: null, username: null, password: null, capabilities: [] }),
    );
    expect(parseJson(await testEnvironment.sendRequest('GET', '/epos/integrations', { key }))).toEqual({
      restIntegrations: await readList(REST_PATH, key),
      wsIntegrations: await readList(WS_PATH, key),
      serviceManagedIntegrations: await readList('/epos/integrations/service', key),
      grpcIntegrations: await readList(GRPC_PATH, key),
    });
    expect(await readList('/epos/integrations/service', key)).toHaveLength(1);
    const { key: foreign } = await testEnvironment.createAccount();
    expect(parseJson(await testEnvironment.sendRequest('GET', '/epos/integrations', { key: foreign }))).toEqual({
      restIntegrations: [],
      wsIntegrations: [],
      serviceManagedIntegrations: [],
      grpcIntegrations: [],
    });
  });

  test.each([
    [REST_PATH, REST_EPOS],
    [WS_PATH, WS_EPOS],
    [GRPC_PATH, GRPC_EPOS],
  ])('%s is deleted, and a repeated deletion succeeds', async (path, body) => {
    const { key } = await testEnvironment.createAccount();
    await testEnvironment.sendRequest('PUT', path, { key, body });
    for (let time = 0; time < 2; time += 1) {
      const answer = await testEnvironment.sendRequest('DELETE', path, { key });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await readList(path, key)).toEqual([]);
    }
  });

  test.each([
    [REST_PATH, REST_EPOS],
    [GRPC_PATH, GRPC_EPOS],
  ])('%s with new credentials retries at once a payment that the EPOS refused for the old ones', async (path, body) => {
    const { id, dueAt } = await createPendingPayment(testEnvironment, { answer: 'CredentialsRefused' });
    const untilMs = (at: unknown) => new Date(String(at)).getTime() - Date.now();
    expect(untilMs(dueAt?.toISOString())).toBeGreaterThan(5 * 60_000);
    expect((await testEnvironment.sendRequest('PUT', path, { body })).status).toBe(200);
    const sql = 'select due_at::text as at from timers where subject = $1';
    const [timer] = await testEnvironment.queryRows<{ at: string }>(sql, [id]);
    expect(untilMs(timer?.at)).toBeLessThanOrEqual(1_000);
    await testEnvironment.sendRequest('DELETE', path, {});
  });

  test('a service-managed integration can be read and not written', async () => {
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const answer = await testEnvironment.sendRequest(method, '/epos/integrations/service', { body: WS_EPOS });
      expect(answer.status).toBe(405);
    }
  });
});

describe('an address that is never called is refused when it is registered', () => {
  const HOSTS = ['127.1', '2130706433', '0x7f000001', '[::ffff:7f00:1]', '169.254.169.254', 'localhost', 'db.internal'];
  const put = (path: string, body: object) => testEnvironment.sendRequest('PUT', path, { body });

  test.each(HOSTS)('https://%s', async (host) => {
    const url = `https://${host}`;
    const answers = [
      await put(REST_PATH, { ...REST_EPOS, url }),
      await put(GRPC_PATH, { ...GRPC_EPOS, url }),
      await testEnvironment.sendRequest('POST', '/webhooks', { body: { events: ['terminal_session.created'], url } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(parseProblem(answer).errors).toEqual({
        url: [expect.stringMatching(/^Is never called: the (address|name) .+\.$/)],
      });
    }
  });

  test('also where a webhook is changed to it', async () => {
    const { key } = await testEnvironment.createAccount();
    const body = { events: ['terminal_session.created'], url: 'https://no-such-name.invalid/hooks' };
    const created = await testEnvironment.sendRequest('POST', '/webhooks', { key, body });
    const moved = await testEnvironment.sendRequest('PATCH', `/webhooks/${String(parseJson(created)['id'])}`, {
      key,
      body: { url: 'https://127.1' },
    });
    expect([created.status, moved.status, parseProblem(moved).errors]).toEqual([
      200,
      400,
      { url: [expect.any(String)] },
    ]);
  });

  test('unless the operator lists it', async () => {
    const lenient = await ApiTestEnvironment.open({ EGRESS_ALLOW: '127.0.0.1:8443' });
    try {
      const allowed = await lenient.sendRequest('PUT', GRPC_PATH, {
        body: { ...GRPC_EPOS, url: 'https://127.0.0.1:8443' },
      });
      const other = await lenient.sendRequest('PUT', GRPC_PATH, {
        body: { ...GRPC_EPOS, url: 'https://127.0.0.1:8444' },
      });
      expect([allowed.status, other.status]).toEqual([200, 400]);
    } finally {
      await lenient.close();
    }
  });
});

describe('addresses without TLS', () => {
  test.each([
    [REST_PATH, { ...REST_EPOS, url: 'http://127.0.0.1:9000' }],
    [GRPC_PATH, { ...GRPC_EPOS, url: 'http://127.0.0.1:9000' }],
  ])('at %s are for sandboxes of an operator who lets them be', async (path, body) => {
    const lenient = await ApiTestEnvironment.open({ ALLOW_PLAINTEXT_EPOS: 'true' });
    try {
      expect((await lenient.sendRequest('PUT', path, { body })).status).toBe(200);
      const production = await lenient.sendRequest('PUT', path, { body, key: lenient.keys.production });
      expect(parseProblem(production).errors).toEqual({ url: ['Must be an https address.'] });
    } finally {
      await lenient.close();
    }
  });
});

describe('an EPOS reports what has changed', () => {
  test.each([
    ['OrderUpdated', { orderId: 'an unknown order' }],
    ['PartyUpdated', { partyId: 'P-7' }],
    ['ReservationUpdated', { reservationId: 'R-7' }],
  ])('%s is echoed, known or not', async (eventType, event) => {
    const answer = await testEnvironment.sendRequest('POST', '/epos/events', { body: { eventType, event } });
    expect([answer.status, parseJson(answer)]).toEqual([200, { eventType, event }]);
  });

  test.each(REFUSED_EVENTS)('not %s', async (_, path, body, member) => {
    const answer = await testEnvironment.sendRequest('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(parseProblem(answer).errors)).toContain(member);
  });
});

test.each([
  ['GET', '/epos/integrations', ['epos.read'], 200],
  ['GET', '/epos/integrations', ['epos.write', 'epos.connect'], 403],
  ['DELETE', WS_PATH, ['epos.write'], 204],
  ['DELETE', WS_PATH, ['epos.read', 'epos.connect'], 403],
] as const)('%s %s is for keys with %j: %s', async (method, path, permissions, status) => {
  const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, permissions);
  expect(
    (await testEnvironment.sendRequest(method, path, { key, headers: { version: null, 'software-house-id': null } }))
      .status,
  ).toBe(status);
});
