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
        const attempts = await Promise.all(inTurn.map((device) => attemptPayment(device, sessionId, amount)));
        const winners = attempts.filter((isWon) => isWon).length;
        assert.equal(winners, 1, `${winners} machines held the session in round ${round}`);
        paid += amount;
      }
      const { totalAmount, paidAmount } = await devices[0].bill(sessionId);
      assert.equal(totalAmount - paidAmount, BigInt(outstanding - paid));
      stage.leave(sessionId);
    },
  };
}

/** True: this machine locked the session, paid its part and unlocked it. False: the other one had it. */
async function attemptPayment(device: Device, sessionId: string, amount: number): Promise<boolean> {
  const journey = await device.start(sessionId).catch((error: unknown) => {
    if (isLockedByOther(error as ServiceError)) return null;
    throw error;
  });
  if (journey === null) return false;
  const paymentId = createPaymentId();
  const mode = { $case: 'custom', value: { amount: BigInt(amount) } } as const;
  await device.take({ journeyId: journey.journeyId, paymentId, mode });
  await device.untilFinal(journey.journeyId, paymentId);
  await device.finish(journey.journeyId);
  return true;
}

function isLockedByOther(error: ServiceError): boolean {
  return error.code === status.ABORTED && findTablesError(error)?.errorCode === TablesErrorCode.SESSION_ALREADY_LOCKED;
}
