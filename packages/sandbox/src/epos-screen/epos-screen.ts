import { computeLinePrice } from '@pos/core/tables';
import type { EposScreenView, EposSwitches, PartyView } from '@pos/rest-contracts/sandbox';
import type { EposFault } from '../epos-simulator/epos-faults.js';
import type { EposSimulator } from '../epos-simulator/epos-simulator.js';
import { DISHES } from '../restaurant/menu.js';
import type { DiningSession } from '../restaurant/restaurant.js';

const SLOW_MS = 3_000;
const PAYMENTS_SHOWN_MAX = 20;
const CALLS_SHOWN_MAX = 14;
const FINISHED_SHOWN_MAX = 3;

/** The faults of each switch. A reply is lost once, and then the switch is off. */
const SWITCH_FAULTS: Readonly<Record<keyof EposSwitches, readonly EposFault[]>> = {
  isDown: [{ effect: 'drop-stream' }],
  isSlow: [{ effect: 'slow', delayMs: SLOW_MS }],
  refuses: [
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
    { method: 'RecordOrderPaymentById', effect: 'refuse', code: 'InvalidRequest' },
  ],
  losesReply: [
    { method: 'RecordPayment', effect: 'drop-stream', afterDoing: true, times: 1 },
    { method: 'RecordOrderPaymentById', effect: 'drop-stream', afterDoing: true, times: 1 },
  ],
};

/** Replaces the faults of the EPOS by those of the switches that are on. */
export function setEposSwitches(simulator: EposSimulator, switches: EposSwitches): void {
  const names = Object.keys(SWITCH_FAULTS) as (keyof EposSwitches)[];
  simulator.faults.replaceFaults(names.filter((name) => switches[name]).flatMap((name) => SWITCH_FAULTS[name]));
  simulator.publishChange();
}

function readSwitches(simulator: EposSimulator): EposSwitches {
  const faults = simulator.faults.listFaults();
  const hasFault = ([wanted]: readonly EposFault[]): boolean =>
    faults.some(
      ({ effect, method, times, used }) =>
        effect === wanted?.effect && method === wanted.method && (times === undefined || used < times),
    );
  return {
    isDown: hasFault(SWITCH_FAULTS.isDown),
    isSlow: hasFault(SWITCH_FAULTS.isSlow),
    refuses: hasFault(SWITCH_FAULTS.refuses),
    losesReply: SWITCH_FAULTS.losesReply.every((fault) => hasFault([fault])),
  };
}

/** All that the kitchen's page shows of an EPOS. */
export function presentEposScreen(simulator: EposSimulator, tradingName: string): EposScreenView {
  const { restaurant } = simulator.epos;
  const locks = simulator.epos.listLocks();
  return {
    ...{ tradingName, currency: restaurant.currencyCode, switches: readSwitches(simulator) },
    tables: restaurant.tables().map(({ name, area, status }) => ({ name, area, status })),
    parties: listShownSessions(restaurant.sessions()).map((session) => {
      const lock = locks.find(({ sessionId }) => sessionId === session.id);
      return {
        ...presentParty(session),
        isLocked: lock !== undefined,
        ...(typeof lock?.requestor.terminalId === 'string' && { lockedBy: lock.requestor.terminalId }),
      };
    }),
    payments: listPayments(simulator),
    calls: simulator
      .listCalls()
      .slice(-CALLS_SHOWN_MAX)
      .reverse()
      .map(({ number, method, answered }) => ({ number, method, answered })),
    menu: DISHES.map(({ plu, name, category, price }) => ({ plu, name, category: category.at(-1) ?? '', price })),
  };
}

/** The parties that are there, and the last that left. */
function listShownSessions(sessions: readonly DiningSession[]): DiningSession[] {
  const finished = sessions.filter(({ finishedAt }) => finishedAt !== null);
  return [...sessions.filter(({ finishedAt }) => finishedAt === null), ...finished.slice(-FINISHED_SHOWN_MAX)];
}

function presentParty(session: DiningSession): Omit<PartyView, 'isLocked' | 'lockedBy'> {
  const { id, name, waiter, covers, tableName, bill, finishedAt } = session;
  return {
    ...{ sessionId: id, name, waiter: waiter.name, covers, isFinished: finishedAt !== null },
    ...(tableName !== null && { tableName }),
    ...{ total: bill?.total.value ?? 0, paid: bill?.paid.value ?? 0 },
    items: (bill?.items ?? []).map((item) => ({ id: item.id, name: item.name, amount: computeLinePrice(item).value })),
  };
}

function listPayments({ epos, data }: EposSimulator): EposScreenView['payments'] {
  const overTables = epos.listPayments().map(({ id, sessionId, base, gratuity, recordedAt }) => ({
    ...{ paymentId: id, sessionId, amount: base.value, tips: gratuity.value },
    recordedAt: recordedAt.toISOString(),
  }));
  const overOrders = data.orders.listPayments().map(({ orderId, intentId, paid, tips, recordedAt }) => ({
    ...{ paymentId: intentId, sessionId: orderId, amount: paid.value, tips: tips?.value ?? 0 },
    recordedAt: recordedAt.toISOString(),
  }));
  return [...overTables, ...overOrders].slice(-PAYMENTS_SHOWN_MAX).reverse();
}
