import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { money } from '@pos/core/money';
import type { TablePayment } from '@pos/core/table-payment';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import type { JourneyView } from '@pos/payments/journeys';
import { DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/settings';
import { deriveAttemptId, buildUnsuccessfulReport } from '@pos/payments/unsuccessful-attempt';
import type { EposFault } from '@pos/sandbox/epos-faults';
import type { RecordedPayment } from '@pos/sandbox/epos';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { hasTimer } from '@pos/store/timer-claim';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { CANCELED, CardSide, CONFIRMED } from './testing-cards.js';
import { TableStage, until } from './testing.js';

// epos.md 8.7: attempts without money are told only if the account asks for it, and an EPOS books nothing by them.

jest.setTimeout(30_000);

/** A restaurant whose account asks for its unsuccessful attempts, or does not. */
interface House {
  readonly stage: TableStage;
  readonly cards: CardSide;
  readonly gateway: Tables;
  readonly worker: AcquirerCalls;
  readonly acquirer: AcquirerClient;
}

async function house(reportUnsuccessful: boolean): Promise<House> {
  const stage = await TableStage.open();
  const settings = JSON.stringify({ payAtTable: { reportUnsuccessful } });
  await stage.database.dataSource.query('update accounts set settings = $2 where account_id = $1', [
    stage.scope.accountId,
    settings,
  ]);
  const acquirer = new AcquirerClient(stage.parts.address);
  const calls = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 2_000 };
  const worker = new AcquirerCalls({
    database: stage.database,
    acquirer,
    accounts: new AccountCache(),
    settings: calls,
  });
  return { stage, cards: new CardSide(stage), gateway: await stage.gateway(), worker, acquirer };
}

let asked: House;
let unasked: House;
beforeAll(async () => {
  asked = await house(true);
  unasked = await house(false);
});
afterAll(async () => {
  for (const { stage, acquirer } of [asked, unasked]) {
    acquirer.close();
    await stage.close();
  }
});
beforeEach(() => asked.stage.door.faults.replace([]));

interface Asking {
  readonly party: DiningSession;
  readonly begun: JourneyView;
  readonly payment: TablePayment;
}

/** A card machine asks for the card of a whole bill, with a tip. */
async function asking({ stage, gateway }: House): Promise<Asking> {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', gratuity: 50, paymentId });
  return { party, begun, payment: await stage.paymentOf(paymentId) };
}

/** A guest has the link for a part of his bill. */
async function linked({ stage, gateway }: House): Promise<Asking> {
  const party = stage.party();
  const { id: sessionId, name: sessionName, tableName } = party;
  const requestor = { type: 'consumerDevice' } as const;
  const wish = { sessionId, sessionName, tableName, isPayable: true, owner: `key of ${party.id}`, requestor };
  const begun = await gateway.desk.start(stage.scope, wish);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'CUSTOM', amount: money(700, 'GBP'), gratuity: 50, paymentId });
  return { party, begun, payment: await stage.paymentOf(paymentId) };
}

/** What the EPOS was told of it. */
function toldOf({ stage }: House, { id }: TablePayment): RecordedPayment[] {
  return stage.door.epos.unsuccessfulAttempts().filter((attempt) => attempt.id === deriveAttemptId(id));
}

async function isDone({ stage }: House, { id: subject }: TablePayment): Promise<boolean> {
  return !(await stage.database.read(stage.scope, (reader) => hasTimer(reader, { kind: 'table-payment', subject })));
}

/** What the attempt is called in the message. */
async function saidOf({ stage }: House, payment: TablePayment): Promise<string> {
  const attempt = await stage.database.read(stage.scope, async (reader) =>
    buildUnsuccessfulReport(reader, payment, new AccountCache()),
  );
  if (!attempt.isReportable) return attempt.reason;
  const details = RecordPaymentRequest.decode(attempt.message).payment?.methodDetails;
  return required(details?.cardPresentPaymentStatus ?? details?.remotePaymentStatus, 'the status of the attempt');
}

/** The acquirer has acknowledged that nothing is held. */
async function reverse({ cards, worker, stage }: House, payment: TablePayment): Promise<void> {
  const { reverseReference } = await cards.callOfMachine(payment);
  await worker.pursueCall(stage.scope, required(reverseReference, 'the reversal'));
  await cards.looksAt(payment);
}

async function fallsSilent(at: House, payment: TablePayment): Promise<void> {
  await at.cards.says(payment, CONFIRMED);
  await at.cards.windowPasses(payment);
  const open = await at.cards.callOfMachine(payment);
  await at.cards.reversalComesDue(open);
  await at.worker.pursueCall(at.stage.scope, open.reference);
}

const OUTCOMES: readonly [string, typeof asking, (at: House, payment: TablePayment) => Promise<void>, string][] = [
  [
    'a card was declined',
    asking,
    ({ stage }, payment) => stage.decline(payment),
    'CARD_PRESENT_PAYMENT_STATUS_DECLINED',
  ],
  [
    'the guest cancelled at the machine',
    asking,
    ({ cards }, payment) => cards.says(payment, CONFIRMED, CANCELED),
    'CARD_PRESENT_PAYMENT_STATUS_CANCELLED',
  ],
  [
    'the device cancelled',
    asking,
    async ({ cards, gateway, stage }, payment) => {
      await cards.says(payment, CONFIRMED);
      await gateway.desk.cancelPayment(stage.scope, payment.id);
      await cards.says(payment, CANCELED);
    },
    'CARD_PRESENT_PAYMENT_STATUS_CANCELLED',
  ],
  [
    'a machine fell silent and its payment was reversed',
    asking,
    async (at, payment) => {
      await fallsSilent(at, payment);
      await reverse(at, payment);
    },
    'CARD_PRESENT_PAYMENT_STATUS_UNKNOWN',
  ],
  [
    'a signature was refused and its payment reversed',
    asking,
    async (at, payment) => {
      await at.stage.approve(payment, { isSignatureRequired: true });
      await at.gateway.desk.decideSignature(at.stage.scope, payment.id, false);
      await reverse(at, payment);
    },
    'CARD_PRESENT_PAYMENT_STATUS_DECLINED',
  ],
  [
    'a link was called off',
    linked,
    async ({ gateway, stage }, payment) => {
      await gateway.desk.cancelPayment(stage.scope, payment.id);
    },
    'REMOTE_PAYMENT_STATUS_CANCELLED',
  ],
];

test.each(OUTCOMES)(
  'an EPOS that asks for it hears that %s, and its book stays as it was',
  async (_, ask, ends, said) => {
    const { stage, gateway } = asked;
    const { party, begun, payment } = await ask(asked);
    const had = stage.door.epos.payments();
    await ends(asked, payment);
    const ended = await stage.arrives(payment.id, 'Ended');
    await until(async () => toldOf(asked, payment).length === 1 && isDone(asked, payment));
    const { base, gratuity, cashback } = payment;
    expect(toldOf(asked, payment)).toMatchObject([
      { isSuccessful: false, sessionId: party.id, base, gratuity, cashback, acquirerTransactionId: '' },
    ]);
    expect(await saidOf(asked, ended)).toBe(said);
    expect([stage.paid(party), stage.door.epos.payments()]).toEqual([0, had]);
    expect(await stage.paymentOf(payment.id)).toEqual(ended);

    // The session is still the journey's, which goes on.
    expect(stage.isLocked(party)).toBe(true);
    await gateway.desk.finish(stage.scope, begun.journey.id);
    expect(stage.isLocked(party)).toBe(false);
  },
);

test.each(OUTCOMES)('an EPOS that does not ask for it hears nothing when %s', async (_, ask, ends) => {
  const { payment } = await ask(unasked);
  await ends(unasked, payment);
  await unasked.stage.arrives(payment.id, 'Ended');
  await until(() => isDone(unasked, payment));
  expect(unasked.stage.door.epos.unsuccessfulAttempts()).toEqual([]);
});

test('a payment that may still be approved is no attempt, and one that was approved is none either', async () => {
  const { stage, cards } = asked;
  const silent = await asking(asked);
  await fallsSilent(asked, silent.payment);
  await cards.looksAt(silent.payment);
  expect((await stage.paymentOf(silent.payment.id)).state).toBe('Started');
  const ended: TablePayment = { ...silent.payment, state: 'Ended' };
  expect(await saidOf(asked, ended)).toBe('it may still be approved');
  await stage.approve((await asking(asked)).payment);
  const paid = await asking(asked);
  await stage.approve(paid.payment);
  await stage.arrives(paid.payment.id, 'Recorded');
  expect([toldOf(asked, silent.payment), toldOf(asked, paid.payment)]).toEqual([[], []]);
});

const RECORD = { method: 'RecordPayment' } as const;

test('an attempt whose answer was lost is told again as the same one', async () => {
  const { stage } = asked;
  const { payment } = await asking(asked);
  stage.door.faults.replace([{ ...RECORD, effect: 'answer-lost', times: 1 }]);
  await stage.decline(payment);
  await until(async () => toldOf(asked, payment).length === 2 && isDone(asked, payment));
  const [first, second] = toldOf(asked, payment).map(({ recordedAt: _, ...attempt }) => attempt);
  expect(second).toEqual(first);
});

test('an attempt is told to an EPOS that has come back, by whichever gateway', async () => {
  const at = await house(true);
  const { payment } = await asking(at);
  at.stage.door.faults.replace([{ ...RECORD, effect: 'no-answer' }]);
  await at.stage.decline(payment);
  await until(() => at.stage.door.faults.list().some(({ used }) => used > 0));
  await at.gateway.stop();
  at.stage.door.faults.replace([]);
  await at.stage.gateway();
  await until(async () => toldOf(at, payment).length === 1 && isDone(at, payment));
  at.acquirer.close();
  await at.stage.close();
});

test.each<[string, EposFault, number]>([
  // what the EPOS does to every call              how often it is told
  ['refuses it', { ...RECORD, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 1],
  ['wants a lock that it gave', { ...RECORD, effect: 'refuse', code: 'SESSION_NOT_LOCKED' }, 1],
  ['does not answer', { ...RECORD, effect: 'no-answer' }, 5],
  ['stumbles', { ...RECORD, effect: 'internal-error' }, 5],
])('an attempt is dropped when the EPOS %s, and the next part is paid all the same', async (_, fault, tries) => {
  const { stage, gateway } = asked;
  const { party, begun, payment } = await asking(asked);
  stage.door.faults.replace([fault]);
  await stage.decline(payment);
  await stage.arrives(payment.id, 'Ended');
  await until(async () => {
    await stage.age(payment.id, 0);
    return isDone(asked, payment);
  });
  expect(stage.door.faults.list()).toMatchObject([{ used: tries }]);
  expect(toldOf(asked, payment)).toEqual([]);
  stage.door.faults.replace([]);
  const next = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId: next });
  const second = await stage.paymentOf(next);
  await stage.approve(second);
  await stage.arrives(next, 'Recorded');
  expect([stage.paid(party), stage.isLocked(party)]).toEqual([second.base.value, expect.any(Boolean)]);
});

test('an attempt that was not told in time is not told any more once the session was let go', async () => {
  const { stage, gateway } = asked;
  const { party, begun, payment } = await asking(asked);
  stage.door.faults.replace([{ ...RECORD, effect: 'internal-error' }]);
  await stage.decline(payment);
  await until(() => stage.door.faults.list().some(({ used }) => used > 0));
  // Nothing waits for the tries: the next card may be asked for, and the journey may end, meanwhile.
  await gateway.desk.finish(stage.scope, begun.journey.id);
  stage.door.faults.replace([]);
  // Another device has locked since: the EPOS would take the attempt for one of its own.
  await stage.begin(gateway, party);
  await until(async () => {
    await stage.age(payment.id, 0);
    return isDone(asked, payment);
  });
  expect([toldOf(asked, payment), stage.isLocked(party)]).toEqual([[], true]);
});

test('a bill is paid while its EPOS is silent about an attempt on it', async () => {
  const { stage, gateway } = asked;
  const { party, begun, payment } = await asking(asked);
  stage.door.faults.replace([{ ...RECORD, effect: 'internal-error', times: 1 }]);
  await stage.decline(payment);
  await stage.arrives(payment.id, 'Ended');
  await until(() => stage.door.faults.list().some(({ used }) => used > 0));
  const next = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId: next });
  await stage.approve(await stage.paymentOf(next));
  await stage.arrives(next, 'Recorded');
  expect(stage.paid(party)).toBe((await stage.paymentOf(next)).base.value);
});
