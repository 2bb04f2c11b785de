import { Controller } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals';
import type { Caller } from '@pos/core/accounts';
import { listIntegrations, EposRegistration, listIntegrationsOfKind } from '@pos/payments/accounts';
import { recordBookingChange } from '@pos/payments/bookings';
import { OrderPlacements, recordOrderChange, resumeWaitingForEpos } from '@pos/payments/orders';
import { TablePayments } from '@pos/payments/tables';
import * as rest from '@pos/rest-contracts/accounts';
import { presentMoment } from '@pos/rest-contracts/shapes';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { RegistrableAddressPolicy } from '@pos/service-kit/egress';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { EposIntegration } from '@pos/store/repositories';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class EposController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly registration: EposRegistration,
    private readonly addresses: RegistrableAddressPolicy,
    private readonly tablePayments: TablePayments,
    private readonly placements: OrderPlacements,
  ) {}

  @Serve(rest.listEposIntegrations)
  async list({ caller }: OperationCall<typeof rest.listEposIntegrations>) {
    const integrations = await this.store.readSingle(caller.scope, listIntegrations);
    const listOfKind = (wantedKind: EposIntegration['kind']) => integrations.filter(({ kind }) => kind === wantedKind);
    return {
      restIntegrations: listOfKind('rest').map(presentRest),
      wsIntegrations: listOfKind('ws').map(presentCapabilities),
      serviceManagedIntegrations: listOfKind('service').map(presentCapabilities),
      grpcIntegrations: listOfKind('grpc').map(presentGrpc),
    };
  }

  @Serve(rest.readRestIntegration)
  async readRest({ caller }: OperationCall<typeof rest.readRestIntegration>) {
    return (await this.store.readSingle(caller.scope, (reader) => listIntegrationsOfKind(reader, 'rest'))).map(
      presentRest,
    );
  }

  @Serve(rest.putRestIntegration)
  async putRest(call: OperationCall<typeof rest.putRestIntegration>) {
    const { url, auth, capabilities } = call.body;
    this.addresses.requireEposUrl(call.caller.scope, url);
    const request = { kind: 'rest', address: { url, ...auth.basic }, capabilities } as const;
    const registered = await this.store.runOnce<typeof rest.putRestIntegration>(call, async (tx) =>
      (await this.registration.register(tx, request)).map(presentRest),
    );
    await this.#resumeWaiting(call.caller);
    return registered;
  }

  @Serve(rest.deleteRestIntegration)
  async deleteRest(call: OperationCall<typeof rest.deleteRestIntegration>) {
    return this.store.runOnce<typeof rest.deleteRestIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'rest');
    });
  }

  @Serve(rest.readWsIntegration)
  async readWs({ caller }: OperationCall<typeof rest.readWsIntegration>) {
    return (await this.store.readSingle(caller.scope, (reader) => listIntegrationsOfKind(reader, 'ws'))).map(
      presentCapabilities,
    );
  }

  @Serve(rest.putWsIntegration)
  async putWs(call: OperationCall<typeof rest.putWsIntegration>) {
    const request = { kind: 'ws', address: null, capabilities: call.body.capabilities } as const;
    return this.store.runOnce<typeof rest.putWsIntegration>(call, async (tx) =>
      (await this.registration.register(tx, request)).map(presentCapabilities),
    );
  }

  @Serve(rest.deleteWsIntegration)
  async deleteWs(call: OperationCall<typeof rest.deleteWsIntegration>) {
    return this.store.runOnce<typeof rest.deleteWsIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'ws');
    });
  }

  @Serve(rest.readServiceManagedIntegrations)
  async readServiceManaged({ caller }: OperationCall<typeof rest.readServiceManagedIntegrations>) {
    return (await this.store.readSingle(caller.scope, (reader) => listIntegrationsOfKind(reader, 'service'))).map(
      presentCapabilities,
    );
  }

  @Serve(rest.readGrpcIntegration)
  async readGrpc({ caller }: OperationCall<typeof rest.readGrpcIntegration>) {
    return (await this.store.readSingle(caller.scope, (reader) => listIntegrationsOfKind(reader, 'grpc'))).map(
      presentGrpc,
    );
  }

  @Serve(rest.putGrpcIntegration)
  async putGrpc(call: OperationCall<typeof rest.putGrpcIntegration>) {
    const { url, auth } = call.body;
    this.addresses.requireEposUrl(call.caller.scope, url);
    const request = { kind: 'grpc', address: { url, ...auth.basic }, capabilities: [] } as const;
    const registered = await this.store.runOnce<typeof rest.putGrpcIntegration>(call, async (tx) =>
      (await this.registration.register(tx, request)).map(presentGrpc),
    );
    await this.#resumeWaiting(call.caller);
    return registered;
  }

  @Serve(rest.deleteGrpcIntegration)
  async deleteGrpc(call: OperationCall<typeof rest.deleteGrpcIntegration>) {
    return this.store.runOnce<typeof rest.deleteGrpcIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'grpc');
    });
  }

  @Serve(rest.reportEposEvent)
  async report(call: OperationCall<typeof rest.reportEposEvent>) {
    return this.store.runOnce<typeof rest.reportEposEvent>(call, async (tx) => {
      const { body } = call;
      // Bookings are not stored: they are read from the EPOS when they are needed.
      if (body.eventType === 'OrderUpdated') await recordOrderChange(tx, body.event.orderId);
      if (body.eventType === 'PartyUpdated') await recordBookingChange(tx, 'Party', body.event.partyId);
      if (body.eventType === 'ReservationUpdated')
        await recordBookingChange(tx, 'Reservation', body.event.reservationId);
      return body;
    });
  }

  /** Makes payments due at once that the EPOS refused for its old credentials, not in ten minutes (epos.md 2.6). */
  async #resumeWaiting({ scope }: Pick<Caller, 'scope'>): Promise<void> {
    const { tablePayments, placements } = this;
    await resumeWaitingForEpos({ database: this.store.database, tablePayments, placements }, scope);
  }
}

type IntegrationList = ReturnsOf<typeof rest.listEposIntegrations>;

function presentRest(integration: EposIntegration): IntegrationList['restIntegrations'][number] {
  return { ...presentGrpc(integration), ...presentCapabilities(integration) };
}

function presentGrpc({ url, username, createdAt }: EposIntegration): IntegrationList['grpcIntegrations'][number] {
  return {
    url: requireValue(url, 'the address of an EPOS that is called'),
    auth: { authType: 'basic', basic: { username: requireValue(username, 'the user name at an EPOS that is called') } },
    createdAt: presentMoment(createdAt),
  };
}

function presentCapabilities({ capabilities, createdAt }: EposIntegration): IntegrationList['wsIntegrations'][number] {
  return {
    capabilities: capabilities.map(({ updatedAt, ...each }) => ({ ...each, updatedAt: presentMoment(updatedAt) })),
    createdAt: presentMoment(createdAt),
  };
}
