import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type CustomerId, parseKnownId } from '@pos/core/identity';
import { selectRows } from '@pos/testing';
import { createCustomer, createSecret } from '../testing/customer-requests.js';
import { GRPC_EPOS, REST_EPOS, WS_EPOS } from '../testing/epos/epos-requests.js';
import { createStoredCard } from '../testing/saved-card-requests.js';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

jest.setTimeout(60_000);

const CYCLES = 8;
const READERS = 4;

let testEnvironment: ApiTestEnvironment;
let key: string;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  key = (await testEnvironment.createAccount()).key;
});
afterAll(() => testEnvironment.close());

/** A resource that is created and deleted, and the paths that read it meanwhile. */
interface DeletableResource {
  /** Paths; `POST <path>` is a search. */
  readonly reads: readonly string[];
  readonly path: string;
  readonly key: string;
}

async function createResource(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await testEnvironment.sendRequest(method, path, { key, body });
  expect([method, path, answer.status, answer.text]).toEqual([method, path, 200, expect.anything()]);
  return parseJson(answer);
}

const EPOS_BODIES = { rest: REST_EPOS, ws: WS_EPOS, grpc: GRPC_EPOS };

async function createEpos(kind: keyof typeof EPOS_BODIES): Promise<DeletableResource> {
  const path = `/epos/integrations/${kind}`;
  await createResource('PUT', path, EPOS_BODIES[kind]);
  return { path, key, reads: ['/epos/integrations', path] };
}

const AGGREGATE_FACTORIES: Readonly<Record<string, () => Promise<DeletableResource>>> = {
  webhook: async () => {
    const body = {
      url: 'https://shop.example/hooks',
      events: ['payment_intent.created', 'payment_intent.status_updated'],
    };
    const path = `/webhooks/${String((await createResource('POST', '/webhooks', body))['id'])}`;
    return { path, key, reads: ['/webhooks', path, `${path}/secrets`, `${path}/deliveries`] };
  },
  customer: async () => {
    const path = `/customers/${String((await createResource('POST', '/customers', { name: 'Ada' }))['id'])}`;
    return { path, key, reads: [path, 'POST /customers/search'] };
  },
  'saved card': async () => {
    const customerId: CustomerId = parseKnownId('customer', await createCustomer(testEnvironment));
    const cardId = await createStoredCard(testEnvironment, { customerId });
    const list = `/customers/public/${customerId}/payment-methods`;
    return { path: `${list}/${cardId}`, key: await createSecret(testEnvironment, customerId), reads: [list] };
  },
  'customer with a saved card': async () => {
    const customerId: CustomerId = parseKnownId('customer', await createCustomer(testEnvironment));
    await createStoredCard(testEnvironment, { customerId });
    return { path: `/customers/${customerId}`, key: testEnvironment.keys.full, reads: [`/customers/${customerId}`] };
  },
  'EPOS over REST': () => createEpos('rest'),
  'EPOS over a socket': () => createEpos('ws'),
  'EPOS over gRPC': () => createEpos('grpc'),
  'API key': async () => {
    const created = await createResource('POST', '/api-keys', { label: 'till', permissions: ['webhooks.read'] });
    return { path: `/api-keys/${String(created['id'])}`, key, reads: ['/api-keys'] };
  },
};

// One in `npm test`, each in the long run.
test.each(selectRows(Object.keys(AGGREGATE_FACTORIES)))(
  'reads while a %s is deleted are never answered 500',
  async (name) => {
    const odd: unknown[] = [];
    let reads = 0;
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const created = await AGGREGATE_FACTORIES[name]!();
      const state = { isDeleted: false };
      const readers = Array.from({ length: READERS }, async (_, number) => {
        const [path, method = 'GET'] = created.reads[number % created.reads.length]!.split(' ').reverse() as [
          string,
          string?,
        ];
        do {
          const { status, text } = await testEnvironment.sendRequest(method, path, {
            key: created.key,
            ...(method === 'POST' && { body: {} }),
          });
          reads += 1;
          if (![200, 401, 404].includes(status)) odd.push([path, status, text]);
        } while (!state.isDeleted);
      });
      const deleted = await testEnvironment.sendRequest('DELETE', created.path, { key: created.key });
      state.isDeleted = true;
      await Promise.all(readers);
      expect([created.path, deleted.status, deleted.text]).toEqual([created.path, 204, '']);
    }
    expect(odd).toEqual([]);
    expect(reads).toBeGreaterThanOrEqual(CYCLES * READERS);
  },
);
