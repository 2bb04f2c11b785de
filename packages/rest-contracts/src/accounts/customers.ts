import { z } from 'zod';
import { freeText, TypedEmail } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { Address } from '../intent-parts/payment-intent-parts.js';
import * as shapes from '../shapes/shapes.js';

const { Moment } = shapes;

/** The limit of customers in one request. */
export const CUSTOMER_IDS_MAX = 50;

const profile = {
  name: freeText({ max: 100 }).describe('Name of the person or company.'),
  emailAddress: TypedEmail.describe('E-mail address of the customer.'),
  phoneNumber: freeText({ min: 5, max: 50 }).describe('Phone number of the customer, 5 to 50 characters.'),
  vatNumber: freeText({ max: 50 }).describe('Number under which a company is registered for VAT.'),
  billingAddress: Address.describe('Address of invoices.'),
  shippingAddress: Address.describe('Address of deliveries.'),
};

const EXAMPLE = {
  name: 'Ada Guest',
  emailAddress: 'ada@guest.example',
  billingAddress: { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' },
};

export const Customer = z
  .object({
    id: z.string().describe('Id of the customer: `cust_sandbox_…` in the sandbox, `cust_…` in production.'),
    name: z.string().optional().describe('Name of the person or company, if it is known.'),
    emailAddress: z.string().optional().describe('E-mail address, if it is known.'),
    phoneNumber: z.string().optional().describe('Phone number, if it is known.'),
    vatNumber: z.string().optional().describe('VAT number, if it is known.'),
    billingAddress: Address.optional().describe('Address of invoices, if it is known.'),
    shippingAddress: Address.optional().describe('Address of deliveries, if it is known.'),
    createdAt: Moment.describe('When the customer was created.'),
    updatedAt: Moment.describe('When the customer was changed last.'),
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
    name: profile.name.nullable().describe('The new name; null removes it.'),
    emailAddress: profile.emailAddress.nullable().describe('The new e-mail address; null removes it.'),
    phoneNumber: profile.phoneNumber.nullable().describe('The new phone number; null removes it.'),
    vatNumber: profile.vatNumber.nullable().describe('The new VAT number; null removes it.'),
    billingAddress: profile.billingAddress
      .nullable()
      .describe('The new address of invoices, as a whole; null removes it.'),
    shippingAddress: profile.shippingAddress
      .nullable()
      .describe('The new address of deliveries, as a whole; null removes it.'),
  })
  .partial()
  .meta({
    id: 'CustomerChange',
    description: 'A member that is not sent stays as it is; null removes it. An address is replaced as a whole.',
    examples: [{ phoneNumber: '+44 117 496 0000', vatNumber: null }],
  });

const CustomerSearch = z
  .object({
    ...shapes.PAGE_MEMBERS,
    name: freeText({ min: 1, max: 100 })
      .optional()
      .describe('Only customers whose name begins with this text, ignoring case.'),
    emailAddress: freeText({ min: 1, max: 254 })
      .optional()
      .describe(
        'Only customers whose e-mail address begins with this text, ignoring case. Cannot be sent with `name`.',
      ),
  })
  .refine(shapes.isOneDirection, shapes.ONE_DIRECTION)
  .refine(({ name, emailAddress }) => name === undefined || emailAddress === undefined, {
    error: 'Only one of name and emailAddress may be sent.',
    path: ['name'],
  })
  .meta({ id: 'CustomerSearch', examples: [{ limit: 10 }] });

const CustomerSecret = z
  .object({
    secret: z.string().meta({ description: 'For the app of this customer; usable repeatedly until it expires.' }),
    createdAt: Moment.describe('When the secret was created.'),
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
const params = z.object({
  customerId: z.string().describe('Id of the customer (`cust_…`). Reading accepts several, separated by commas.'),
});

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
  description: 'Their data is erased and their secrets become invalid at once. Intents that name them keep the id.',
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
  summary: 'Create a secret for the app of a customer',
  description: 'The holder of the secret can list and delete the saved cards of this one customer, for 15 minutes.',
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
