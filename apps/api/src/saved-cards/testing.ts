import { type CustomerId, knownId, type PaymentMethodId } from '@pos/core/identity';
import { moved, newCall } from '@pos/core/acquirer-call';
import { pendingCard, store } from '@pos/core/saved-card';
import { NOTHING } from '@pos/core/testing';
import { insertAcquirerCall } from '@pos/store/acquirer-calls';
import { insertOnlineAttempt } from '@pos/store/online-attempts';
import { insertSavedCard } from '@pos/store/saved-cards';
import { createCustomer, deletedCustomer, secretOf } from '../customers/testing.js';
import { at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

/** A saved card of a customer, or of a setup intent, whose number is nowhere: for what is done without it. */
export async function keptCard(
  world: ApiWorld,
  owner: { readonly customerId?: CustomerId; readonly setupIntentId?: `si_${string}` },
  expiryYear = 2999,
): Promise<PaymentMethodId> {
  return world.place.database.transact(world.sandbox, async (tx) => {
    const card = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
    const { customerId = null, setupIntentId = null } = owner;
    const pending = pendingCard({
      ...{ id: await tx.newId('paymentMethod'), customerId, setupIntentId, acquirerReference: await tx.newUuid() },
      ...{ card: { ...card, expiryMonth: 12, expiryYear }, now: tx.now },
    });
    insertSavedCard(tx, store(pending, 'Debit', tx.now));
    return pending.id;
  });
}

/** A customer with a saved card, and who may see it. */
async function owner(world: ApiWorld) {
  const customerId = knownId('customer', await createCustomer(world));
  return { customerId, key: await secretOf(world, customerId), cardId: await keptCard(world, { customerId }) };
}

/** The same while a payment with the card has not ended. */
async function busyOwner(world: ApiWorld) {
  const own = await owner(world);
  const paymentIntentId = knownId('paymentIntent', (await world.intent()).id);
  await world.place.database.transact(world.sandbox, async (tx) => {
    const reference = await tx.newUuid();
    const subject = { paymentIntentId, setupIntentId: null };
    insertOnlineAttempt(tx, {
      ...{ reference, subject, cardId: own.cardId, createdAt: tx.now },
      ...{ secretHash: null, secretExpireAt: null, contacts: null },
    });
    const call = newCall({
      ...{ reference, kind: 'Authorise', originalReference: null, paymentIntentId, terminalSessionId: null },
      ...{ amount: NOTHING, deadlineAt: tx.databaseNow },
    });
    await insertAcquirerCall(tx, moved(call, 'send'));
  });
  return own;
}

const listOf = (customerId: string): string => `/customers/public/${customerId}/payment-methods`;

/** A request of each operation on saved cards, which it accepts. */
export function savedCardRequests(world: World) {
  return {
    readPaymentMethods: async () => {
      const { customerId, key } = await owner(world());
      return { path: listOf(customerId), key };
    },
    readOfferedCards: async () => ({
      path: `/payment-intents/public/${await world().intentIn('Created')}/payment-methods`,
    }),
    deletePaymentMethod: async () => {
      const { customerId, key, cardId } = await owner(world());
      return { path: `${listOf(customerId)}/${cardId}`, key };
    },
  };
}

/** How each operation on saved cards refuses by its own rules. */
// prettier-ignore
export function savedCardRefusals(world: World): readonly Own[] {
  const others = async () => ({ one: await owner(world()), other: await owner(world()) });
  return [
  ...(['readPaymentMethods', 'deletePaymentMethod'] as const).flatMap((id): Own[] => {
    const path = ({ customerId, cardId }: { customerId: string; cardId: string }) => `${listOf(customerId)}${id === 'readPaymentMethods' ? '' : `/${cardId}`}`;
    return [
      [id, 'unauthenticated', [], async () => at(path(await owner(world())), undefined, 'no secret')],
      [id, 'unauthenticated', [], async () => at(path(await owner(world())), undefined, world().keys.full)],
      [id, 'unauthenticated', [], async () => { const { one, other } = await others(); return at(path(one), undefined, other.key); }],
      [id, 'unauthenticated', [], async () => at(path({ ...(await owner(world())), customerId: await deletedCustomer(world()) }), undefined, (await owner(world())).key)],
      [id, 'unauthenticated', [], async () => {
        const own = await owner(world());
        await world().look(`update customer_secrets set expire_at = now() - interval '1 second' where customer_id = $1 returning id`, [own.customerId]);
        return at(path(own), undefined, own.key);
      }],
    ];
  }),
  ['readOfferedCards', 'payment_intent_not_found', [], () => Promise.resolve(at('/payment-intents/public/x/payment-methods'))],
  ['readOfferedCards', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${await world().intentIn('Canceled')}/payment-methods`)],
  ['readOfferedCards', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${(await world().intent({}, world().keys.offline)).id}/payment-methods`)],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { customerId, key } = await owner(world()); return at(`${listOf(customerId)}/pm_${'A'.repeat(22)}`, undefined, key); }],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { customerId, key } = await owner(world()); return at(`${listOf(customerId)}/%00`, undefined, key); }],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { one, other } = await others(); return at(`${listOf(one.customerId)}/${other.cardId}`, undefined, one.key); }],
  ['deletePaymentMethod', 'saved_card_busy', [], async () => { const { customerId, key, cardId } = await busyOwner(world()); return at(`${listOf(customerId)}/${cardId}`, undefined, key); }],
  ];
}
