import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusal';
import * as rest from '@pos/rest-contracts/sandbox-epos';
import type { RecordedPayment } from '@pos/sandbox/epos';
import type { Requestor } from '@pos/sandbox/epos-locks';
import type { EposDoor, SeenCall } from '@pos/sandbox/epos-door';
import type { RecordedOnOrder } from '@pos/sandbox/epos-orders';
import { billOrEmpty, isPayable, type DiningSession } from '@pos/sandbox/restaurant';
import { World } from '@pos/sandbox/world';
import { Serve, type Call } from '@pos/service-kit/serve';
import { getPlace } from './account-controller.js';

@Controller()
export class EposController {
  constructor(private readonly world: World) {}

  @Serve(rest.listEposLocks)
  async locks({ params }: Call<typeof rest.listEposLocks>) {
    const { epos } = this.#getDoor(params.accountId);
    return {
      locks: epos.locks().map(({ sessionId, requestor, lockedAt, order }) => ({
        sessionId,
        requestor: presentRequestor(requestor),
        lockedAt: lockedAt.toISOString(),
        ...(order !== null && { lockId: order.lockId, expiresAt: order.expiresAt.toISOString() }),
      })),
    };
  }

  @Serve(rest.takeEposLock)
  async lock({ params }: Call<typeof rest.takeEposLock>) {
    const door = this.#getDoor(params.accountId);
    const { epos } = door;
    const session = findSession(epos.restaurant.find(params.sessionId));
    const isHeld = epos.locks().some(({ sessionId }) => sessionId === session.id);
    if (!isHeld) epos.lock(session.id, { kind: 'cardMachine', terminalId: 'counter', waiterId: null });
    door.keep();
    return undefined;
  }

  @Serve(rest.dropEposLock)
  async unlock({ params }: Call<typeof rest.dropEposLock>) {
    const door = this.#getDoor(params.accountId);
    const session = findSession(door.epos.restaurant.find(params.sessionId));
    door.epos.letGo(session.id);
    door.keep();
    return undefined;
  }

  @Serve(rest.listEposPayments)
  async payments({ params }: Call<typeof rest.listEposPayments>) {
    const { epos, data } = this.#getDoor(params.accountId);
    return {
      payments: epos.payments().map(presentPayment),
      unsuccessfulAttempts: epos.unsuccessfulAttempts().map(presentPayment),
      orderPayments: data.orders.payments().map(presentOrderPayment),
    };
  }

  @Serve(rest.listEposSessions)
  async sessions({ params }: Call<typeof rest.listEposSessions>) {
    const { epos } = this.#getDoor(params.accountId);
    const locked = new Set(epos.locks().map(({ sessionId }) => sessionId));
    const { currencyCode } = epos.restaurant;
    return {
      sessions: epos.restaurant
        .sessions()
        .map((session) => presentSession(session, { currencyCode, isLocked: locked.has(session.id) })),
    };
  }

  @Serve(rest.listEposOrders)
  async orders({ params }: Call<typeof rest.listEposOrders>) {
    return { orders: this.#getDoor(params.accountId).data.orders.list() };
  }

  @Serve(rest.listEposBookings)
  async bookings({ params }: Call<typeof rest.listEposBookings>) {
    const { bookings } = this.#getDoor(params.accountId).data;
    return { parties: bookings.parties(), reservations: bookings.reservations() };
  }

  @Serve(rest.listEposEvents)
  async events({ params }: Call<typeof rest.listEposEvents>) {
    return { events: [...this.#getDoor(params.accountId).data.events()] };
  }

  @Serve(rest.listEposCalls)
  async calls({ params }: Call<typeof rest.listEposCalls>) {
    return { calls: this.#getDoor(params.accountId).calls().map(presentCall) };
  }

  @Serve(rest.listEposFaults)
  async faults({ params }: Call<typeof rest.listEposFaults>) {
    return { faults: this.#getDoor(params.accountId).faults.list() };
  }

  @Serve(rest.replaceEposFaults)
  async replaceFaults({ params, body }: Call<typeof rest.replaceEposFaults>) {
    const { faults } = this.#getDoor(params.accountId);
    faults.replace(body.faults);
    return { faults: faults.list() };
  }

  @Serve(rest.clearEposFaults)
  async clearFaults({ params }: Call<typeof rest.clearEposFaults>) {
    this.#getDoor(params.accountId).faults.replace([]);
    return undefined;
  }

  #getDoor(accountId: string): EposDoor {
    const { epos } = getPlace(this.world, accountId);
    if (epos === null) throw new Refusal('path_unknown', 'The account has no EPOS in this sandbox.');
    return epos;
  }
}

function findSession(session: DiningSession | null): DiningSession {
  if (session === null) throw new Refusal('path_unknown', 'The restaurant has no such session.');
  return session;
}

function presentRequestor({ kind, terminalId, waiterId }: Requestor) {
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

function presentOrderPayment({ orderId, intentId, paid, tips, recordedAt }: RecordedOnOrder) {
  return {
    ...{ orderId, paymentIntentId: intentId, paidAmount: paid },
    ...(tips !== null && { tipsAmount: tips }),
    recordedAt: recordedAt.toISOString(),
  };
}

function presentSession(session: DiningSession, more: { currencyCode: string; isLocked: boolean }) {
  const bill = billOrEmpty(session, more.currencyCode);
  return {
    sessionId: session.id,
    name: session.name,
    ...(session.tableName !== null && { tableName: session.tableName }),
    currency: bill.total.currencyCode,
    totalAmount: bill.total.value,
    paidAmount: bill.paid.value,
    isPayable: isPayable(session),
    isFinished: session.finishedAt !== null,
    isLocked: more.isLocked,
  };
}

function presentCall(call: SeenCall) {
  const { number, arrivedAt, method, transport, requestor, sessionId, paymentId, wasDone, answered } = call;
  return {
    ...{ number, method, transport, wasDone, answered },
    arrivedAt: arrivedAt.toISOString(),
    requestor: presentRequestor(requestor),
    ...(sessionId !== null && { sessionId }),
    ...(paymentId !== null && { paymentId }),
  };
}
