import assert from 'node:assert/strict';
import type { z } from 'zod';
import { listEposFaults, replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { listRecordedAtEpos } from '../e2e/books.js';
import { type StageRestaurant, type Stage, waitUntil } from '../e2e/stage.js';
import { type PaymentEnding, PIN, TestTable } from '../e2e/table.js';
import { PendingWatch } from './pending-watch.js';
import type { FaultScenario } from './scenario.js';

type EposFault = z.input<typeof replaceEposFaults.body>['faults'][number];

/** A fault of the record call, and how the payment must end nevertheless. */
const RECORDING: readonly {
  readonly says: string;
  readonly faults: readonly EposFault[];
  readonly ends: PaymentEnding;
}[] = [
  {
    says: 'the EPOS records a payment, and its answer is lost',
    faults: [{ method: 'RecordPayment', effect: 'answer-lost', times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS does not receive a payment at first',
    faults: [{ method: 'RecordPayment', effect: 'no-answer', times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS records a payment long after the deadline of the call',
    faults: [{ method: 'RecordPayment', effect: 'slow', delayMs: 3_000, times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS answers a record call twice',
    faults: [{ method: 'RecordPayment', effect: 'duplicate-answer' }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS fails inside before it has recorded, twice',
    faults: [{ method: 'RecordPayment', effect: 'internal-error', times: 2 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS fails inside after it has recorded',
    faults: [{ method: 'RecordPayment', effect: 'internal-error', afterDoing: true, times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS loses its locks before the record call',
    faults: [{ method: 'RecordPayment', effect: 'forget-locks', times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the connection to the EPOS breaks after it has recorded',
    faults: [{ method: 'RecordPayment', effect: 'drop-stream', afterDoing: true, times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the connection to the EPOS breaks before it has recorded',
    faults: [{ method: 'RecordPayment', effect: 'drop-stream', times: 1 }],
    ends: 'Recorded',
  },
  {
    says: 'the EPOS refuses a payment, and the payer gets the money back',
    faults: [{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }],
    ends: 'GivenBack',
  },
  {
    says: 'the EPOS no longer has the session, and the payer gets the money back',
    faults: [{ method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NO_SUCH_SESSION', times: 1 }],
    ends: 'GivenBack',
  },
  {
    says: 'the EPOS reports a first payment as already recorded',
    faults: [
      { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_ALREADY_RECORDED', afterDoing: true, times: 1 },
    ],
    ends: 'Recorded',
  },
];

const RECORD_SCENARIOS = RECORDING.map(({ says, faults, ends }): FaultScenario => ({
  says,
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    await breakEpos(stage, house, faults);
    const paymentId = await table.take(1_400, 140);
    assert.equal(await table.ending(paymentId), ends);
    assert.equal((await listRecordedAtEpos(house.keepers, paymentId)).length, ends === 'Recorded' ? 1 : 0);
    await table.leave();
  },
}));

/** Answers of an EPOS at the start of a journey. No session stays locked after them, and no card is requested. */
const NO_BEGIN: readonly { readonly says: string; readonly faults: readonly EposFault[] }[] = [
  { says: 'the EPOS sends a bill whose lines do not add up', faults: [{ effect: 'wrong-totals' }] },
  { says: 'the EPOS cannot lock', faults: [{ method: 'LockSession', effect: 'internal-error' }] },
  {
    says: 'the EPOS reports that another device has locked the session',
    faults: [{ method: 'LockSession', effect: 'refuse', code: 'SESSION_ALREADY_LOCKED' }],
  },
];

const NO_BEGIN_SCENARIOS = NO_BEGIN.map(({ says, faults }): FaultScenario => ({
  says: `${says}, and no journey begins`,
  async run(stage, house) {
    await breakEpos(stage, house, faults);
    await assert.rejects(TestTable.begin(stage, house));
    await stage.clearFaults(house);
    const table = await TestTable.begin(stage, house);
    assert.equal((await table.pay(900)).ending, 'Recorded');
  },
}));

/** Between the start of a journey and a payment, a bill changes in an impossible way. */
const NO_PART_SCENARIOS = (['wrong-totals', 'wrong-currency'] as const).map((effect): FaultScenario => ({
  says: `the EPOS sends a bill with ${effect === 'wrong-totals' ? 'other totals' : 'another currency'} during a journey, and no card is requested`,
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    await breakEpos(stage, house, [{ effect }]);
    await assert.rejects(table.take(700));
    const { payments } = await table.device.look(table.journey.journeyId);
    assert.deepEqual(payments, []);
    await stage.clearFaults(house);
    assert.equal((await table.pay(700)).ending, 'Recorded');
  },
}));

const LOST_LOCK_ANSWER: FaultScenario = {
  says: 'the answer to a lock is lost: the session is unlocked and locked again',
  async run(stage, house) {
    await breakEpos(stage, house, [{ method: 'LockSession', effect: 'answer-lost', times: 1 }]);
    const table = await TestTable.begin(stage, house);
    await assertFaultUsed(stage, house);
    assert.equal((await table.pay(800)).ending, 'Recorded');
  },
};

/** Longer than two record calls and the delays between them. */
const DOWN_MS = 5_000;

const EPOS_DOWN: FaultScenario = {
  says: 'the EPOS is down when the money is taken: it is on the pending list until the EPOS is available',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house, { tid: PIN });
    const paymentId = await table.take(2_000);
    await breakEpos(stage, house, [{ effect: 'no-answer' }]);
    const watch = new PendingWatch(stage, house, paymentId);
    await waitUntil('the payment is listed as unknown', DOWN_MS * 2, async () => watch.states.has('RecordUnknown'));
    assert.deepEqual(await listRecordedAtEpos(house.keepers, paymentId), []);
    const [line] = await stage.pending(house);
    assert.equal(line?.paymentId, paymentId);
    assert.equal(line.baseAmount, 2_000);
    await stage.clearFaults(house);
    assert.equal(await table.ending(paymentId), 'Recorded');
    await watch.stop();
    await table.leave();
  },
};

/** Checks that the fault occurred: a scenario without it proves nothing. */
async function assertFaultUsed(stage: Stage, { scope }: StageRestaurant): Promise<void> {
  const { faults } = await stage.sandbox(listEposFaults, { params: { accountId: scope.accountId } });
  for (const { effect, used, times = 1 } of faults) assert.ok(used >= times, `${effect} was used ${used} times`);
}

async function breakEpos(stage: Stage, { scope }: StageRestaurant, faults: readonly EposFault[]): Promise<void> {
  await stage.sandbox(replaceEposFaults, { params: { accountId: scope.accountId }, body: { faults: [...faults] } });
}

/** All faults of an EPOS. */
export const EPOS_SCENARIOS: readonly FaultScenario[] = [
  ...RECORD_SCENARIOS,
  ...NO_BEGIN_SCENARIOS,
  ...NO_PART_SCENARIOS,
  LOST_LOCK_ANSWER,
  EPOS_DOWN,
];
