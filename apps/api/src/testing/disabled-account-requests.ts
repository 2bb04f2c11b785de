import { setTimeout as pause } from 'node:timers/promises';
import { disableAccount } from '@pos/administration/accounts';
import type { Scope } from '@pos/core/identity';
import { type AcceptedRequest, createRequest, type RefusalCase, UNKNOWN_INTENT } from './money-requests.js';
import { NEW_INTENT_BODY } from './accepted-requests.js';
import { GBP_20, type ApiTestEnvironment } from './api-test-environment.js';
import { createPartyBody, createReservationBody, PARTIES_PATH, RESERVATIONS_PATH } from './booking-requests.js';
import { ORDER_BODY, ORDERS_PATH } from './order-requests.js';
import { createSetup, NEW_SETUP_BODY } from './setup-requests.js';

type EnvironmentGetter = () => ApiTestEnvironment;

/** The age at which a cached account is read again. */
const CACHE_MS = 2_000;
const REFRESH_PATH = 'refresh-client-session-secret';
const UNLINKED = { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } };

/** What a disabled account starts no more. A payer has no key that would be refused; a key is trusted for 900 ms. */
export function createDisabledAccountRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const disable = (scope: Scope) =>
    testEnvironment().testDatabase.database.transact(scope, (tx) =>
      disableAccount(tx, { actor: 'anna', reason: 'contract ended' }),
    );
  const createByKey = (path: string, body: object | undefined) => async (): Promise<AcceptedRequest> => {
    const { scope, key } = await testEnvironment().createAccount();
    await testEnvironment().sendRequest('GET', '/terminals', { key });
    await disable(scope);
    return createRequest(path, body, key);
  };
  const createByPayer = (create: (key: string) => Promise<string>) => async (): Promise<AcceptedRequest> => {
    const { scope, key } = await testEnvironment().createAccount();
    const path = await create(key);
    await disable(scope);
    await pause(CACHE_MS);
    return createRequest(path);
  };
  const session = { terminalId: 'tm_sandbox_000000000000000000000000', details: UNLINKED };
  const order = { paymentIntentId: UNKNOWN_INTENT, order: ORDER_BODY };
  const payment = async (key: string) =>
    `/payment-intents/public/${(await testEnvironment().createIntent({}, key)).id}/${REFRESH_PATH}`;
  const setup = async (key: string) =>
    `/setup-intents/public/${(await createSetup(testEnvironment(), {}, key)).id}/${REFRESH_PATH}`;
  return [
    ['refreshPublicClientSecret', 'account_disabled', [], createByPayer(payment)],
    ['refreshPublicSetupSecret', 'account_disabled', [], createByPayer(setup)],
    ['createPaymentIntent', 'account_disabled', [], createByKey('/payment-intents', NEW_INTENT_BODY)],
    ['createSetupIntent', 'account_disabled', [], createByKey('/setup-intents', NEW_SETUP_BODY)],
    ['createTerminalSession', 'account_disabled', [], createByKey('/terminal-sessions', session)],
    ['changeBranding', 'account_disabled', [], createByKey('/branding', { font: 'serif' })],
    ['submitOrder', 'account_disabled', [], createByKey(ORDERS_PATH, order)],
    ['createReservation', 'account_disabled', [], createByKey(RESERVATIONS_PATH, createReservationBody())],
    ['updateReservation', 'account_disabled', [], createByKey(`${RESERVATIONS_PATH}/x`, createReservationBody())],
    ['deleteReservation', 'account_disabled', [], createByKey(`${RESERVATIONS_PATH}/x`, undefined)],
    ['createParty', 'account_disabled', [], createByKey(PARTIES_PATH, createPartyBody())],
    ['updateParty', 'account_disabled', [], createByKey(`${PARTIES_PATH}/x`, createPartyBody({ status: 'Left' }))],
    ['deleteParty', 'account_disabled', [], createByKey(`${PARTIES_PATH}/x`, undefined)],
    [
      'chargePaymentIntent',
      'account_disabled',
      [],
      createByKey(`/payment-intents/${UNKNOWN_INTENT}/charge`, undefined),
    ],
  ];
}
