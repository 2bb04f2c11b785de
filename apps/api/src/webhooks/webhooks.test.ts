import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Delivery, Subscription } from '@pos/rest-contracts/webhooks';
import { applyStateToSubscriptionLanes, enqueueReplay } from '@pos/store/webhooks';
import { type TestResponse, ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';
import { deliverAll, type Subscriber, createSubscriber } from '../testing/webhook-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const sendAs = async ({ key }: Subscriber, [method, path]: [string, string], body?: unknown): Promise<TestResponse> => {
  const answer = await testEnvironment.sendRequest(method, path, { key, ...(body !== undefined && { body }) });
  expect([path, answer.status, answer.text.slice(0, 300)]).toEqual([
    path,
    answer.text === '' ? 204 : 200,
    expect.anything(),
  ]);
  return answer;
};
const readSubscription = async (of: Subscriber): Promise<Subscription> =>
  Subscription.parse(parseJson(await sendAs(of, ['GET', of.path])));
const changeSubscription = async (of: Subscriber, body: unknown): Promise<Subscription> =>
  Subscription.parse(parseJson(await sendAs(of, ['PATCH', of.path], body)));
interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly before: string | null;
  readonly after: string | null;
}
const readDeliveryPage = async (of: Subscriber, query = ''): Promise<DeliveryPage> =>
  parseJson(await sendAs(of, ['GET', `${of.path}/deliveries${query}`])) as unknown as DeliveryPage;
const listStates = async (of: Subscriber) => (await readDeliveryPage(of)).data.map(({ state }) => state);
const createIntents = async ({ key }: Subscriber, count: number) => {
  for (let created = 0; created < count; created += 1) await testEnvironment.createIntent({}, key);
};

/** Runs the timers of subscriptions and replays, as a worker does. */
async function runTimers({ scope }: Subscriber): Promise<void> {
  const timers = await testEnvironment.queryRows<{ kind: string; subject: string }>(
    `delete from timers where account_id = $1 and kind like 'webhook-%' returning kind, subject`,
    [scope.accountId],
  );
  for (const { kind, subject } of timers) {
    await testEnvironment.testDatabase.database.transact(scope, async (tx) => {
      if (kind === 'webhook-replay') while (await enqueueReplay(tx, subject));
      else await applyStateToSubscriptionLanes(tx, subject.split('/')[0] ?? '', '');
    });
  }
}

describe('a subscription', () => {
  test('is read as it was created, alone and in the list, and has only members of the contract', async () => {
    const of = await createSubscriber(testEnvironment);
    const created = await readSubscription(of);
    expect(Object.keys(created)).toEqual([
      'id',
      'accountId',
      'events',
      'url',
      'secrets',
      'secret',
      'createdAt',
      'updatedAt',
    ]);
    expect(parseJson(await sendAs(of, ['GET', '/webhooks']))).toEqual([created]);
    expect(created.secret).toEqual(created.secrets[0]);
    expect(Object.keys(created.secret).sort()).toEqual(['createdAt', 'id', 'isActive', 'standardValue', 'value']);
    const { value, standardValue = '' } = created.secret;
    expect(Buffer.from(standardValue.replace(/^whsec_/, ''), 'base64').toString()).toBe(value);
  });

  test.each([
    ['nothing', {}, {}],
    ['null, which is absent', { url: null, events: null, paused: null }, {}],
    ['its url', { url: 'https://other.example/a?b=1' }, { url: 'https://other.example/a?b=1' }],
    ['its description', { description: 'tills' }, { description: 'tills' }],
    [
      'its kinds, named without regard to case',
      { events: ['Terminal_Session.Created', 'payment_intent.created'] },
      { events: ['payment_intent.created', 'terminal_session.created'] },
    ],
    ['a pause, as text', { paused: 'true' }, { paused: true }],
  ])('is changed in %s and nothing else', async (_, body, changed) => {
    const of = await createSubscriber(testEnvironment);
    const { updatedAt: before, ...rest } = await readSubscription(of);
    const { updatedAt, ...answered } = await changeSubscription(of, body);
    expect(answered).toEqual({ ...rest, ...changed });
    expect(await readSubscription(of)).toEqual({ ...answered, updatedAt });
    if (Object.keys(changed).length === 0) expect(updatedAt).toBe(before);
  });

  test('may be received on loopback without TLS by a sandbox in development, and nowhere else', async () => {
    const of = await createSubscriber(testEnvironment);
    const change = (url: string) => testEnvironment.sendRequest('PATCH', of.path, { key: of.key, body: { url } });
    for (const url of ['http://localhost:3000/hooks', 'http://127.0.0.1:3000/', 'http://[::1]:3000/']) {
      expect(await changeSubscription(of, { url })).toMatchObject({ url });
    }
    for (const url of ['http://10.0.0.7:3000/', 'http://example.com/', 'http://localhost:5432/', 'ftp://localhost/']) {
      const refused = await change(url);
      expect([url, refused.status, Object.keys(parseJson(refused)['errors'] ?? {})]).toEqual([url, 400, ['url']]);
    }
    expect((await readSubscription(of)).url).toBe('http://[::1]:3000/');
  });

  test('gives a kind up and another subscription takes it; later events go to the other', async () => {
    const one = await createSubscriber(testEnvironment);
    const body = { events: ['terminal_session.created'], url: 'https://other.example' };
    const { id } = parseJson(await sendAs(one, ['POST', '/webhooks'], body));
    const other = { ...one, id: String(id), path: `/webhooks/${String(id)}` };
    await createIntents(one, 1);
    await changeSubscription(one, { events: ['payment_intent.status_updated'] });
    await changeSubscription(other, { events: ['payment_intent.created'] });
    await createIntents(one, 1);
    expect([await listStates(one), await listStates(other)]).toEqual([['Pending'], ['Pending']]);
  });

  test('that is deleted is not listed, its kinds are free, and its pending deliveries are dead letters', async () => {
    const of = await createSubscriber(testEnvironment);
    await createIntents(of, 2);
    await sendAs(of, ['DELETE', of.path]);
    await runTimers(of);
    expect(parseJson(await sendAs(of, ['GET', '/webhooks']))).toEqual([]);
    const ended = await testEnvironment.queryRows('select state, last_error from deliveries where account_id = $1', [
      of.scope.accountId,
    ]);
    const dead = { state: 'DeadLettered', last_error: 'the subscription was deleted' };
    expect(ended).toEqual([dead, dead]);
    expect(
      await testEnvironment.queryRows('select value_ciphertext from webhook_secrets where account_id = $1', [
        of.scope.accountId,
      ]),
    ).toEqual([]);
    const body = { events: ['payment_intent.created'], url: 'https://later.example' };
    const { id } = parseJson(await sendAs(of, ['POST', '/webhooks'], body));
    const later = { ...of, path: `/webhooks/${String(id)}` };
    expect(parseJson(await sendAs(later, ['POST', `${later.path}/replay`], {}))).toEqual({ queued: 2 });
    await runTimers(later);
    expect(await listStates(later)).toEqual(['Pending', 'Pending']);
  });

  test('shares no kind with another, however many subscriptions change their kinds at once', async () => {
    const of = await createSubscriber(testEnvironment);
    const paths = [of.path];
    for (const event of ['terminal_session.created', 'terminal_session.notification']) {
      const created = parseJson(await sendAs(of, ['POST', '/webhooks'], { events: [event], url: 'https://a.example' }));
      paths.push(`/webhooks/${String(created['id'])}`);
    }
    const events = ['payment_intent.created', 'terminal_session.created', 'terminal_session.notification'];
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(
        [0, 1, 2, 0, 1, 2].map((which, at) =>
          testEnvironment.sendRequest('PATCH', paths[which] ?? '', {
            key: of.key,
            body: { events: [events[(which + at + round) % 3]] },
          }),
        ),
      );
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
      const all = parseJson(await sendAs(of, ['GET', '/webhooks'])) as unknown as Subscription[];
      const held = all.flatMap(({ events: kinds }) => kinds);
      expect(new Set(held).size).toBe(held.length);
      expect(all.every(({ events: kinds }) => kinds.length > 0)).toBe(true);
    }
  });
});

describe('its secrets', () => {
  interface Secrets {
    readonly id: string;
    readonly secrets: readonly { id: string; value: string; isActive: boolean }[];
  }
  const secrets = async (of: Subscriber) =>
    parseJson(await sendAs(of, ['GET', `${of.path}/secrets`])) as unknown as Secrets;

  test('rotate: a new one is inactive until it is activated, and then the old one can be deleted', async () => {
    const of = await createSubscriber(testEnvironment);
    const [old] = (await secrets(of)).secrets;
    const created = parseJson(await sendAs(of, ['POST', `${of.path}/secrets`])) as unknown as Secrets;
    const next = created.secrets[1]!;
    expect(created).toEqual({ id: of.id, secrets: [old, { ...next, isActive: false }] });
    expect(next.value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (let twice = 0; twice < 2; twice += 1) {
      await sendAs(of, ['PUT', `${of.path}/secrets/${next.id}/activate`]);
      expect((await secrets(of)).secrets.map(({ isActive }) => isActive)).toEqual([false, true]);
    }
    expect((await readSubscription(of)).secret.id).toBe(next.id);
    await sendAs(of, ['DELETE', `${of.path}/secrets/${old!.id}`]);
    expect((await secrets(of)).secrets).toEqual([{ ...next, isActive: true }]);
  });

  test('are five at most and one active, however many are created and activated at once', async () => {
    const of = await createSubscriber(testEnvironment);
    const created = await Promise.all(
      Array.from({ length: 12 }, () => testEnvironment.sendRequest('POST', `${of.path}/secrets`, { key: of.key })),
    );
    expect(created.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(created.filter(({ status }) => status === 409)).toHaveLength(8);
    const { secrets: five } = await secrets(of);
    await Promise.all(five.map(({ id }) => sendAs(of, ['PUT', `${of.path}/secrets/${id}/activate`])));
    expect((await secrets(of)).secrets.filter(({ isActive }) => isActive)).toHaveLength(1);
  });

  test('a repeat with the same key creates no second one, and 204 is repeated as 204', async () => {
    const of = await createSubscriber(testEnvironment);
    const headers = { idempotencyKey: 'once' };
    const path = `${of.path}/secrets`;
    const [first, repeated] = [
      await testEnvironment.sendRequest('POST', path, { key: of.key, headers }),
      await testEnvironment.sendRequest('POST', path, { key: of.key, headers }),
    ];
    expect([repeated.text, repeated.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const idle = (await secrets(of)).secrets[1]!.id;
    for (const replayed of [undefined, 'true']) {
      const answer = await testEnvironment.sendRequest('DELETE', `${path}/${idle}`, { key: of.key, headers });
      expect([answer.status, answer.text, answer.headers['idempotent-replayed']]).toEqual([204, '', replayed]);
    }
  });
});

describe('its deliveries', () => {
  test('are paged newest first, in both directions, by state, and new deliveries do not shift the pages', async () => {
    const of = await createSubscriber(testEnvironment);
    await createIntents(of, 5);
    await deliverAll(testEnvironment, of.scope);
    await createIntents(of, 2);
    const all = await readDeliveryPage(of);
    expect(all).toMatchObject({ before: null, after: null });
    expect(all.data.map(({ state }) => state).join(' ')).toBe(`Pending Pending${' Delivered'.repeat(5)}`);
    const first = await readDeliveryPage(of, '?limit=3');
    await createIntents(of, 1);
    const second = await readDeliveryPage(of, `?limit=3&after=${first.after}`);
    const third = await readDeliveryPage(of, `?limit=3&after=${second.after}`);
    expect([...first.data, ...second.data, ...third.data]).toEqual(all.data);
    expect(third.after).toBeNull();
    expect((await readDeliveryPage(of, `?limit=3&before=${third.before}`)).data).toEqual(second.data);
    expect((await readDeliveryPage(of, '?state=delivered&limit=100')).data).toEqual(all.data.slice(2));
    expect((await readDeliveryPage(of, '?state=DeadLettered')).data).toEqual([]);
  });

  test('of a dead letter start again when it is replayed, in the same record', async () => {
    const of = await createSubscriber(testEnvironment);
    await createIntents(of, 1);
    await deliverAll(testEnvironment, of.scope, 'dead');
    const [dead] = (await readDeliveryPage(of)).data;
    expect(dead).toMatchObject({ state: 'DeadLettered', attempts: 1, lastStatus: 503, lastError: 'answered 503' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        testEnvironment.sendRequest('POST', `${of.path}/deliveries/${dead!.id}/replay`, { key: of.key }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const queued = Delivery.parse(parseJson(answers.find(({ status }) => status === 200)!));
    expect(queued).toMatchObject({ id: dead!.id, eventId: dead!.eventId, state: 'Pending', attempts: 0 });
    expect(await deliverAll(testEnvironment, of.scope)).toEqual([dead!.id]);
    expect((await readDeliveryPage(of)).data).toMatchObject([{ id: dead!.id, state: 'Delivered', attempts: 1 }]);
  });

  test.each([
    ['failed ones by default', {}, 2],
    ['what was delivered', { states: ['Delivered'] }, 3],
    ['events without a subscription', { states: ['notsubscribed'] }, 1],
    ['all that has ended', { states: ['DeadLettered', 'Delivered', 'NotSubscribed'] }, 6],
    ['nothing from before it began', { states: ['Delivered'], to: '2020-01-01T00:00:00Z' }, 0],
    ['nothing of the future', { states: ['Delivered'], from: '2999-01-01T00:00:00Z' }, 0],
    ['a range that holds them', { states: ['Delivered'], from: '2020-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' }, 3],
  ])('are replayed by range: %s', async (_, body, queued) => {
    const of = await createSubscriber(testEnvironment, ['payment_intent.status_updated']);
    await createIntents(of, 1);
    await changeSubscription(of, { events: ['payment_intent.created'] });
    await createIntents(of, 3);
    await deliverAll(testEnvironment, of.scope);
    await createIntents(of, 2);
    await deliverAll(testEnvironment, of.scope, 'dead');
    await createIntents(of, 1);
    expect(parseJson(await sendAs(of, ['POST', `${of.path}/replay`], body))).toEqual({ queued });
    await runTimers(of);
    expect(await listStates(of)).toHaveLength(6 + queued);
    expect(await deliverAll(testEnvironment, of.scope)).toHaveLength(1 + queued);
  });

  test('are held while it is paused, also new ones, and are pending in their order afterwards', async () => {
    const of = await createSubscriber(testEnvironment);
    await createIntents(of, 1);
    await changeSubscription(of, { paused: true });
    await createIntents(of, 1);
    await runTimers(of);
    expect(await listStates(of)).toEqual(['Held', 'Held']);
    expect(await deliverAll(testEnvironment, of.scope)).toEqual([]);
    await changeSubscription(of, { paused: false });
    await runTimers(of);
    const waiting = (await readDeliveryPage(of)).data;
    expect(waiting.map(({ state }) => state)).toEqual(['Pending', 'Pending']);
    expect((await deliverAll(testEnvironment, of.scope)).sort()).toEqual(waiting.map(({ id }) => id).sort());
  });
});
