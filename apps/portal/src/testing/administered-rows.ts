import { createSubscription, listSubscriptions } from '@pos/payments/webhooks';
import type { Scope } from '@pos/core/identity';
import type { Tx } from '@pos/store/database';
import type { PortalTestEnvironment } from './portal-test-environment.js';

const EVENT = 'payment_intent.status_updated';

/** Stores a dead letter of the account, and returns the id of its delivery. */
export async function createDeadLetter(rows: Rows, scope: Scope): Promise<string> {
  const { subscriptionId, eventId, deliveryId } = await rows.testDatabase.database.transact(scope, async (tx) => ({
    subscriptionId: await findOrCreateSubscription(tx),
    eventId: await tx.newId('event'),
    deliveryId: await tx.newId('delivery'),
  }));
  const { accountId, environment } = scope;
  await rows.change(
    `insert into events (account_id, environment, id, kind, subject_id, number, subscription_id, body, created_at,
       recorded_at) values ($1, $2, $3, $4, $3, 1, $5, '{}', now(), now())`,
    [accountId, environment, eventId, EVENT, subscriptionId],
  );
  await rows.change(
    `insert into deliveries (account_id, environment, lane_key, number, id, event_id, subscription_id, state, attempts,
       last_status, created_at, updated_at)
     values ($1, $2, $3, 1, $4, $3, $5, 'DeadLettered', 12, 503, now(), now())`,
    [accountId, environment, eventId, deliveryId, subscriptionId],
  );
  return deliveryId;
}

/** An account has one subscription for an event. */
async function findOrCreateSubscription(tx: Tx): Promise<string> {
  const [stored] = await listSubscriptions(tx);
  if (stored !== undefined) return stored.id;
  const request = { url: 'https://receiver.example/hook', description: null, events: [EVENT] } as const;
  return (await createSubscription(tx, request)).id;
}

let calls = 0;

/** Stores a call to the acquirer that has been open for a day, and returns its reference. */
export async function createOpenCall(rows: Rows, { accountId, environment }: Scope): Promise<string> {
  const reference = `ref-${(calls += 1)}`;
  await rows.change(
    `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, state, amount, currency, deadline_at, version,
       created_at, updated_at)
     values ($1, $2, 'merchant-1', $3, 'Capture', 'Unknown', 100, 'GBP', now() - interval '1 day', 1, now(), now())`,
    [accountId, environment, reference],
  );
  return reference;
}

/** Stores an open difference, and returns its id. */
export async function createDifference(rows: Rows, { accountId, environment }: Scope): Promise<string> {
  const [row] = await rows.change(
    `insert into reconciliation_differences (account_id, environment, id, kind, reference, says, ours, happened_at, state,
       first_seen_at, last_seen_at)
     values ($1, $2, gen_random_uuid(), 'NotBooked', 'ref-' || gen_random_uuid(), 'the acquirer has not booked it',
       'Capture of 100 GBP', now(), 'Open', now() - interval '1 hour', now()) returning id`,
    [accountId, environment],
  );
  return String(row?.['id']);
}

type Rows = Pick<PortalTestEnvironment, 'testDatabase' | 'change'>;
