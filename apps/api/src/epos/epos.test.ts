import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { ApiWorld, jsonOf, problemOf } from '../testing.js';
import { pendingPayment } from '../pay-at-table/testing.js';
import { NAMES_TO_REGISTER, REFUSED_EVENTS, REFUSED_REGISTRATIONS } from './testing-rows.js';
import { GRPC_EPOS, REST_EPOS, WS_EPOS } from './testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const REST = '/epos/integrations/rest';
const WS = '/epos/integrations/ws';
const GRPC = '/epos/integrations/grpc';
const read = async (path: string, key: string) => (await world.send('GET', path, { key })).text;
const listOf = async (path: string, key: string) => JSON.parse(await read(path, key)) as Record<string, unknown>[];

describe('what is registered is refused by the member that is wrong, and nothing is changed', () => {
  test.each(REFUSED_REGISTRATIONS)('%s', async (_, path, body, member) => {
    const { key } = await world.newcomer();
    for (const [where, good] of [
      [REST, REST_EPOS],
      [WS, WS_EPOS],
      [GRPC, GRPC_EPOS],
    ] as const) {
      expect((await world.send('PUT', where, { key, body: good })).status).toBe(200);
    }
    const before = await read('/epos/integrations', key);
    const answer = await world.send('PUT', path, { key, body });
    expect(answer.status).toBe(400);
    expect(Object.keys(problemOf(answer).errors)).toContain(member);
    expect(answer.text).not.toContain(REST_EPOS.auth.basic.password);
    expect(await read('/epos/integrations', key)).toBe(before);
  });

  test('and the names that there are are told to whoever mistypes one', async () => {
    const body = { capabilities: [{ name: 'GetOrder', version: 'v1' }] };
    const { errors } = problemOf(await world.send('PUT', WS, { body }));
    for (const name of NAMES_TO_REGISTER) expect(errors['capabilities[0].name']?.[0]).toContain(name);
  });
});

describe('a registration', () => {
  test.each(NAMES_TO_REGISTER.flatMap((name) => [[name, 'v1'] as const, [name, '1.0.0'] as const]))(
    'returns %s %s as it was sent',
    async (name, version) => {
      const [integration] = JSON.parse(
        (await world.send('PUT', WS, { body: { capabilities: [{ name, version }] } })).text,
      ) as [unknown];
      expect(integration).toEqual({
        capabilities: [{ name, version, updatedAt: expect.any(String) }],
        createdAt: expect.any(String),
      });
    },
  );

  test('is the whole truth: address, credentials and list; the first moment stays', async () => {
    const { key } = await world.newcomer();
    const [first] = JSON.parse((await world.send('PUT', REST, { key, body: REST_EPOS })).text) as [object];
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
    await world.send('PUT', REST, { key, body });
    expect(await listOf(REST, key)).toEqual([
      { ...first, url: body.url, auth: { authType: 'basic', basic: { username: 'bar' } }, capabilities: [] },
    ]);
  });

  test('never returns a password, whoever asks and however', async () => {
    const { key } = await world.newcomer();
    const answers = [
      await world.send('PUT', REST, { key, body: REST_EPOS, headers: { idempotencyKey: 'once' } }),
      await world.send('PUT', REST, { key, body: REST_EPOS, headers: { idempotencyKey: 'once' } }),
      await world.send('PUT', GRPC, { key, body: GRPC_EPOS }),
    ];
    for (const path of ['/epos/integrations', REST, GRPC]) answers.push(await world.send('GET', path, { key }));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"username":"till"');
      expect(answer.text).not.toContain('password');
    }
    expect(world.lines.join('')).not.toContain(REST_EPOS.auth.basic.password);
    const stored = await world.look<{ row: string }>('select row_to_json(i)::text as row from epos_integrations i', []);
    expect(stored.map(({ row }) => row).join('')).not.toContain(REST_EPOS.auth.basic.password);
  });

  test('is one of each kind, beside the others, and of one account in one environment', async () => {
    const { scope, key } = await world.newcomer();
    await world.send('PUT', REST, { key, body: REST_EPOS });
    await world.send('PUT', WS, { key, body: WS_EPOS });
    await world.send('PUT', GRPC, { key, body: GRPC_EPOS });
    await world.place.database.transact(scope, (tx) =>
      putEposIntegration(tx, { kind: 'service', url: null, username: null, password: null, capabilities: [] }),
    );
    expect(jsonOf(await world.send('GET', '/epos/integrations', { key }))).toEqual({
      restIntegrations: await listOf(REST, key),
      wsIntegrations: await listOf(WS, key),
      serviceManagedIntegrations: await listOf('/epos/integrations/service', key),
      grpcIntegrations: await listOf(GRPC, key),
    });
    expect(await listOf('/epos/integrations/service', key)).toHaveLength(1);
    const { key: foreign } = await world.newcomer();
    expect(jsonOf(await world.send('GET', '/epos/integrations', { key: foreign }))).toEqual({
      restIntegrations: [],
      wsIntegrations: [],
      serviceManagedIntegrations: [],
      grpcIntegrations: [],
    });
  });

  test.each([
    [REST, REST_EPOS],
    [WS, WS_EPOS],
    [GRPC, GRPC_EPOS],
  ])('%s is forgotten, as often as it is asked', async (path, body) => {
    const { key } = await world.newcomer();
    await world.send('PUT', path, { key, body });
    for (let time = 0; time < 2; time += 1) {
      const answer = await world.send('DELETE', path, { key });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await listOf(path, key)).toEqual([]);
    }
  });

  test.each([
    [REST, REST_EPOS],
    [GRPC, GRPC_EPOS],
  ])(
    '%s with new credentials has a payment tried at once that the EPOS had refused the old ones of',
    async (path, body) => {
      const { id, dueAt } = await pendingPayment(world, { answer: 'CredentialsRefused' });
      const untilMs = (at: unknown) => new Date(String(at)).getTime() - Date.now();
      expect(untilMs(dueAt?.toISOString())).toBeGreaterThan(5 * 60_000);
      expect((await world.send('PUT', path, { body })).status).toBe(200);
      const sql = 'select due_at::text as at from timers where subject = $1';
      const [timer] = await world.look<{ at: string }>(sql, [id]);
      expect(untilMs(timer?.at)).toBeLessThanOrEqual(1_000);
      await world.send('DELETE', path, {});
    },
  );

  test('what the operator has set up is read, and written by nobody here', async () => {
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const answer = await world.send(method, '/epos/integrations/service', { body: WS_EPOS });
      expect(answer.status).toBe(405);
    }
  });
});

describe('an address that is never called is refused when it is registered', () => {
  const HOSTS = ['127.1', '2130706433', '0x7f000001', '[::ffff:7f00:1]', '169.254.169.254', 'localhost', 'db.internal'];
  const put = (path: string, body: object) => world.send('PUT', path, { body });

  test.each(HOSTS)('https://%s', async (host) => {
    const url = `https://${host}`;
    const answers = [
      await put(REST, { ...REST_EPOS, url }),
      await put(GRPC, { ...GRPC_EPOS, url }),
      await world.send('POST', '/webhooks', { body: { events: ['terminal_session.created'], url } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(problemOf(answer).errors).toEqual({
        url: [expect.stringMatching(/^Is never called: the (address|name) .+\.$/)],
      });
    }
  });

  test('also where a webhook is moved to it', async () => {
    const { key } = await world.newcomer();
    const body = { events: ['terminal_session.created'], url: 'https://no-such-name.invalid/hooks' };
    const made = await world.send('POST', '/webhooks', { key, body });
    const moved = await world.send('PATCH', `/webhooks/${String(jsonOf(made)['id'])}`, {
      key,
      body: { url: 'https://127.1' },
    });
    expect([made.status, moved.status, problemOf(moved).errors]).toEqual([200, 400, { url: [expect.any(String)] }]);
  });

  test('unless the operator lists it', async () => {
    const lenient = await ApiWorld.open({ EGRESS_ALLOW: '127.0.0.1:8443' });
    try {
      const allowed = await lenient.send('PUT', GRPC, { body: { ...GRPC_EPOS, url: 'https://127.0.0.1:8443' } });
      const other = await lenient.send('PUT', GRPC, { body: { ...GRPC_EPOS, url: 'https://127.0.0.1:8444' } });
      expect([allowed.status, other.status]).toEqual([200, 400]);
    } finally {
      await lenient.close();
    }
  });
});

describe('addresses without TLS', () => {
  test.each([
    [REST, { ...REST_EPOS, url: 'http://127.0.0.1:9000' }],
    [GRPC, { ...GRPC_EPOS, url: 'http://127.0.0.1:9000' }],
  ])('at %s are for sandboxes of an operator who lets them be', async (path, body) => {
    const lenient = await ApiWorld.open({ ALLOW_PLAINTEXT_EPOS: 'true' });
    try {
      expect((await lenient.send('PUT', path, { body })).status).toBe(200);
      const production = await lenient.send('PUT', path, { body, key: lenient.keys.production });
      expect(problemOf(production).errors).toEqual({ url: ['Must be an https address.'] });
    } finally {
      await lenient.close();
    }
  });
});

describe('an EPOS tells what has changed', () => {
  test.each([
    ['OrderUpdated', { orderId: 'an order that nobody knows' }],
    ['PartyUpdated', { partyId: 'P-7' }],
    ['ReservationUpdated', { reservationId: 'R-7' }],
  ])('%s is echoed, known or not', async (eventType, event) => {
    const answer = await world.send('POST', '/epos/events', { body: { eventType, event } });
    expect([answer.status, jsonOf(answer)]).toEqual([200, { eventType, event }]);
  });

  test.each(REFUSED_EVENTS)('not %s', async (_, path, body, member) => {
    const answer = await world.send('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(problemOf(answer).errors)).toContain(member);
  });
});

test.each([
  ['GET', '/epos/integrations', ['epos.read'], 200],
  ['GET', '/epos/integrations', ['epos.write', 'epos.connect'], 403],
  ['DELETE', WS, ['epos.write'], 204],
  ['DELETE', WS, ['epos.read', 'epos.connect'], 403],
] as const)('%s %s is for keys with %j: %s', async (method, path, permissions, status) => {
  const key = await world.addKey(world.sandbox, undefined, permissions);
  expect((await world.send(method, path, { key, headers: { version: null, 'software-house-id': null } })).status).toBe(
    status,
  );
});
