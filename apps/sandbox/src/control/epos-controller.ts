import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import * as rest from '@pos/rest-contracts/sandbox';
import type { LockRequestor, RecordedPayment } from '@pos/sandbox/epos';
import type { EposSimulator, RecordedEposCall } from '@pos/sandbox/epos-simulator';
import type { RecordedOrderPayment } from '@pos/sandbox/epos-data';
import { getBillOrEmpty, isPayable, type DiningSession } from '@pos/sandbox/restaurant';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { Serve, type OperationCall } from '@pos/service-kit/http';
import { getAccountSimulation } from './account-controller.js';

@Controller()
export class EposController {
  constructor(private readonly environment: SimulatedEnvironment) {}

  @Serve(rest.listEposLocks)
  async locks({ params }: OperationCall<typeof rest.listEposLocks>) {
    const { epos } = getEpos(this.environment, params.accountId);
    return {
      locks: epos.listLocks().map(({ sessionId, requestor, lockedAt, order }) => ({
        sessionId,
        requestor: presentRequestor(requestor),
        lockedAt: lockedAt.toISOString(),
        ...(order !== null && { lockId: order.lockId, expiresAt: order.expiresAt.toISOString() }),
      })),
    };
  }

  @Serve(rest.takeEposLock)
  async lock({ params }: OperationCall<typeof rest.takeEposLock>) {
    const simulator = getEpos(this.environment, params.accountId);
    const { epos } = simulator;
    const session = requireSession(epos.restaurant.findSession(params.sessionId));
    const isAlreadyLocked = epos.listLocks().some(({ sessionId }) => sessionId === session.id);
    if (!isAlreadyLocked) epos.lockSession(session.id, { kind: 'cardMachine', terminalId: 'counter', waiterId: null });
    simulator.saveState();
    return undefined;
  }

  @Serve(rest.dropEposLock)
  async unlock({ params }: OperationCall<typeof rest.dropEposLock>) {
    const simulator = getEpos(this.environment, params.accountId);
    const session = requireSession(simulator.epos.restaurant.findSession(params.sessionId));
    simulator.epos.releaseLock(session.id);
    simulator.saveState();
    return undefined;
  }

  @Serve(rest.listEposPayments)
  async payments({ params }: OperationCall<typeof rest.listEposPayments>) {
    const { epos, data } = getEpos(this.environment, params.accountId);
    return {
      payments: epos.listPayments().map(presentPayment),
      unsuccessfulAttempts: epos.listUnsuccessfulAttempts().map(presentPayment),
      orderPayments: data.orders.listPayments().map(presentOrderPayment),
    };
  }

  @Serve(rest.listEposSessions)
  async sessions({ params }: OperationCall<typeof rest.listEposSessions>) {
    const { epos } = getEpos(this.environment, params.accountId);
    const locked = new Set(epos.listLocks().map(({ sessionId }) => sessionId));
    const { currencyCode } = epos.restaurant;
    return {
      sessions: epos.restaurant
        .sessions()
        .map((session) => presentSession(session, { currencyCode, isLocked: locked.has(session.id) })),
    };
  }

  @Serve(rest.listEposOrders)
  async orders({ params }: OperationCall<typeof rest.listEposOrders>) {
    return { orders: getEpos(this.environment, params.accountId).data.orders.listOrders() };
  }

  @Serve(rest.listEposBookings)
  async bookings({ params }: OperationCall<typeof rest.listEposBookings>) {
    const { bookings } = getEpos(this.environment, params.accountId).data;
    return { parties: bookings.listParties(), reservations: bookings.listReservations() };
  }

  @Serve(rest.listEposEvents)
  async events({ params }: OperationCall<typeof rest.listEposEvents>) {
    return { events: [...getEpos(this.environment, params.accountId).data.listEvents()] };
  }

  @Serve(rest.listReferenceEposCalls)
  async calls({ params }: OperationCall<typeof rest.listReferenceEposCalls>) {
    return { calls: getEpos(this.environment, params.accountId).listCalls().map(presentEposCall) };
  }

  @Serve(rest.listEposFaults)
  async faults({ params }: OperationCall<typeof rest.listEposFaults>) {
    return { faults: getEpos(this.environment, params.accountId).faults.listFaults() };
  }

  @Serve(rest.replaceEposFaults)
  async replaceFaults({ params, body }: OperationCall<typeof rest.replaceEposFaults>) {
    const { faults } = getEpos(this.environment, params.accountId);
    faults.replaceFaults(body.faults);
    return { faults: faults.listFaults() };
  }

  @Serve(rest.clearEposFaults)
  async clearFaults({ params }: OperationCall<typeof rest.clearEposFaults>) {
    getEpos(this.environment, params.accountId).faults.replaceFaults([]);
    return undefined;
  }
}

/** The EPOS of the account; an account without one is refused. */
export function getEpos(environment: SimulatedEnvironment, accountId: string): EposSimulator {
  const { epos } = getAccountSimulation(environment, accountId);
  if (epos === null) throw new Refusal('path_unknown', 'The account has no EPOS in this sandbox.');
  return epos;
}

function requireSession(session: DiningSession | null): DiningSession {
  if (session === null) throw new Refusal('path_unknown', 'The restaurant has no such session.');
  return session;
}

function presentRequestor({ kind, terminalId, waiterId }: LockRequestor) {
  return { kind, ...(terminalId !== null && { terminalId }), ...(waiterId !== null && { waiterId }) };
}

function presentPayment(payment: RecordedPayment) {
  const { id, sessionId, base, gratuity, cashback, attemptedAt, recordedAt, method, acquirerTransactionId } = payment;
  return {
    ...{ paymentId: id, sessionId, method, acquirerTransactionId },
    currency: base.currencyCode,
    baseAmount: base.value,
    gratuityAmount: gratuity.value,
    cashbackAmount: cashback.value,
    attemptedAt: attemptedAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
  };
}

function presentOrderPayment({ orderId, intentId, paid, tips, recordedAt }: RecordedOrderPayment) {
  return {
    ...{ orderId, paymentIntentId: intentId, paidAmount: paid },
    ...(tips !== null && { tipsAmount: tips }),
    recordedAt: recordedAt.toISOString(),
  };
}

function presentSession(session: DiningSession, options: { currencyCode: string; isLocked: boolean }) {
  const bill = getBillOrEmpty(session, options.currencyCode);
  return {
    sessionId: session.id,
    name: session.name,
    ...(session.tableName !== null && { tableName: session.tableName }),
    currency: bill.total.currencyCode,
    totalAmount: bill.total.value,
    paidAmount: bill.paid.value,
    isPayable: isPayable(session),
    isFinished: session.finishedAt !== null,
    isLocked: options.isLocked,
  };
}

function presentEposCall(call: RecordedEposCall) {
  const { number, arrivedAt, method, transport, requestor, sessionId, paymentId, wasDone, answered } = call;
  return {
    ...{ number, method, transport, wasDone, answered },
    arrivedAt: arrivedAt.toISOString(),
    requestor: presentRequestor(requestor),
    ...(sessionId !== null && { sessionId }),
    ...(paymentId !== null && { paymentId }),
  };
}
