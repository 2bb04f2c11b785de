import { Controller } from '@nestjs/common';
import type { Reservation } from '@pos/core/bookings';
import { Reservations } from '@pos/payments/bookings';
import * as rest from '@pos/rest-contracts/bookings';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../../database/api-database.js';
import { presentPage, readPage } from './page-presenter.js';

/** Reservations at the EPOS of the account. */
@Controller()
export class ReservationsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly reservations: Reservations,
  ) {}

  @Serve(rest.listReservations)
  async list({ caller, query }: OperationCall<typeof rest.listReservations>) {
    const { tableId, from, to } = query;
    const page = await this.reservations.list(caller.scope, { tableId, from, to, page: readPage(query) });
    return presentPage(page, presentReservation);
  }

  @Serve(rest.getReservation)
  async get({ caller, params }: OperationCall<typeof rest.getReservation>) {
    return presentReservation(await this.reservations.get(caller.scope, params.reservationId));
  }

  @Serve(rest.createReservation)
  create(call: OperationCall<typeof rest.createReservation>) {
    return this.store.runOperation(call, presentReservation, (operation) =>
      this.reservations.createWithKey(operation, call.body),
    );
  }

  @Serve(rest.updateReservation)
  update(call: OperationCall<typeof rest.updateReservation>) {
    return this.store.runOperation(call, presentReservation, (operation) =>
      this.reservations.updateWithKey(operation, call.params.reservationId, call.body),
    );
  }

  @Serve(rest.deleteReservation)
  delete(call: OperationCall<typeof rest.deleteReservation>) {
    return this.store.runDeletion(call, (operation) =>
      this.reservations.deleteWithKey(operation, call.params.reservationId),
    );
  }
}

function presentReservation(reservation: Reservation): rest.Reservation {
  const { id, name, covers, startTime, endTime, tableIds, hostNotes, guestRequests } = reservation;
  return {
    ...{ id, name, covers, tableIds: [...tableIds] },
    startTime: presentMoment(startTime),
    endTime: presentMoment(endTime),
    ...present({ hostNotes, guestRequests }),
  };
}
