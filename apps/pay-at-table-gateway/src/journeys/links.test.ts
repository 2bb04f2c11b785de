import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import type { Approval } from '@pos/core/card';
import { money } from '@pos/core/money';
import type { AcquirerAnswer } from '@pos/core/ports';
import type { TablePayment } from '@pos/core/table-payment';
import { approvalOf, declineOf } from '@pos/core/testing';
import { PaymentMethod, RecordPaymentRequest, RequestorType } from '@pos/grpc-contracts/tables';
import { AccountCache } from '@pos/payments/accounts';
import type { JourneyView } from '@pos/payments/journeys';
import { OnlinePayments } from '@pos/payments/online-payments';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import type { EposFault } from '@pos/sandbox/epos-faults';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { findIntent } from '@pos/store/payment-intents';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { refusalOf, TableStage, until } from './testing.js';

jest.setTimeout(30_000);

let stage: TableStage;
let gateway: Tables;
beforeAll(async () => {
  stage = await TableStage.open();
  gateway = await stage.gateway();
});
afterAll(() => stage.close());

const intents = new PaymentIntents(new AccountCache());

interface AtLink {
  readonly party: DiningSession;
  readonly begun: JourneyView;
  readonly payment: TablePayment;
}

function begin(party: DiningSession, owner: string): Promise<JourneyView> {
  const { id: sessionId, name: sessionName, tableName } = party;
  const requestor = { type: 'consumerDevice' } as const;
  return gateway.desk.start(stage.scope, { sessionId, sessionName, tableName, isPayable: true, owner, requestor });
}

/** A guest has been given the link for a part of the bill. */
async function linked(value = 700): Promise<AtLink> {
  const party = stage.party();
  const begun = await begin(party, `key of ${party.id}`);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'CUSTOM', amount: money(value, 'GBP'), gratuity: 50, paymentId });
  return { party, begun, payment: await stage.paymentOf(paymentId) };
}

/** The guest submits his card on the hosted page; the acquirer answers like this. */
async function submits({ intentId }: TablePayment, answer: (approval: Approval) => AcquirerAnswer): Promise<void> {
  const { database, scope } = stage;
  const id = required(intentId, 'the intent');
  const { intent } = await database.transact(scope, (tx) => intents.refreshSecretPublic(tx, id));
  const online = new OnlinePayments({ database, accounts: new AccountCache(), settings: DEFAULT_PAYMENT_SETTINGS });
  const description = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
  await online.pay(
    {
      ...{
        secret: intent.clientSecret ?? '',
        wallet: null,
        hasCv2: true,
        isSavingAllowed: false,
        isConsentGiven: false,
      },
      ...{ card: { ...description, expiryMonth: 12, expiryYear: 2032 }, contacts: { metadata: {} } },
      device: { userAgent: '', ipAddress: '' },
    },
    {
      authorise: ({ reference, amount }) => {
        const {
          merchantId: _m,
          aid: _a,
          panSequence: _p,
          cardProduct: _c,
          ...more
        } = approvalOf(amount, { reference });
        return Promise.resolve(answer({ ...more, transactionId: randomUUID() }));
      },
      storeCard: () => undefined,
    },
  );
}

const approves = (approval: Approval): AcquirerAnswer => ({ outcome: 'approved', approval });
const declines = ({ reference }: Approval): AcquirerAnswer => ({
  outcome: 'declined',
  decline: { ...declineOf(), reference },
});

async function statusOf({ intentId }: TablePayment): Promise<string> {
  const intent = await stage.database.read(stage.scope, (reader) => findIntent(reader, intentId ?? ''));
  return required(intent, 'the intent').status;
}

test('a guest pays on his own device, and the bill has it as a payment from afar', async () => {
  const { party, begun, payment } = await linked();
  expect([payment.terminalSessionId, stage.isLocked(party)]).toEqual([null, true]);
  await submits(payment, declines);
  expect((await stage.paymentOf(payment.id)).state).toBe('Started');
  await submits(payment, approves);
  const { message } = await stage.arrives(payment.id, 'Recorded');
  const { lines } = await gateway.receipts.copy(stage.scope, payment.id, 'customer');
  const printed = lines.flatMap(({ text }) => (text === undefined ? [] : [text.value]));
  expect(printed.filter((line) => /^(Table|Handset):/.test(line))).toEqual([`Table: ${party.tableName}`]);
  const told = RecordPaymentRequest.decode(required(message, 'the message'));
  expect(told.requestorInfo?.requestorType).toBe(RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE);
  expect(told.payment).toMatchObject({ baseAmount: 700n, gratuityAmount: 50n, waiterId: undefined });
  expect(told.payment?.methodDetails?.method).toBe(PaymentMethod.PAYMENT_METHOD_REMOTE);
  expect([stage.recorded(payment.id), stage.paid(party)]).toEqual([[700], 700]);
  // A second part, by the same guest, on the same journey.
  await stage.take(gateway, begun, { mode: 'EQUAL', people: 2 });
});

test('while a guest has the link no machine takes the table, and no second link is made', async () => {
  const { party, begun, payment } = await linked();
  expect(await refusalOf(stage.begin(gateway, party))).toBe('SESSION_ALREADY_LOCKED');
  expect(await refusalOf(begin(party, 'another key'))).toBe('SESSION_ALREADY_LOCKED');
  expect(await refusalOf(stage.take(gateway, begun, { mode: 'FULL' }))).toBe('journey_busy');
  expect(await refusalOf(gateway.desk.finish(stage.scope, begun.journey.id))).toBe('journey_money_open');
  const keyId = 'key_1' as const;
  const move = gateway.desk.move({ scope: stage.scope, keyId }, begun.journey.id, stage.freshTid());
  expect(await refusalOf(move)).toBe('journey_not_movable');
  await gateway.desk.cancelPayment(stage.scope, payment.id);
  await stage.arrives(payment.id, 'Ended');
  await gateway.desk.finish(stage.scope, begun.journey.id);
  expect(stage.isLocked(party)).toBe(false);
});

test('a link that was called off, or that nobody used in time, takes no money any more', async () => {
  const { payment } = await linked();
  await gateway.desk.cancelPayment(stage.scope, payment.id);
  await stage.arrives(payment.id, 'Ended');
  expect(await statusOf(payment)).toBe('Canceled');
  await expect(submits(payment, approves)).rejects.toThrow();
  expect((await stage.paymentOf(payment.id)).state).toBe('Ended');
});

const RECORD = { method: 'RecordPayment', times: 1 } as const;
test.each<[string, EposFault, 'Recorded' | 'GivenBack', string]>([
  ['loses the answer to a link', { ...RECORD, effect: 'answer-lost', afterDoing: true }, 'Recorded', 'Captured'],
  ['refuses a link', { ...RECORD, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 'GivenBack', 'Reversed'],
])('an EPOS that %s that was paid: the money is recorded or given back', async (_, fault, then, status) => {
  const { party, payment } = await linked();
  stage.door.faults.replace([fault]);
  await submits(payment, approves);
  await until(async () => {
    const { state } = await stage.paymentOf(payment.id);
    if (state === 'RecordUnknown') await stage.age(payment.id, 5_000);
    return state === then;
  });
  stage.door.faults.replace([]);
  expect([await statusOf(payment), stage.paid(party)]).toEqual([status, then === 'Recorded' ? 700 : 0]);
});

test('a gateway that is killed while a guest pays is followed by another one', async () => {
  const { payment } = await linked();
  await gateway.stop();
  await submits(payment, approves);
  gateway = await stage.gateway();
  await stage.age(payment.id, 6_000);
  await stage.arrives(payment.id, 'Recorded');
  expect(stage.recorded(payment.id)).toEqual([700]);
});
