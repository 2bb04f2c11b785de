import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/customers';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

export const UNKNOWN_CUSTOMER = `cust_sandbox_${'A'.repeat(22)}`;

export async function createCustomer(
  world: ApiWorld,
  body: SentBodyOf<typeof rest.createCustomer> = {},
  key = world.keys.full,
): Promise<string> {
  return (await world.client(key)(rest.createCustomer, { body })).id;
}

export async function deletedCustomer(world: ApiWorld): Promise<string> {
  const customerId = await createCustomer(world);
  await world.client()(rest.deleteCustomer, { params: { customerId } });
  return customerId;
}

export async function secretOf(world: ApiWorld, customerId: string, key = world.keys.full): Promise<string> {
  return (await world.client(key)(rest.createCustomerSecret, { params: { customerId } })).secret;
}

/** A request of each operation on customers, which it accepts. */
export function customerRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    createCustomer: () =>
      Promise.resolve({ path: '/customers', body: { name: 'Ada' }, wrong: { body: { emailAddress: 'nobody' } } }),
    readCustomers: async () => ({ path: `/customers/${await createCustomer(world())}` }),
    changeCustomer: async () => ({
      path: `/customers/${await createCustomer(world())}`,
      body: { name: 'Eve' },
      wrong: { body: { phoneNumber: '1' } },
    }),
    deleteCustomer: async () => ({ path: `/customers/${await createCustomer(world())}` }),
    searchCustomers: () => Promise.resolve({ path: '/customers/search', body: {}, wrong: { body: { limit: 0 } } }),
    createCustomerSecret: async () => ({ path: `/customers/${await createCustomer(world())}/create-secret` }),
  };
}

/** How each operation on customers refuses by its own rules. */
// prettier-ignore
export function customerRefusals(world: World): readonly Own[] {
  const change = { name: 'Eve' };
  const ofOne = [['changeCustomer', '', change], ['deleteCustomer', '', undefined], ['createCustomerSecret', '/create-secret', undefined]] as const;
  return [
  ...ofOne.flatMap(([id, tail, body]): Own[] => [
    [id, 'customer_not_found', [], () => at(`/customers/${UNKNOWN_CUSTOMER}${tail}`, body)],
    [id, 'customer_not_found', [], async () => at(`/customers/${await deletedCustomer(world())}${tail}`, body)],
    [id, 'customer_not_found', [], async () => at(`/customers/${await createCustomer(world())}${tail}`, body, world().keys.foreign)],
    [id, 'customer_not_found', [], async () => at(`/customers/${await createCustomer(world())}${tail}`, body, world().keys.production)],
    [id, 'customer_not_found', [], async () => at(`/customers/${await createCustomer(world())},${await createCustomer(world())}${tail}`, body)],
    [id, 'customer_not_found', [], () => at(`/customers/%00${tail}`, body)],
  ]),
  ['readCustomers', 'validation_failed', ['ids'], () => at('/customers/,')],
  ['readCustomers', 'validation_failed', ['ids'], () => at(`/customers/${Array.from({ length: 200 }, () => UNKNOWN_CUSTOMER).join(',')}`)],
  ];
}
