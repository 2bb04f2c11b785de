import { Controller } from '@nestjs/common';
import type { OrderPlacement } from '@pos/core/orders';
import { findOrderParty } from '@pos/payments/bookings';
import { OrderPlacements } from '@pos/payments/orders';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/orders';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { DataApiBookings } from '@pos/service-kit/epos-data';
import { ApiDatabase } from '../database/api-database.js';

/** Accepts and reads orders that payers pay before the EPOS has them. The gateways place them. */
@Controller()
export class OrderPlacementsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly placements: OrderPlacements,
    private readonly epos: DataApiBookings,
  ) {}

  @Serve(rest.submitOrder)
  async submit(call: OperationCall<typeof rest.submitOrder>) {
    const order = await this.#attachParty(call);
    return this.store.runOnce<typeof rest.submitOrder>(call, async (tx) =>
      presentPlacement(await this.placements.submitPlacement(tx, { ...call.body, order })),
    );
  }

  /** The order with the party that sits at its table now, if it is known. It is stored so, and sent so at every try. */
  async #attachParty({ caller, body: { order } }: OperationCall<typeof rest.submitOrder>) {
    const { dineIn, ...details } = order.details;
    if (dineIn === undefined) return order;
    const { database } = this.store;
    const party = await findOrderParty({ database, epos: this.epos }, caller.scope, dineIn);
    return { ...order, details: { ...details, dineIn: { ...dineIn, ...party } } };
  }

  @Serve(rest.listOrderPlacements)
  async list({ caller, query }: OperationCall<typeof rest.listOrderPlacements>) {
    const { placements, before, after } = await this.store.readSingle(caller.scope, (reader) =>
      this.placements.searchPlacements(reader, query),
    );
    return { data: placements.map(presentPlacement), before, after };
  }

  @Serve(rest.getOrderPlacement)
  async get({ caller, params }: OperationCall<typeof rest.getOrderPlacement>) {
    const { placementId } = params;
    return presentPlacement(
      await this.store.readSingle(caller.scope, (reader) => this.placements.getPlacement(reader, placementId)),
    );
  }
}

function presentPlacement(placement: OrderPlacement): rest.OrderPlacement {
  const { id, intentId, state, orderId, total, gratuity, mayOrderStand, lastError } = placement;
  return {
    ...{ id, paymentIntentId: intentId, status: state },
    ...present({ orderId }),
    ...{ totalAmount: total, tipsAmount: gratuity, orderMayStand: mayOrderStand },
    ...present({ lastError }),
    createdAt: presentMoment(placement.createdAt),
    updatedAt: presentMoment(placement.updatedAt),
  };
}
