import {
  changeCustomer,
  type Customer,
  type CustomerChange,
  CUSTOMER_SECRET_LIFE_MS,
  deleteCustomer,
  createCustomer,
} from '@pos/core/accounts';
import { CUSTOMER_SECRET_RANDOM_BYTES, createCustomerSecret } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import {
  type CustomerPrefix,
  deleteCustomerSecrets,
  findCustomer,
  findCustomers,
  insertCustomer,
  insertCustomerSecret,
  lockCustomer,
  listCustomers,
  updateCustomer,
} from '@pos/store/repositories';
import type { Reader, Tx } from '@pos/store/database';
import { eraseCardsOfOwner } from './card-erasure.js';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';

export interface CustomerPage extends PageCursors {
  readonly customers: readonly Customer[];
}

/** Which customers are listed; at most one of both texts. */
export interface CustomerQuery extends PageQuery {
  readonly name?: string | undefined;
  readonly emailAddress?: string | undefined;
}

/** A new secret; its text is returned once and not stored. */
export interface IssuedCustomerSecret {
  readonly text: string;
  readonly createdAt: Date;
  readonly expireAt: Date;
}

/** The data that an account stores about its own customers. A deleted one is the same as one that never existed. */
export class Customers {
  async create(tx: Tx, profile: CustomerChange): Promise<Customer> {
    const customer = createCustomer(await tx.newId('customer'), profile, tx.now);
    await insertCustomer(tx, customer);
    return customer;
  }

  /** The customers among the ids, each once, in the order of the ids. */
  async read(reader: Reader, ids: readonly string[]): Promise<Customer[]> {
    return findCustomers(reader, [...new Set(ids)]);
  }

  /** Changes the members that are given; null removes one. Without a difference nothing is written. */
  async change(tx: Tx, id: string, change: CustomerChange): Promise<Customer> {
    const customer = await getLockedCustomer(tx, id);
    const changed = changeCustomer(customer, change, tx.now);
    return changed === null ? customer : updateCustomer(tx, changed);
  }

  /** Deletes the customer with their secrets and saved cards. Intents that name the customer keep the id. */
  async remove(tx: Tx, id: string): Promise<void> {
    const customer = await getLockedCustomer(tx, id);
    await deleteCustomerSecrets(tx, customer.id);
    await eraseCardsOfOwner(tx, customer.id);
    await updateCustomer(tx, deleteCustomer(customer, tx.now));
  }

  /** A page of customers, newest first; of those whose name or address begins with a text. */
  async search(reader: Reader, query: CustomerQuery): Promise<CustomerPage> {
    const { limit, name, emailAddress } = query;
    const position = readPosition(reader.scope, 'customer', query);
    const page = await listCustomers(reader, { limit, ...position, prefix: readPrefix({ name, emailAddress }) });
    return { customers: page.elements, ...buildPageCursors(reader.scope, page) };
  }
}

function readPrefix({ name, emailAddress }: Pick<CustomerQuery, 'name' | 'emailAddress'>): CustomerPrefix | null {
  if (name !== undefined) return { member: 'name', text: name };
  return emailAddress === undefined ? null : { member: 'emailAddress', text: emailAddress };
}

/** Reads a customer. Refuses an unknown one. */
export async function getCustomer(reader: Reader, id: string): Promise<Customer> {
  const customer = await findCustomer(reader, id);
  if (customer === null) throw new Refusal('customer_not_found', 'there is no such customer');
  return customer;
}

/** Locks a customer. Refuses an unknown one. */
async function getLockedCustomer(tx: Tx, id: string): Promise<Customer> {
  const customer = await lockCustomer(tx, id);
  if (customer === null) throw new Refusal('customer_not_found', 'there is no such customer');
  return customer;
}

/** Creates a secret with which an app may use this customer's saved cards, any number of times, for 15 minutes. */
export async function issueCustomerSecret(tx: Tx, customerId: string): Promise<IssuedCustomerSecret> {
  const customer = await getLockedCustomer(tx, customerId);
  const secretId = await tx.newId('customerSecret');
  const random = await tx.randomBytes('customerSecret', CUSTOMER_SECRET_RANDOM_BYTES);
  const text = createCustomerSecret({ ...tx.scope, secretId, random });
  const createdAt = tx.now;
  const expireAt = new Date(createdAt.getTime() + CUSTOMER_SECRET_LIFE_MS);
  insertCustomerSecret(tx, { id: secretId, customerId: customer.id, createdAt, expireAt }, text);
  return { text, createdAt, expireAt };
}
