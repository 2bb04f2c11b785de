import { Controller } from '@nestjs/common';
import type { Party } from '@pos/core/bookings';
import { createViolation } from '@pos/core/refusals';
import { Parties } from '@pos/payments/bookings';
import * as rest from '@pos/rest-contracts/bookings';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../../database/api-database.js';
import { presentPage, readPage } from './page-presenter.js';

/** Parties at the tables of the account's EPOS. */
@Controller()
export class PartiesController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly parties: Parties,
  ) {}

  @Serve(rest.listParties)
  async list({ caller, query }: OperationCall<typeof rest.listParties>) {
    const { tableId, completedOnly: isCompletedOnly } = query;
    const page = await this.parties.list(caller.scope, { tableId, isCompletedOnly, page: readPage(query) });
    return presentPage(page, presentParty);
  }

  @Serve(rest.getParty)
  async get({ caller, params }: OperationCall<typeof rest.getParty>) {
    return presentParty(await this.parties.get(caller.scope, params.partyId));
  }

  @Serve(rest.createParty)
  create(call: OperationCall<typeof rest.createParty>) {
    // Without a key no repeat could find out whether the party exists, and its payments would stay claimed.
    if (call.body.deposit !== undefined && call.idempotency === null)
      throw createViolation('idempotency_key_invalid', 'idempotencyKey', 'Is required with a deposit.');
    return this.store.runOperation(call, presentParty, (operation) => this.parties.createWithKey(operation, call.body));
  }

  @Serve(rest.updateParty)
  update(call: OperationCall<typeof rest.updateParty>) {
    return this.store.runOperation(call, presentParty, (operation) =>
      this.parties.updateWithKey(operation, call.params.partyId, call.body),
    );
  }

  @Serve(rest.deleteParty)
  delete(call: OperationCall<typeof rest.deleteParty>) {
    return this.store.runDeletion(call, (operation) => this.parties.deleteWithKey(operation, call.params.partyId));
  }
}

function presentParty(party: Party): rest.Party {
  const { id, status, tableIds, startTime, expectedEndTime, endTime, deposit } = party;
  const { name, covers, hostNotes, guestRequests, reservationId } = party;
  return {
    ...{ id, status, tableIds: [...tableIds], startTime: presentMoment(startTime) },
    ...(expectedEndTime !== undefined && { expectedEndTime: presentMoment(expectedEndTime) }),
    ...(endTime !== undefined && { endTime: presentMoment(endTime) }),
    ...present({ name, covers, hostNotes, guestRequests, reservationId }),
    ...(deposit !== undefined && {
      deposit: {
        ...{ totalAmount: deposit.totalAmount, paymentIntentIds: [...deposit.paymentIntentIds] },
        ...present({ description: deposit.description }),
      },
    }),
  };
}
