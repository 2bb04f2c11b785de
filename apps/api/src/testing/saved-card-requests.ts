import { type CustomerId, parseKnownId, type PaymentMethodId } from '@pos/core/identity';
import { applyCallMove, createAcquirerCall } from '@pos/core/acquirer-calls';
import { createPendingCard, storeCard } from '@pos/core/cards';
import { NOTHING } from '@pos/core/testing';
import { insertAcquirerCall, insertOnlineAttempt, insertSavedCard } from '@pos/store/payments';
import { createCustomer, createDeletedCustomer, createSecret, UNKNOWN_CUSTOMER } from './customer-requests.js';
import { createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

/** A saved card of a customer or a setup intent without a stored number, for operations that do not need it. */
export async function createStoredCard(
  testEnvironment: ApiTestEnvironment,
  owner: { readonly customerId?: CustomerId; readonly setupIntentId?: `si_${string}` },
  expiryYear = 2999,
): Promise<PaymentMethodId> {
  return testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const card = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
    const { customerId = null, setupIntentId = null } = owner;
    const pending = createPendingCard({
      ...{ id: await tx.newId('paymentMethod'), customerId, setupIntentId, acquirerReference: await tx.newUuid() },
      ...{ card: { ...card, expiryMonth: 12, expiryYear }, now: tx.now },
    });
    insertSavedCard(tx, storeCard(pending, 'Debit', tx.now));
    return pending.id;
  });
}

/** A customer with a saved card, and a secret that may read it. */
async function createCardOwner(testEnvironment: ApiTestEnvironment) {
  const customerId = parseKnownId('customer', await createCustomer(testEnvironment));
  return {
    customerId,
    key: await createSecret(testEnvironment, customerId),
    cardId: await createStoredCard(testEnvironment, { customerId }),
  };
}

/** The same while a payment with the card has not ended. */
async function createBusyOwner(testEnvironment: ApiTestEnvironment) {
  const own = await createCardOwner(testEnvironment);
  const paymentIntentId = parseKnownId('paymentIntent', (await testEnvironment.createIntent()).id);
  await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) => {
    const reference = await tx.newUuid();
    const subject = { paymentIntentId, setupIntentId: null };
    insertOnlineAttempt(tx, {
      ...{ reference, subject, cardId: own.cardId, createdAt: tx.now },
      ...{ secretHash: null, secretExpireAt: null, contacts: null },
    });
    const call = createAcquirerCall({
      ...{
        reference,
        kind: 'Authorise',
        acquirer: 'default',
        merchantId: 'M-1',
        originalReference: null,
        paymentIntentId,
        terminalSessionId: null,
      },
      ...{ amount: NOTHING, deadlineAt: tx.databaseNow },
    });
    await insertAcquirerCall(tx, applyCallMove(call, 'send'));
  });
  return own;
}

const buildListPath = (customerId: string): string => `/customers/public/${customerId}/payment-methods`;

const buildMerchantPath = (customerId: string): string => `/customers/${customerId}/payment-methods`;

/** An accepted request for each operation on saved cards. */
export function createSavedCardRequests(testEnvironment: EnvironmentGetter) {
  return {
    readPaymentMethods: async () => {
      const { customerId, key } = await createCardOwner(testEnvironment());
      return { path: buildListPath(customerId), key };
    },
    listSavedCards: async () => ({ path: buildMerchantPath((await createCardOwner(testEnvironment())).customerId) }),
    deleteSavedCard: async () => {
      const { customerId, cardId } = await createCardOwner(testEnvironment());
      return { path: `${buildMerchantPath(customerId)}/${cardId}` };
    },
    readOfferedCards: async () => ({
      path: `/payment-intents/public/${await testEnvironment().createIntentIn('Created')}/payment-methods`,
    }),
    deletePaymentMethod: async () => {
      const { customerId, key, cardId } = await createCardOwner(testEnvironment());
      return { path: `${buildListPath(customerId)}/${cardId}`, key };
    },
  };
}

/** The refusals that each operation on saved cards declares for itself. */
// oxfmt-ignore
export function createSavedCardRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const others = async () => ({ one: await createCardOwner(testEnvironment()), other: await createCardOwner(testEnvironment()) });
  return [
  ...(['readPaymentMethods', 'deletePaymentMethod'] as const).flatMap((id): RefusalCase[] => {
    const path = ({ customerId, cardId }: { customerId: string; cardId: string }) => `${buildListPath(customerId)}${id === 'readPaymentMethods' ? '' : `/${cardId}`}`;
    return [
      [id, 'unauthenticated', [], async () => createRequest(path(await createCardOwner(testEnvironment())), undefined, 'no secret')],
      [id, 'unauthenticated', [], async () => createRequest(path(await createCardOwner(testEnvironment())), undefined, testEnvironment().keys.full)],
      [id, 'unauthenticated', [], async () => { const { one, other } = await others(); return createRequest(path(one), undefined, other.key); }],
      [id, 'unauthenticated', [], async () => createRequest(path({ ...(await createCardOwner(testEnvironment())), customerId: await createDeletedCustomer(testEnvironment()) }), undefined, (await createCardOwner(testEnvironment())).key)],
      [id, 'unauthenticated', [], async () => {
        const own = await createCardOwner(testEnvironment());
        await testEnvironment().queryRows(`update customer_secrets set expire_at = now() - interval '1 second' where customer_id = $1 returning id`, [own.customerId]);
        return createRequest(path(own), undefined, own.key);
      }],
    ];
  }),
  ['readOfferedCards', 'payment_intent_not_found', [], () => Promise.resolve(createRequest('/payment-intents/public/x/payment-methods'))],
  ['readOfferedCards', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${await testEnvironment().createIntentIn('Canceled')}/payment-methods`)],
  ['readOfferedCards', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${(await testEnvironment().createIntent({}, testEnvironment().keys.offline)).id}/payment-methods`)],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { customerId, key } = await createCardOwner(testEnvironment()); return createRequest(`${buildListPath(customerId)}/pm_${'A'.repeat(22)}`, undefined, key); }],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { customerId, key } = await createCardOwner(testEnvironment()); return createRequest(`${buildListPath(customerId)}/%00`, undefined, key); }],
  ['deletePaymentMethod', 'saved_card_not_found', [], async () => { const { one, other } = await others(); return createRequest(`${buildListPath(one.customerId)}/${other.cardId}`, undefined, one.key); }],
  ...listMerchantRefusals(testEnvironment),
  ['deletePaymentMethod', 'saved_card_busy', [], async () => { const { customerId, key, cardId } = await createBusyOwner(testEnvironment()); return createRequest(`${buildListPath(customerId)}/${cardId}`, undefined, key); }],
  ];
}

/** The refusals of the merchant's own operations: another account's customer does not exist for them. */
// oxfmt-ignore
function listMerchantRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const owner = () => createCardOwner(testEnvironment());
  const ofCustomer = (['listSavedCards', 'deleteSavedCard'] as const).flatMap((id): RefusalCase[] => {
    const path = (customerId: string, cardId: string) => `${buildMerchantPath(customerId)}${id === 'listSavedCards' ? '' : `/${cardId}`}`;
    return [
      [id, 'customer_not_found', [], async () => createRequest(path(UNKNOWN_CUSTOMER, (await owner()).cardId))],
      [id, 'customer_not_found', [], async () => createRequest(path(await createDeletedCustomer(testEnvironment()), (await owner()).cardId))],
      [id, 'customer_not_found', [], async () => { const { customerId, cardId } = await owner(); return createRequest(path(customerId, cardId), undefined, testEnvironment().keys.foreign); }],
      [id, 'customer_not_found', [], async () => { const { customerId, cardId } = await owner(); return createRequest(path(customerId, cardId), undefined, testEnvironment().keys.production); }],
      [id, 'customer_not_found', [], async () => createRequest(path('%00', (await owner()).cardId))],
    ];
  });
  return [
    ...ofCustomer,
    ['deleteSavedCard', 'saved_card_not_found', [], async () => createRequest(`${buildMerchantPath((await owner()).customerId)}/pm_${'A'.repeat(22)}`)],
    ['deleteSavedCard', 'saved_card_not_found', [], async () => createRequest(`${buildMerchantPath((await owner()).customerId)}/%00`)],
    ['deleteSavedCard', 'saved_card_not_found', [], async () => createRequest(`${buildMerchantPath((await owner()).customerId)}/${(await owner()).cardId}`)],
    ['deleteSavedCard', 'saved_card_busy', [], async () => { const { customerId, cardId } = await createBusyOwner(testEnvironment()); return createRequest(`${buildMerchantPath(customerId)}/${cardId}`); }],
  ];
}
