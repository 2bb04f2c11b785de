import { randomUUID } from 'node:crypto';
import type { AccountId, Scope } from '@pos/core/identity';
import { createPassword, createPortalUser, grantPortalRole } from '@pos/administration/portal';
import { createSubscription } from '@pos/payments/webhooks';
import type { Database, Tx } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import type { DevWorld } from '../dev/world.js';

/** What waits for an operator. */
export interface OpenWork {
  /** The reference of a call to the acquirer without an outcome. */
  readonly call: string;
  /** The reference that a difference is about. */
  readonly difference: string;
  /** A delivery whose attempts are spent. */
  readonly delivery: string;
}

const EVENT = 'payment_intent.status_updated';

/** Stores the rows that an outage of an acquirer and of a receiver would leave in the sandbox of the second account. */
export function insertOpenWork(world: DevWorld): Promise<OpenWork> {
  return changeRows(world, 1, async (tx) => ({
    call: await insertOpenCall(tx),
    difference: await insertDifference(tx),
    delivery: await insertDeadLetter(tx),
  }));
}

/** A subscription of the first account with a delivery that failed for good. Returns the delivery. */
export function insertFailedDelivery(world: DevWorld): Promise<string> {
  return changeRows(world, 0, insertDeadLetter);
}

/** Afterwards nobody has used the session that began last for a day. */
export function ageNewestSession(world: DevWorld): Promise<void> {
  return changeRows(world, 0, (tx) =>
    tx.runWithManager('age_newest_session', async (manager) => {
      await manager.query(
        `update portal_sessions set used_at = clock_timestamp() - interval '1 day'
         where created_at = (select max(created_at) from portal_sessions)`,
      );
    }),
  );
}

/** A user whose password an operator has set. */
export interface FirstPassword {
  readonly email: string;
  readonly password: string;
}

/** Creates a user with a role in the sandbox of the first account, as an operator does. */
export function createFirstPassword(world: DevWorld): Promise<FirstPassword> {
  const user = { email: `${randomUUID()}@pos.example`, password: createPassword() };
  const change = { actor: 'scenario', reason: 'a new colleague' };
  return useDatabase(world, async (database) => {
    await createPortalUser(database, change, { ...user, name: 'Ben Okafor', isOperator: false });
    const membership = { accountId: findAccountId(world, 0), environment: 'sandbox', role: 'support' } as const;
    await grantPortalRole(database, change, { email: user.email, membership });
    return user;
  });
}

function changeRows<T>(world: DevWorld, account: number, insert: (tx: Tx) => Promise<T>): Promise<T> {
  const accountId = findAccountId(world, account);
  return useDatabase(world, (database) => database.transact({ accountId, environment: 'sandbox' }, insert));
}

function findAccountId({ accounts }: DevWorld, account: number): AccountId {
  const accountId = accounts[account]?.accountId;
  if (accountId === undefined) throw new Error('the world has too few accounts');
  return accountId;
}

async function useDatabase<T>(
  { databaseUrl, secrets }: DevWorld,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({
    ...{ url: databaseUrl, applicationName: 'scenario' },
    secrets: { encryptionKey: Buffer.from(secrets.encryptionKey, 'base64'), pepper: secrets.keyPepper },
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function insertOpenCall(tx: Tx): Promise<string> {
  const reference = `call-${randomUUID()}`;
  await query(
    tx,
    `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, state, amount, currency, deadline_at, version,
       created_at, updated_at)
     values ($1, $2, 'merchant-1', $3, 'Capture', 'Unknown', 4200, 'GBP', now() - interval '1 hour', 1, now() - interval '1 hour', now())`,
    [reference],
  );
  return reference;
}

async function insertDifference(tx: Tx): Promise<string> {
  const reference = `booked-${randomUUID()}`;
  await query(
    tx,
    `insert into reconciliation_differences (account_id, environment, id, kind, reference, amount, currency, ours, theirs,
       says, happened_at, state, first_seen_at, last_seen_at)
     values ($1, $2, $3, 'OtherAmount', $4, 2001, 'GBP', 'Authorise of 2000 GBP', 'Authorise of 2001 GBP',
       'the acquirer booked 2001 GBP, we asked for 2000 GBP', now(), 'Open', now(), now())`,
    [await tx.newUuid(), reference],
  );
  return reference;
}

async function insertDeadLetter(tx: Tx): Promise<string> {
  const request = { url: 'https://receiver.example/hook', description: null, events: [EVENT] } as const;
  const subscription = await createSubscription(tx, request);
  const [event, delivery] = [await tx.newId('event'), await tx.newId('delivery')];
  await query(
    tx,
    `insert into events (account_id, environment, id, kind, subject_id, number, subscription_id, body, created_at,
       recorded_at) values ($1, $2, $3, '${EVENT}', 'pi_x', 1, $4, '{}', now(), now())`,
    [event, subscription.id],
  );
  await query(
    tx,
    `insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
       last_status, created_at, updated_at)
     values ($1, $2, $3, 1, $4, $3, $5, 'DeadLettered', 12, 503, now(), now())`,
    [event, delivery, subscription.id],
  );
  return delivery;
}

/** The first two values are the scope. */
async function query(tx: Tx, sql: string, values: readonly unknown[]): Promise<void> {
  const { accountId, environment }: Scope = tx.scope;
  await tx.runWithManager('insert_open_work', (manager) => manager.query(sql, [accountId, environment, ...values]));
}
