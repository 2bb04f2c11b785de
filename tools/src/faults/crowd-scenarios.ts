import assert from 'node:assert/strict';
import { type ServiceError, status } from '@grpc/grpc-js';
import { TablesErrorCode } from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { Device } from '../e2e/device.js';
import { GATEWAYS, createPaymentId } from '../e2e/stage.js';
import { CONTACTLESS, PIN } from '../e2e/table.js';
import type { FaultScenario } from './scenario.js';

/** Pennies, so that one bill is enough for all rounds. */
const PARTS = [1, 2, 3, 4, 5] as const;

/** Two machines, each at its own gateway, lock one bill at the same moment, again and again. */
export function runCrowd(rounds: number): FaultScenario {
  return {
    says: `in ${rounds} rounds two machines lock one bill at once: one lock each round, and the sums are exact`,
    async run(stage, house) {
      const { sessionId, outstanding } = await stage.slot(house);
      const devices = [
        stage.device(house, CONTACTLESS, [GATEWAYS[0], GATEWAYS[1]]),
        stage.device(house, PIN, [GATEWAYS[1], GATEWAYS[0]]),
      ] as const;
      let paid = 0;
      for (let round = 0; round < rounds; round += 1) {
        const amount = PARTS[round % PARTS.length] ?? 1;
        // They take turns at calling first, so that neither has an advantage.
        const inTurn = round % 2 === 0 ? devices : [devices[1], devices[0]];
        const attempts = await Promise.all(inTurn.map((device) => attemptLock(device, sessionId)));
        const holders = attempts.filter((each) => each !== null);
        assert.equal(holders.length, 1, `${holders.length} machines held the session in round ${round}`);
        for (const holder of holders) await payAndUnlock(holder, amount);
        paid += amount;
      }
      const { totalAmount, paidAmount } = await devices[0].bill(sessionId);
      assert.equal(totalAmount - paidAmount, BigInt(outstanding - paid));
      stage.leave(sessionId);
    },
  };
}

interface Holder {
  readonly device: Device;
  readonly journeyId: string;
}

/**
 * Locks the session for the machine; null: the other one has it. Nobody pays before both are answered, so that a slow
 * call does not come after the end of a fast payment.
 */
async function attemptLock(device: Device, sessionId: string): Promise<Holder | null> {
  try {
    const { journeyId } = await device.start(sessionId);
    return { device, journeyId };
  } catch (error) {
    if (isLockedByOther(error as ServiceError)) return null;
    throw error;
  }
}

async function payAndUnlock({ device, journeyId }: Holder, amount: number): Promise<void> {
  const paymentId = createPaymentId();
  const mode = { $case: 'custom', value: { amount: BigInt(amount) } } as const;
  await device.take({ journeyId, paymentId, mode });
  await device.untilFinal(journeyId, paymentId);
  await device.finish(journeyId);
}

function isLockedByOther(error: ServiceError): boolean {
  return error.code === status.ABORTED && findTablesError(error)?.errorCode === TablesErrorCode.SESSION_ALREADY_LOCKED;
}
