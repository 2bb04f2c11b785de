import { z } from 'zod';
import { freeText, TypedEmail } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Address } from '../intent-parts/payment-intent-parts.js';
import * as shapes from '../shapes/shapes.js';

const { Moment } = shapes;

/** The limit of customers in one request. */
export const CUSTOMER_IDS_MAX = 50;

const profile = {
  name: freeText({ max: 100 }),
  emailAddress: TypedEmail,
  phoneNumber: freeText({ min: 5, max: 50 }),
  vatNumber: freeText({ max: 50 }),
  billingAddress: Address,
  shippingAddress: Address,
};

const EXAMPLE = {
  name: 'Ada Guest',
  emailAddress: 'ada@guest.example',
  billingAddress: { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' },
};

export const Customer = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    emailAddress: z.string().optional(),
    phoneNumber: z.string().optional(),
    vatNumber: z.string().optional(),
    billingAddress: Address.optional(),
    shippingAddress: Address.optional(),
    createdAt: Moment,
    updatedAt: Moment,
    documentVersion: z.int().min(0).meta({ description: '0 at creation, one more with each change.' }),
  })
  .meta({
    id: 'Customer',
    examples: [
      {
        id: 'cust_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        ...EXAMPLE,
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:00.000Z',
        documentVersion: 0,
      },
    ],
  });
export type Customer = z.output<typeof Customer>;

const NewCustomer = z
  .object(profile)
  .partial()
  .meta({ id: 'NewCustomer', examples: [EXAMPLE] });

const CustomerChange = z
  .object({
    name: profile.name.nullable(),
    emailAddress: profile.emailAddress.nullable(),
    phoneNumber: profile.phoneNumber.nullable(),
    vatNumber: profile.vatNumber.nullable(),
    billingAddress: profile.billingAddress.nullable(),
    shippingAddress: profile.shippingAddress.nullable(),
  })
  .partial()
  .meta({
    id: 'CustomerChange',
    description: 'A member that is not sent stays as it is; null removes it. An address is replaced as a whole.',
    examples: [{ phoneNumber: '+44 117 496 0000', vatNumber: null }],
  });

const CustomerSearch = z
  .object(shapes.PAGE_MEMBERS)
  .refine(shapes.isOneDirection, shapes.ONE_DIRECTION)
  .meta({ id: 'CustomerSearch', examples: [{ limit: 10 }] });

const CustomerSecret = z
  .object({
    secret: z.string().meta({ description: 'For the app of this customer; usable repeatedly until it expires.' }),
    createdAt: Moment,
    expireAt: Moment.meta({ description: '15 minutes later.' }),
  })
  .meta({
    id: 'CustomerSecret',
    examples: [
      {
        secret: 'cs_sandbox_AaH8KwlxavakGwZZljrhYw_Qk1v5r0bT4a2S7n8Lw3XyAmVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMw',
        createdAt: '2026-03-01T12:00:00.000Z',
        expireAt: '2026-03-01T12:15:00.000Z',
      },
    ],
  });

const shared = { tag: 'Customers', version: 'required' } as const;
const params = z.object({ customerId: z.string() });

export const createCustomer = {
  ...shared,
  id: 'createCustomer',
  method: 'POST',
  path: '/customers',
  summary: 'Create a customer',
  description: 'One for each person or firm that pays again, not one for each payment.',
  permission: 'customers.write',
  idempotency: 'optional',
  body: NewCustomer,
  returns: Customer,
  refusals: [],
} as const satisfies Operation;

export const readCustomers = {
  ...shared,
  id: 'readCustomers',
  method: 'GET',
  path: '/customers/{customerId}',
  summary: 'Read one or several customers',
  description:
    `The path names 1 to ${CUSTOMER_IDS_MAX} ids, separated by commas. The answer is always a list, in the order of ` +
    'the ids; unknown and deleted customers are left out of it.',
  permission: 'customers.read',
  idempotency: 'none',
  params,
  returns: z.array(Customer),
  refusals: ['validation_failed'],
} as const satisfies Operation;

export const changeCustomer = {
  ...shared,
  id: 'changeCustomer',
  method: 'PATCH',
  path: '/customers/{customerId}',
  summary: 'Change some members of a customer',
  permission: 'customers.write',
  idempotency: 'optional',
  params,
  body: CustomerChange,
  returns: Customer,
  refusals: ['customer_not_found'],
} as const satisfies Operation;

export const deleteCustomer = {
  ...shared,
  id: 'deleteCustomer',
  method: 'DELETE',
  path: '/customers/{customerId}',
  summary: 'Delete a customer',
  description:
    'What was known about him is erased and his secrets are void at once. Intents that name him keep the id.',
  permission: 'customers.write',
  idempotency: 'optional',
  params,
  returns: null,
  refusals: ['customer_not_found'],
} as const satisfies Operation;

export const searchCustomers = {
  ...shared,
  id: 'searchCustomers',
  method: 'POST',
  path: '/customers/search',
  summary: 'List the customers, newest first',
  permission: 'customers.read',
  idempotency: 'optional',
  body: CustomerSearch,
  returns: shapes.getPage('CustomerPage', Customer),
  refusals: [],
} as const satisfies Operation;

export const createCustomerSecret = {
  ...shared,
  id: 'createCustomerSecret',
  method: 'POST',
  path: '/customers/{customerId}/create-secret',
  summary: 'Make a secret for the app of a customer',
  description: 'Whoever has it may see and delete the saved cards of this one customer, for 15 minutes.',
  permission: 'customers.write',
  idempotency: 'optional',
  params,
  returns: CustomerSecret,
  refusals: ['customer_not_found'],
} as const satisfies Operation;

export const CUSTOMER_OPERATIONS = [
  createCustomer,
  readCustomers,
  changeCustomer,
  deleteCustomer,
  searchCustomers,
  createCustomerSecret,
] as const;
