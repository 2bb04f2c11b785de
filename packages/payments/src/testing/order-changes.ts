import type { OrderPlacement } from '@pos/core/orders';
import { createOnlineApproval, gbp } from '@pos/core/testing';
import { DAY_MS } from '@pos/core/time';
import { TestCardMachine } from './card-machine.js';
import { OnlinePayments } from '../online/online-payments.js';
import { concludeAttempt } from '../online/attempt-conclusion.js';
import type { TestEpos } from './order-epos.js';
import { type TestEnvironment, transactAs, elapseTime, getOutcome } from './test-environment.js';

/** Every change of a payment's status that matters to its order. */
export const CHANGES: readonly [
  string,
  (testEnvironment: TestEnvironment, testEpos: TestEpos, id: OrderPlacement['intentId']) => Promise<unknown>,
  string,
][] = [
  [
    'is approved on a card machine',
    async (testEnvironment, { testAccount }, id) => {
      const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
      await machine.confirmSession();
      await machine.approvePayment();
    },
    'Placing',
  ],
  [
    'is approved once its signature is',
    async (testEnvironment, { testAccount }, id) => {
      const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
      await machine.confirmSession();
      await machine.approvePayment(true);
      await transactAs(testEnvironment, testAccount, (tx) =>
        testEnvironment.sessions.decideSignature(tx, machine.session.id, true),
      );
    },
    'Placing',
  ],
  [
    'is reversed because its signature is refused',
    async (testEnvironment, { testAccount }, id) => {
      const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
      await machine.confirmSession();
      await machine.approvePayment(true);
      await transactAs(testEnvironment, testAccount, (tx) =>
        testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
      );
    },
    'Ended',
  ],
  [
    'is approved by a machine that reports late',
    async (testEnvironment, { testAccount }, id) => {
      const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
      await machine.confirmSession();
      await elapseTime(testEnvironment, testAccount.scope, 90000);
      await machine.approvePayment();
    },
    'Placing',
  ],
  [
    'is approved by the acquirer’s word, the machine being lost',
    async (testEnvironment, { testAccount }, id) => {
      const machine = await TestCardMachine.startSale(testEnvironment, testAccount, id);
      await machine.confirmSession();
      await machine.chargeCard();
      await elapseTime(testEnvironment, testAccount.scope, 90000);
      await elapseTime(testEnvironment, testAccount.scope, 60000);
    },
    'Placing',
  ],
  [
    'is approved online',
    async (testEnvironment, { testAccount }, id) => {
      const { intent } = await transactAs(testEnvironment, testAccount, (tx) =>
        testEnvironment.intents.refreshSecretPublic(tx, id),
      );
      let reference = '';
      const submission = {
        ...{ secret: intent.clientSecret ?? '', wallet: null, hasCv2: true, isSavingAllowed: false },
        card: {
          ...({ maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const),
          ...{ expiryMonth: 12, expiryYear: 2032 },
        },
        ...{ isConsentGiven: false, contacts: { metadata: {} }, device: { userAgent: '', ipAddress: '' } },
      } as const;
      const authorise = (order: { readonly reference: string }) => {
        reference = order.reference;
        return Promise.resolve({ outcome: 'unknown', reason: 'silence' } as const);
      };
      await getOutcome(new OnlinePayments(testEnvironment).pay(submission, { authorise, storeCard: () => undefined }));
      const approval = createOnlineApproval(gbp(2000), { reference });
      await transactAs(testEnvironment, testAccount, (tx) =>
        concludeAttempt(tx, reference, { outcome: 'approved', approval }),
      );
    },
    'Placing',
  ],
  [
    'is cancelled',
    (testEnvironment, { testAccount }, id) =>
      transactAs(testEnvironment, testAccount, (tx) => testEnvironment.intents.cancel(tx, id)),
    'Ended',
  ],
  [
    'expires',
    (testEnvironment, { testAccount }) => elapseTime(testEnvironment, testAccount.scope, 40 * DAY_MS),
    'Ended',
  ],
];
