import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import { FAULT_POINTS, type FaultPointName } from '@pos/payments/accounts';
import { listReferenceEposCalls, replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { listRecordedAtEpos } from '../e2e/books.js';
import { GATEWAYS, type StageRestaurant, type Stage, waitUntil } from '../e2e/stage.js';
import { CONTACTLESS, TestTable } from '../e2e/table.js';
import { runDeviceWithGatewayKilledAt } from './device-scenarios.js';
import { PendingWatch } from './pending-watch.js';
import type { FaultScenario } from './scenario.js';

/** What passes each fault point: a payment of a journey, or only a payment that a device has taken by itself. */
const PASSED_BY: Readonly<Record<FaultPointName, 'journey' | 'device'>> = {
  'after-lock': 'journey',
  'after-approval-before-commit': 'journey',
  'after-commit-before-proof': 'device',
  'after-commit-before-record': 'journey',
  'after-record-before-stored': 'journey',
  'before-unlock': 'journey',
};

/**
 * Fault points after which the money is captured and the EPOS may not have it: the payment must be on the pending list.
 */
const MONEY_IS_OPEN: ReadonlySet<FaultPointName> = new Set([
  'after-commit-before-record',
  'after-record-before-stored',
]);

const ALL_POINTS = Object.keys(FAULT_POINTS) as FaultPointName[];
const RECORD_SEEN_MS_MAX = 15_000;

/** One gateway crashes when it first passes the point; or each of them does, including the one that takes over. */
function runJourneyWithGatewayKilledAt(point: FaultPointName, who: 'one' | 'each'): FaultScenario {
  return {
    says: `a gateway is killed when ${FAULT_POINTS[point]}${who === 'each' ? ', and so is the next one' : ''}`,
    // The gateway that a device calls runs its payment. The other one holds the EPOS and stays up.
    arms: async (stage, house) => ({
      names: who === 'each' ? GATEWAYS : (await stage.gatewaysBy(house, 'epos-grpc-stream')).slice(1),
      point,
    }),
    async run(stage, house) {
      const ends = await stage.restartKilled(async () => {
        const [eposSide, otherSide] = await stage.gatewaysBy(house, 'epos-grpc-stream');
        const table = await TestTable.begin(stage, house, { gateways: [otherSide, eposSide] });
        // Only a connected machine can take a card; it gets ten seconds to connect.
        await stage.untilConnected();
        const paymentId = await table.take(1_500, 150);
        const watch = new PendingWatch(stage, house, paymentId);
        try {
          assert.equal(await table.ending(paymentId), 'Recorded');
        } finally {
          await watch.stop();
        }
        if (MONEY_IS_OPEN.has(point)) assert.ok(watch.states.size > 0, 'open money was not on the pending list');
        await table.leave();
      });
      assert.ok(ends > 0, `no gateway passed ${point}`);
    },
  };
}

/**
 * The device is at one gateway, the EPOS at the other. One of the two stops while the EPOS executes the record call.
 */
function runWithGatewayKilledWhileRecording(side: 'the EPOS' | 'the device'): FaultScenario {
  return {
    says: `the gateway of ${side} is killed while the EPOS records the payment`,
    async run(stage, house) {
      const [eposSide, deviceSide] = await stage.gatewaysBy(house, 'epos-grpc-stream');
      const table = await TestTable.begin(stage, house, { gateways: [deviceSide, eposSide] });
      await stage.sandbox(replaceEposFaults, {
        params: { accountId: house.scope.accountId },
        body: { faults: [{ method: 'RecordPayment', effect: 'slow', delayMs: 1_000, times: 1 }] },
      });
      const paymentId = await table.take(1_800);
      const watch = new PendingWatch(stage, house, paymentId);
      try {
        await waitUntil('the EPOS receives the payment', RECORD_SEEN_MS_MAX, () => isAtEpos(stage, house, paymentId));
        await stage.replace(side === 'the EPOS' ? eposSide : deviceSide);
        assert.equal(await table.ending(paymentId), 'Recorded');
      } finally {
        await watch.stop();
      }
      assert.ok(watch.states.size > 0, 'open money was not on the pending list');
      await table.leave();
      await stage.untilConnected();
    },
  };
}

async function isAtEpos(stage: Stage, house: StageRestaurant, paymentId: string): Promise<boolean> {
  const { calls } = await stage.sandbox(listReferenceEposCalls, { params: { accountId: house.scope.accountId } });
  return calls.some((call) => call.method === 'RecordPayment' && call.paymentId === paymentId);
}

const MACHINE_LOSES_ITS_GATEWAY: FaultScenario = {
  says: 'the gateway of the card machine is killed while the payer holds the card to it',
  async run(stage, house) {
    const [machineSide, otherSide] = await stage.gatewaysBy(house, 'machine', CONTACTLESS);
    const table = await TestTable.begin(stage, house, { gateways: [otherSide, machineSide] });
    const paymentId = await table.take(2_100);
    await table.device.until(
      table.journey.journeyId,
      ({ terminalSessionStatus = '' }) => terminalSessionStatus !== 'InitiateRequested',
      { paymentId },
    );
    await stage.replace(machineSide);
    assert.equal(await table.ending(paymentId), 'Recorded');
    await table.leave();
    await stage.untilConnected();
  },
};

const SECOND_LOCK: FaultScenario = {
  says: 'a gateway is killed when it has locked the session for the second part',
  arms: async () => ({ names: GATEWAYS, point: 'after-lock:2' }),
  async run(stage, house) {
    const ends = await stage.restartKilled(async () => {
      const table = await TestTable.begin(stage, house);
      assert.equal(await table.ending(await table.take(600)), 'Recorded');
      assert.equal((await table.pay(500)).ending, 'Recorded');
    });
    assert.equal(ends, 1);
  },
};

/** Longer than the lease of a runner and the longest call together. */
const ASLEEP_MS = 6_000;

const WAKES_TOO_LATE: FaultScenario = {
  says: 'the gateway that records is suspended, another one takes over, and the first one resumes',
  async run(stage, house) {
    const [eposSide, deviceSide] = await stage.gatewaysBy(house, 'epos-grpc-stream');
    const table = await TestTable.begin(stage, house, { gateways: [deviceSide, eposSide] });
    await stage.sandbox(replaceEposFaults, {
      params: { accountId: house.scope.accountId },
      body: { faults: [{ method: 'RecordPayment', effect: 'slow', delayMs: 800, times: 1 }] },
    });
    const paymentId = await table.take(1_900);
    await waitUntil('the EPOS receives the payment', RECORD_SEEN_MS_MAX, () => isAtEpos(stage, house, paymentId));
    const sleeper = stage.world.app(deviceSide);
    await sleeper.kill('SIGSTOP');
    try {
      await pause(ASLEEP_MS);
    } finally {
      await sleeper.kill('SIGCONT');
    }
    assert.equal(await table.ending(paymentId), 'Recorded');
    await table.leave();
    await stage.untilConnected();
  },
};

const BOTH_AT_ONCE: FaultScenario = {
  says: 'both gateways are killed at once after the money is captured, and restart',
  async run(stage, house) {
    const table = await TestTable.begin(stage, house);
    await stage.sandbox(replaceEposFaults, {
      params: { accountId: house.scope.accountId },
      body: { faults: [{ method: 'RecordPayment', effect: 'answer-lost', times: 1 }] },
    });
    const paymentId = await table.take(1_100);
    await table.until(paymentId, JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDING);
    await Promise.all(GATEWAYS.map((name) => stage.replace(name)));
    assert.equal(await table.ending(paymentId), 'Recorded');
    assert.equal((await listRecordedAtEpos(house.keepers, paymentId)).length, 1);
    await table.leave();
    await stage.untilConnected();
  },
};

/** Machines leave a gateway that is restarted, so each gateway is armed to include the one that they report to. */
const FOR_EACH: ReadonlySet<FaultPointName> = new Set(['after-approval-before-commit']);

function runWithGatewayKilledAt(point: FaultPointName, who: 'one' | 'each'): FaultScenario {
  return PASSED_BY[point] === 'device'
    ? runDeviceWithGatewayKilledAt(point, who)
    : runJourneyWithGatewayKilledAt(point, who);
}

/** A gateway is killed at each fault point of a payment. */
export const FAULT_POINT_SCENARIOS = ALL_POINTS.map((point) =>
  runWithGatewayKilledAt(point, FOR_EACH.has(point) ? 'each' : 'one'),
);

/** The gateway that takes over is killed, too. */
export const FAULT_POINT_TWICE_SCENARIOS = ALL_POINTS.filter((point) => !FOR_EACH.has(point)).map((point) =>
  runWithGatewayKilledAt(point, 'each'),
);

/** Gateways are killed from outside, at any point of their work. */
export const KILLED_GATEWAY_SCENARIOS: readonly FaultScenario[] = [
  runWithGatewayKilledWhileRecording('the EPOS'),
  runWithGatewayKilledWhileRecording('the device'),
  MACHINE_LOSES_ITS_GATEWAY,
  SECOND_LOCK,
  WAKES_TOO_LATE,
  BOTH_AT_ONCE,
];
