import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as rest from '@pos/rest-contracts/accounts';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

export const UNKNOWN_CUSTOMER = `cust_sandbox_${'A'.repeat(22)}`;

export async function createCustomer(
  testEnvironment: ApiTestEnvironment,
  body: SentBodyOf<typeof rest.createCustomer> = {},
  key = testEnvironment.keys.full,
): Promise<string> {
  return (await testEnvironment.createClient(key)(rest.createCustomer, { body })).id;
}

export async function createDeletedCustomer(testEnvironment: ApiTestEnvironment): Promise<string> {
  const customerId = await createCustomer(testEnvironment);
  await testEnvironment.createClient()(rest.deleteCustomer, { params: { customerId } });
  return customerId;
}

export async function createSecret(
  testEnvironment: ApiTestEnvironment,
  customerId: string,
  key = testEnvironment.keys.full,
): Promise<string> {
  return (await testEnvironment.createClient(key)(rest.createCustomerSecret, { params: { customerId } })).secret;
}

/** An accepted request for each operation on customers. */
export function createCustomerRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    createCustomer: () =>
      Promise.resolve({ path: '/customers', body: { name: 'Ada' }, invalid: { body: { emailAddress: 'nobody' } } }),
    readCustomers: async () => ({ path: `/customers/${await createCustomer(testEnvironment())}` }),
    changeCustomer: async () => ({
      path: `/customers/${await createCustomer(testEnvironment())}`,
      body: { name: 'Eve' },
      invalid: { body: { phoneNumber: '1' } },
    }),
    deleteCustomer: async () => ({ path: `/customers/${await createCustomer(testEnvironment())}` }),
    searchCustomers: () => Promise.resolve({ path: '/customers/search', body: {}, invalid: { body: { limit: 0 } } }),
    createCustomerSecret: async () => ({ path: `/customers/${await createCustomer(testEnvironment())}/create-secret` }),
  };
}

/** The refusals that each operation on customers declares for itself. */
// oxfmt-ignore
export function createCustomerRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const change = { name: 'Eve' };
  const ofOne = [['changeCustomer', '', change], ['deleteCustomer', '', undefined], ['createCustomerSecret', '/create-secret', undefined]] as const;
  return [
  ...ofOne.flatMap(([id, tail, body]): RefusalCase[] => [
    [id, 'customer_not_found', [], () => createRequest(`/customers/${UNKNOWN_CUSTOMER}${tail}`, body)],
    [id, 'customer_not_found', [], async () => createRequest(`/customers/${await createDeletedCustomer(testEnvironment())}${tail}`, body)],
    [id, 'customer_not_found', [], async () => createRequest(`/customers/${await createCustomer(testEnvironment())}${tail}`, body, testEnvironment().keys.foreign)],
    [id, 'customer_not_found', [], async () => createRequest(`/customers/${await createCustomer(testEnvironment())}${tail}`, body, testEnvironment().keys.production)],
    [id, 'customer_not_found', [], async () => createRequest(`/customers/${await createCustomer(testEnvironment())},${await createCustomer(testEnvironment())}${tail}`, body)],
    [id, 'customer_not_found', [], () => createRequest(`/customers/%00${tail}`, body)],
  ]),
  ['searchCustomers', 'validation_failed', ['name'], () => createRequest('/customers/search', { name: 'a', emailAddress: 'a' })],
  ['searchCustomers', 'validation_failed', ['emailAddress'], () => createRequest('/customers/search', { emailAddress: 'a'.repeat(255) })],
  ['readCustomers', 'validation_failed', ['ids'], () => createRequest('/customers/,')],
  ['readCustomers', 'validation_failed', ['ids'], () => createRequest(`/customers/${Array.from({ length: 200 }, () => UNKNOWN_CUSTOMER).join(',')}`)],
  ];
}
