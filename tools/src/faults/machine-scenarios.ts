import assert from 'node:assert/strict';
import {
  advanceClock,
  breakMachine,
  clearAcquirerRules,
  listAcquirerRules,
  readMachine,
  replaceAcquirerRules,
} from '@pos/rest-contracts/sandbox';
import { listHeldAtAcquirer } from '../e2e/books.js';
import { waitUntil } from '../e2e/stage.js';
import { CONTACTLESS, type PaymentEnding, SIGNATURE, TestTable } from '../e2e/table.js';
import type { FaultScenario } from './scenario.js';

function runUnplugged(when: 'after-confirm' | 'after-approval', forMs: number): FaultScenario {
  return {
    says: `the machine is unplugged ${when === 'after-approval' ? 'after the tap' : 'before a card'}, and reconnects`,
    async run(stage, house) {
      const table = await TestTable.begin(stage, house);
      const params = { accountId: house.scope.accountId, tid: CONTACTLESS };
      await stage.sandbox(breakMachine, { params, body: { unplug: { when, forMs } } });
      assert.equal((await table.pay(1_300, 130)).ending, 'Recorded');
      const { faults } = await stage.sandbox(readMachine, { params });
      assert.deepEqual(faults, {}, 'the plug was pulled');
    },
  };
}

const REPORTED_TWICE: FaultScenario = {
  says: 'the machine reports everything twice',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    const params = { accountId: house.scope.accountId, tid: CONTACTLESS };
    await stage.sandbox(breakMachine, { params, body: { reportTwice: true } });
    assert.equal((await table.pay(1_000)).ending, 'Recorded');
  },
};

/** Longer than the whole scenario, so that only the acquirer can report the result of the card. */
const GONE_MS = 6_000;

const GONE_AFTER_THE_TAP: FaultScenario = {
  says: 'the machine stays away after the tap: the window closes, and the acquirer reports that the money was taken',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    const params = { accountId: house.scope.accountId, tid: CONTACTLESS };
    await stage.sandbox(breakMachine, { params, body: { unplug: { when: 'after-approval', forMs: GONE_MS } } });
    const paymentId = await table.take(1_600);
    const { paymentIntentId = '' } = await table.device.until(table.journey.journeyId, () => true, { paymentId });
    await waitUntil(
      'the acquirer has the money',
      GONE_MS,
      async () => (await listHeldAtAcquirer(house.keepers, paymentIntentId)) > 0,
    );
    await stage.api(house)(advanceClock, { body: { by: '00:01:35' } });
    assert.equal(await table.ending(paymentId), 'Recorded');
    await table.leave();
    await stage.untilConnected();
  },
};

/** Machines that do not take the money, and the end of the payment. */
const UNPAID: readonly { readonly says: string; readonly tid: string }[] = [
  { says: 'the card is declined', tid: '90000004' },
  { says: 'the payer changes their mind at the machine', tid: '90000005' },
];

const UNPAID_SCENARIOS = UNPAID.map(({ says, tid }): FaultScenario => ({
  says: `${says}, and no money has moved`,
  async run(stage, house) {
    const table = await TestTable.begin(stage, house, { tid });
    const paymentId = await table.take(1_000);
    assert.equal(await table.ending(paymentId), 'Ended');
    await table.leave();
  },
}));

function runSigned(isAccepted: boolean | null, ends: PaymentEnding): FaultScenario {
  const what = { true: 'accepts the signature', false: 'rejects the signature', null: 'never looks at the signature' };
  return {
    says: `the waiter ${what[`${isAccepted}`]}`,
    async run(stage, house) {
      const table = await TestTable.begin(stage, house, { tid: SIGNATURE });
      const paymentId = await table.take(2_300);
      await table.device.until(
        table.journey.journeyId,
        ({ terminalSessionStatus }) => terminalSessionStatus === 'SignatureVerificationRequired',
        { paymentId },
      );
      if (isAccepted !== null) await table.device.decideSignature(paymentId, isAccepted);
      assert.equal(await table.ending(paymentId), ends);
      await table.leave();
    },
  };
}

const ACQUIRER_SILENT: FaultScenario = {
  says: 'the acquirer books the card and its answer to the machine is lost',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    const match = { kind: 'Authorise', merchantId: house.account.merchantId } as const;
    await stage.sandbox(replaceAcquirerRules, { body: { rules: [{ match, effect: 'drop-answer', times: 1 }] } });
    try {
      assert.equal((await table.pay(1_700)).ending, 'Recorded');
      const { rules } = await stage.sandbox(listAcquirerRules, {});
      assert.deepEqual(
        rules.map(({ used }) => used),
        [1],
      );
    } finally {
      await stage.sandbox(clearAcquirerRules, {});
    }
  },
};

/** All faults between a payer, a card machine and the acquirer. */
export const MACHINE_SCENARIOS: readonly FaultScenario[] = [
  runUnplugged('after-approval', 1_500),
  runUnplugged('after-confirm', 1_000),
  REPORTED_TWICE,
  GONE_AFTER_THE_TAP,
  ...UNPAID_SCENARIOS,
  runSigned(true, 'Recorded'),
  runSigned(false, 'Ended'),
  runSigned(null, 'Recorded'),
  ACQUIRER_SILENT,
];
