import { Controller } from '@nestjs/common';
import { type Customer, countChanges } from '@pos/core/accounts';
import { createViolation } from '@pos/core/refusals';
import { Customers, issueCustomerSecret } from '@pos/payments/customers';
import * as rest from '@pos/rest-contracts/accounts';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class CustomersController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly customers: Customers,
  ) {}

  @Serve(rest.createCustomer)
  async create(call: OperationCall<typeof rest.createCustomer>) {
    return this.database.runOnce<typeof rest.createCustomer>(call, async (tx) =>
      presentCustomer(await this.customers.create(tx, call.body)),
    );
  }

  @Serve(rest.readCustomers)
  async read({ caller, params }: OperationCall<typeof rest.readCustomers>) {
    const ids = parseCustomerIds(params.customerId);
    const foundCustomers = await this.database.read(caller.scope, (reader) => this.customers.read(reader, ids));
    return foundCustomers.map(presentCustomer);
  }

  @Serve(rest.changeCustomer)
  async change(call: OperationCall<typeof rest.changeCustomer>) {
    return this.database.runOnce<typeof rest.changeCustomer>(call, async (tx) =>
      presentCustomer(await this.customers.change(tx, call.params.customerId, call.body)),
    );
  }

  @Serve(rest.deleteCustomer)
  async remove(call: OperationCall<typeof rest.deleteCustomer>) {
    return this.database.runOnce<typeof rest.deleteCustomer>(call, async (tx) => {
      await this.customers.remove(tx, call.params.customerId);
      return undefined;
    });
  }

  @Serve(rest.searchCustomers)
  async search(call: OperationCall<typeof rest.searchCustomers>) {
    return this.database.runAndStore<typeof rest.searchCustomers>(call, async () => {
      const { customers, before, after } = await this.database.read(call.caller.scope, (reader) =>
        this.customers.search(reader, call.body),
      );
      return { data: customers.map(presentCustomer), before, after };
    });
  }

  @Serve(rest.createCustomerSecret)
  async createSecret(call: OperationCall<typeof rest.createCustomerSecret>) {
    return this.database.runOnce<typeof rest.createCustomerSecret>(call, async (tx) => {
      const { text, createdAt, expireAt } = await issueCustomerSecret(tx, call.params.customerId);
      return { secret: text, createdAt: presentMoment(createdAt), expireAt: presentMoment(expireAt) };
    });
  }
}

/** A malformed id counts as unknown. No id at all, or too many, is a bad request. */
function parseCustomerIds(text: string): string[] {
  const ids = text.split(',').filter((id) => id !== '');
  if (ids.length >= 1 && ids.length <= rest.CUSTOMER_IDS_MAX) return ids;
  throw createViolation('validation_failed', 'ids', `Must be 1 to ${rest.CUSTOMER_IDS_MAX} ids, separated by commas.`);
}

function presentCustomer(customer: Customer): rest.Customer {
  const { id, name, emailAddress, phoneNumber, vatNumber, billingAddress, shippingAddress } = customer;
  return {
    id,
    ...present({ name, emailAddress, phoneNumber, vatNumber, billingAddress, shippingAddress }),
    createdAt: presentMoment(customer.createdAt),
    updatedAt: presentMoment(customer.updatedAt),
    documentVersion: countChanges(customer),
  };
}
