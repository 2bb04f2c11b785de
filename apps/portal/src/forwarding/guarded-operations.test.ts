import { expect, test } from '@jest/globals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { isGuarded } from './guarded-operations.js';

/** A new operation is added here after a decision about it. */
const DECISIONS = {
  always: [
    'refundPaymentIntent',
    'reversePaymentIntent',
    'resetTerminalMachine',
    'createTerminalSession',
    'createSecret',
    'activateSecret',
    'deleteSecret',
    'resolvePendingPayment',
    'createApiKey',
    'changeApiKey',
    'deleteApiKey',
    'changeBranding',
  ],
  inProduction: [
    'createSubscription',
    'changeSubscription',
    'deleteSubscription',
    'putRestIntegration',
    'deleteRestIntegration',
    'putWsIntegration',
    'deleteWsIntegration',
    'putGrpcIntegration',
    'deleteGrpcIntegration',
  ],
  never: [
    'createPaymentIntent',
    'cancelPaymentIntent',
    'searchPaymentIntents',
    'refreshClientSecret',
    'changeAmount',
    'changeTips',
    'capturePaymentIntent',
    'chargePaymentIntent',
    'sendReceipt',
    'createSetupIntent',
    'cancelSetupIntent',
    'refreshSetupSecret',
    'createCustomer',
    'changeCustomer',
    'deleteCustomer',
    'searchCustomers',
    'createCustomerSecret',
    'deleteSavedCard',
    'cancelTerminalSession',
    'decideSignature',
    'searchTransactions',
    'replayDelivery',
    'replayEvents',
    'sendTestEvent',
    'createDeliveryLink',
    'releaseTableLease',
    'replayEposEvents',
    'startReconciliation',
    'answerReconciliationDifference',
    'answerAlarm',
    'reportEposEvent',
    'submitOrder',
    'createReservation',
    'updateReservation',
    'deleteReservation',
    'createParty',
    'updateParty',
    'deleteParty',
    'advanceClock',
    'putSandboxEpos',
  ],
};

test('each operation that changes something is guarded by the password, or deliberately not', () => {
  const changing = API_OPERATIONS.filter(({ permission, method }) => permission !== null && method !== 'GET');
  const isGuardedIn = (environment: 'sandbox' | 'production') => (operation: (typeof changing)[number]) =>
    isGuarded(operation, { body: {}, release: LATEST_RELEASE, environment });
  const ids = (operations: typeof changing): string[] => operations.map(({ id }) => id);
  const always = changing.filter(isGuardedIn('sandbox'));
  const inProduction = changing.filter((each) => isGuardedIn('production')(each) && !always.includes(each));
  const never = changing.filter((each) => !isGuardedIn('production')(each));
  const decided = { always: ids(always), inProduction: ids(inProduction), never: ids(never) };
  expect(decided).toEqual(DECISIONS);
});
