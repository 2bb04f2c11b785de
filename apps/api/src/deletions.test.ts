import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type CustomerId, knownId } from '@pos/core/identity';
import { createCustomer, secretOf } from './customers/testing.js';
import { GRPC_EPOS, REST_EPOS, WS_EPOS } from './epos/testing.js';
import { keptCard } from './saved-cards/testing.js';
import { ApiWorld, jsonOf } from './testing.js';

jest.setTimeout(60_000);

const CYCLES = 8;
const READERS = 4;

let world: ApiWorld;
let key: string;
beforeAll(async () => {
  world = await ApiWorld.open();
  key = (await world.newcomer()).key;
});
afterAll(() => world.close());

/** Something that is made and deleted, and where it is read meanwhile. */
interface Deletable {
  /** Paths; a search is a POST. */
  readonly reads: readonly string[];
  readonly path: string;
  readonly key: string;
}

async function make(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await world.send(method, path, { key, body });
  expect([method, path, answer.status, answer.text]).toEqual([method, path, 200, expect.anything()]);
  return jsonOf(answer);
}

const EPOSES = { rest: REST_EPOS, ws: WS_EPOS, grpc: GRPC_EPOS };

async function makeEpos(kind: keyof typeof EPOSES): Promise<Deletable> {
  const path = `/epos/integrations/${kind}`;
  await make('PUT', path, EPOSES[kind]);
  return { path, key, reads: ['/epos/integrations', path] };
}

const AGGREGATES: Readonly<Record<string, () => Promise<Deletable>>> = {
  webhook: async () => {
    const body = {
      url: 'https://shop.example/hooks',
      events: ['payment_intent.created', 'payment_intent.status_updated'],
    };
    const path = `/webhooks/${String((await make('POST', '/webhooks', body))['id'])}`;
    return { path, key, reads: ['/webhooks', path, `${path}/secrets`, `${path}/deliveries`] };
  },
  customer: async () => {
    const path = `/customers/${String((await make('POST', '/customers', { name: 'Ada' }))['id'])}`;
    return { path, key, reads: [path, 'POST /customers/search'] };
  },
  'saved card': async () => {
    const customerId: CustomerId = knownId('customer', await createCustomer(world));
    const cardId = await keptCard(world, { customerId });
    const list = `/customers/public/${customerId}/payment-methods`;
    return { path: `${list}/${cardId}`, key: await secretOf(world, customerId), reads: [list] };
  },
  'customer with a saved card': async () => {
    const customerId: CustomerId = knownId('customer', await createCustomer(world));
    await keptCard(world, { customerId });
    return { path: `/customers/${customerId}`, key: world.keys.full, reads: [`/customers/${customerId}`] };
  },
  'EPOS over REST': () => makeEpos('rest'),
  'EPOS over a socket': () => makeEpos('ws'),
  'EPOS over gRPC': () => makeEpos('grpc'),
  'API key': async () => {
    const made = await make('POST', '/api-keys', { label: 'till', permissions: ['webhooks.read'] });
    return { path: `/api-keys/${String(made['id'])}`, key, reads: ['/api-keys'] };
  },
};

test.each(Object.keys(AGGREGATES))('whoever reads while a %s is deleted is never answered 500', async (name) => {
  const odd: unknown[] = [];
  let reads = 0;
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const made = await AGGREGATES[name]!();
    const state = { isDeleted: false };
    const readers = Array.from({ length: READERS }, async (_, number) => {
      const [path, method = 'GET'] = made.reads[number % made.reads.length]!.split(' ').reverse() as [string, string?];
      do {
        const { status, text } = await world.send(method, path, {
          key: made.key,
          ...(method === 'POST' && { body: {} }),
        });
        reads += 1;
        if (![200, 401, 404].includes(status)) odd.push([path, status, text]);
      } while (!state.isDeleted);
    });
    const deleted = await world.send('DELETE', made.path, { key: made.key });
    state.isDeleted = true;
    await Promise.all(readers);
    expect([made.path, deleted.status, deleted.text]).toEqual([made.path, 204, '']);
  }
  expect(odd).toEqual([]);
  expect(reads).toBeGreaterThanOrEqual(CYCLES * READERS);
});
