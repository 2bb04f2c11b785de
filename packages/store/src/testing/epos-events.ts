import { createPaymentIntentEvent } from '@pos/core/webhooks';
import type { PaymentIntentEventKind } from '@pos/core/events';
import type { Scope } from '@pos/core/identity';
import { buildIntent } from '@pos/core/testing';
import type { Database } from '../database/database.js';
import { putEposIntegration } from '../repositories/epos-integrations.js';
import { emitAll } from '../queues/outbox.js';

/** Registers an EPOS that subscribes to these events. */
export function registerEposForEvents(
  database: Database,
  scope: Scope,
  { kind, events }: { readonly kind: 'rest' | 'ws' | 'service'; readonly events: readonly PaymentIntentEventKind[] },
): Promise<void> {
  const capabilities = events.map((each) => ({ name: `HandleEvent:${each}`, version: 'v1' as const }));
  return database.transact(scope, (tx) =>
    putEposIntegration(tx, { kind, url: null, username: null, password: null, capabilities }),
  );
}

/** Emits events of one new intent in one transaction; returns their ids. */
export function emitIntentEvents(
  database: Database,
  scope: Scope,
  kinds: readonly PaymentIntentEventKind[],
): Promise<string[]> {
  return database.transact(scope, async (tx) => {
    const intent = { ...buildIntent(), id: await tx.newId('paymentIntent') };
    const envelopes = [];
    for (const kind of kinds) {
      const head = { id: await tx.newId('event'), kind, accountId: scope.accountId, createdAt: tx.now };
      envelopes.push(createPaymentIntentEvent(head, intent));
    }
    await emitAll(tx, envelopes);
    return envelopes.map(({ id }) => id);
  });
}
