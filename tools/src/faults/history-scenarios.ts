import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import { JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import { TablesErrorCode } from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import { replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { type HistoryEvent, findHistoryViolations } from '@pos/sandbox/testing';
import type { Device } from '../e2e/device.js';
import { GATEWAYS, type StageRestaurant, createPaymentId, type Stage } from '../e2e/stage.js';
import { CONTACTLESS, PIN } from '../e2e/table.js';
import type { FaultScenario } from './scenario.js';

/** Longer than the lease of a runner and the longest call together. */
const ASLEEP_MS = 4_000;
const CALM_MS = 1_500;
const KNOCK_EVERY_MS = 100;
/** Pennies, so that one bill is enough for all rounds. */
const PARTS = [1, 2, 3, 4, 5] as const;

/** The faults while two machines pay one bill: each once, then all again. */
const TROUBLES: readonly ((
  stage: Stage,
  house: StageRestaurant,
  gateway: (typeof GATEWAYS)[number],
) => Promise<void>)[] = [
  async (stage, _house, gateway) => {
    const sleeper = stage.world.app(gateway);
    await sleeper.kill('SIGSTOP');
    try {
      await pause(ASLEEP_MS);
    } finally {
      await sleeper.kill('SIGCONT');
    }
  },
  async (stage, _house, gateway) => stage.replace(gateway),
  async (stage, { scope }) => {
    const faults = (['LockSession', 'RecordPayment', 'UnlockSession'] as const).map((method) => ({
      ...{ method, effect: 'answer-lost' as const, times: 1 },
    }));
    await stage.sandbox(replaceEposFaults, { params: { accountId: scope.accountId }, body: { faults } });
  },
];

/** Two machines, each at its own gateway, pay one bill while gateways are suspended, crash and lose answers. */
export function runHistory(rounds: number): FaultScenario {
  return {
    says: `in ${rounds} rounds gateways are suspended, crash and lose answers: no moment with two holders of one session`,
    async run(stage, house) {
      const { sessionId, outstanding } = await stage.slot(house);
      const devices = [
        { tid: CONTACTLESS, device: stage.device(house, CONTACTLESS, [GATEWAYS[0], GATEWAYS[1]]) },
        { tid: PIN, device: stage.device(house, PIN, [GATEWAYS[1], GATEWAYS[0]]) },
      ];
      const events: HistoryEvent[] = [];
      let isOver = false;
      const trouble = injectTrouble(stage, house, () => isOver);
      const paid = await Promise.all(
        devices.map(async ({ tid, device }) => {
          let sum = 0;
          for (let round = 0; round < rounds; round += 1) {
            const amount = PARTS[round % PARTS.length] ?? 1;
            sum += await runTurn(device, { tid, sessionId, amount, events });
          }
          return sum;
        }),
      ).finally(() => (isOver = true));
      await trouble;
      assert.deepEqual(findHistoryViolations(events), []);
      const { totalAmount, paidAmount } = await stage.device(house, CONTACTLESS).bill(sessionId);
      assert.equal(totalAmount - paidAmount, BigInt(outstanding - paid.reduce((sum, each) => sum + each, 0)));
      stage.leave(sessionId);
    },
  };
}

async function injectTrouble(stage: Stage, house: StageRestaurant, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    await pause(CALM_MS);
    const gateway = GATEWAYS[number % GATEWAYS.length] ?? GATEWAYS[0];
    await TROUBLES[number % TROUBLES.length]?.(stage, house, gateway);
  }
  await stage.untilConnected();
}

/** One machine's turn at the bill, repeated until it succeeds. Resolves to what was recorded. */
async function runTurn(
  device: Device,
  at: { readonly tid: string; readonly sessionId: string; readonly amount: number; readonly events: HistoryEvent[] },
): Promise<number> {
  const { tid, sessionId: session, amount, events } = at;
  for (;;) {
    const askedAt = performance.now();
    const journey = await device.start(session).catch((error: unknown) => {
      if (isRetried(error as ServiceError)) return null;
      throw error;
    });
    if (journey === null) {
      await pause(KNOCK_EVERY_MS);
      continue;
    }
    events.push({ is: 'locked', device: tid, session, askedAt, answeredAt: performance.now() });
    const paymentId = createPaymentId();
    const mode = { $case: 'custom', value: { amount: BigInt(amount) } } as const;
    const isTaken = await device.take({ journeyId: journey.journeyId, paymentId, mode }).then(
      () => true,
      () => false,
    );
    const ended = isTaken ? await device.untilFinal(journey.journeyId, paymentId) : null;
    const finishedAt = performance.now();
    await device.finish(journey.journeyId);
    events.push({ is: 'letGo', device: tid, session, askedAt: finishedAt, answeredAt: performance.now() });
    if (ended?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED) return amount;
  }
}

/** The other machine has it, or the EPOS has not answered in time. */
function isRetried(error: ServiceError): boolean {
  const isLocked =
    error.code === status.ABORTED && findTablesError(error)?.errorCode === TablesErrorCode.SESSION_ALREADY_LOCKED;
  return isLocked || error.code === status.DEADLINE_EXCEEDED || error.code === status.UNAVAILABLE;
}
