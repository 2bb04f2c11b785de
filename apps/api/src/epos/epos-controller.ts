import { Controller } from '@nestjs/common';
import { required } from '@pos/core/assert';
import type { Caller } from '@pos/core/caller';
import { listIntegrations, EposRegistration, listIntegrationsOfKind } from '@pos/payments/epos-registration';
import { recordOrderChange, notifyPartyChange } from '@pos/payments/order-changes';
import { OrderPlacements } from '@pos/payments/order-placements';
import { TablePayments } from '@pos/payments/table-payments';
import { resumeWaitingForEpos } from '@pos/payments/waiting-payments';
import * as rest from '@pos/rest-contracts/epos-registration';
import { presentMoment } from '@pos/rest-contracts/moment';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { RegistrableAddresses } from '@pos/service-kit/registered-address';
import { type Call, Serve } from '@pos/service-kit/serve';
import type { EposIntegration } from '@pos/store/epos-integrations';
import { ApiDatabase } from '../api-database.js';

@Controller()
export class EposController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly registration: EposRegistration,
    private readonly addresses: RegistrableAddresses,
    private readonly tablePayments: TablePayments,
    private readonly placements: OrderPlacements,
  ) {}

  @Serve(rest.listEposIntegrations)
  async list({ caller }: Call<typeof rest.listEposIntegrations>) {
    const all = await this.store.readOne(caller.scope, listIntegrations);
    const of = (wanted: EposIntegration['kind']) => all.filter(({ kind }) => kind === wanted);
    return {
      restIntegrations: of('rest').map(presentRest),
      wsIntegrations: of('ws').map(presentCapable),
      serviceManagedIntegrations: of('service').map(presentCapable),
      grpcIntegrations: of('grpc').map(presentGrpc),
    };
  }

  @Serve(rest.readRestIntegration)
  async readRest({ caller }: Call<typeof rest.readRestIntegration>) {
    return (await this.store.readOne(caller.scope, (reader) => listIntegrationsOfKind(reader, 'rest'))).map(
      presentRest,
    );
  }

  @Serve(rest.putRestIntegration)
  async putRest(call: Call<typeof rest.putRestIntegration>) {
    const { url, auth, capabilities } = call.body;
    this.addresses.requireEpos(call.caller.scope, url);
    const wish = { kind: 'rest', address: { url, ...auth.basic }, capabilities } as const;
    const registered = await this.store.once<typeof rest.putRestIntegration>(call, async (tx) =>
      (await this.registration.register(tx, wish)).map(presentRest),
    );
    await this.#goOn(call.caller);
    return registered;
  }

  @Serve(rest.deleteRestIntegration)
  async deleteRest(call: Call<typeof rest.deleteRestIntegration>) {
    return this.store.once<typeof rest.deleteRestIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'rest');
    });
  }

  @Serve(rest.readWsIntegration)
  async readWs({ caller }: Call<typeof rest.readWsIntegration>) {
    return (await this.store.readOne(caller.scope, (reader) => listIntegrationsOfKind(reader, 'ws'))).map(
      presentCapable,
    );
  }

  @Serve(rest.putWsIntegration)
  async putWs(call: Call<typeof rest.putWsIntegration>) {
    const wish = { kind: 'ws', address: null, capabilities: call.body.capabilities } as const;
    return this.store.once<typeof rest.putWsIntegration>(call, async (tx) =>
      (await this.registration.register(tx, wish)).map(presentCapable),
    );
  }

  @Serve(rest.deleteWsIntegration)
  async deleteWs(call: Call<typeof rest.deleteWsIntegration>) {
    return this.store.once<typeof rest.deleteWsIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'ws');
    });
  }

  @Serve(rest.readServiceManagedIntegrations)
  async readServiceManaged({ caller }: Call<typeof rest.readServiceManagedIntegrations>) {
    return (await this.store.readOne(caller.scope, (reader) => listIntegrationsOfKind(reader, 'service'))).map(
      presentCapable,
    );
  }

  @Serve(rest.readGrpcIntegration)
  async readGrpc({ caller }: Call<typeof rest.readGrpcIntegration>) {
    return (await this.store.readOne(caller.scope, (reader) => listIntegrationsOfKind(reader, 'grpc'))).map(
      presentGrpc,
    );
  }

  @Serve(rest.putGrpcIntegration)
  async putGrpc(call: Call<typeof rest.putGrpcIntegration>) {
    const { url, auth } = call.body;
    this.addresses.requireEpos(call.caller.scope, url);
    const wish = { kind: 'grpc', address: { url, ...auth.basic }, capabilities: [] } as const;
    const registered = await this.store.once<typeof rest.putGrpcIntegration>(call, async (tx) =>
      (await this.registration.register(tx, wish)).map(presentGrpc),
    );
    await this.#goOn(call.caller);
    return registered;
  }

  @Serve(rest.deleteGrpcIntegration)
  async deleteGrpc(call: Call<typeof rest.deleteGrpcIntegration>) {
    return this.store.once<typeof rest.deleteGrpcIntegration>(call, async (tx) => {
      await this.registration.unregister(tx, 'grpc');
    });
  }

  @Serve(rest.reportEposEvent)
  async report(call: Call<typeof rest.reportEposEvent>) {
    return this.store.once<typeof rest.reportEposEvent>(call, async (tx) => {
      const { body } = call;
      // Reservations are not kept: they are read whenever they are needed.
      if (body.eventType === 'OrderUpdated') await recordOrderChange(tx, body.event.orderId);
      if (body.eventType === 'PartyUpdated') notifyPartyChange(tx);
      return body;
    });
  }

  /** What an EPOS has refused the credentials of is tried again with the new ones (epos.md 2.6); without this, in ten minutes. */
  async #goOn({ scope }: Pick<Caller, 'scope'>): Promise<void> {
    const { tablePayments, placements } = this;
    await resumeWaitingForEpos({ database: this.store.database, tablePayments, placements }, scope);
  }
}

type All = ReturnsOf<typeof rest.listEposIntegrations>;

function presentRest(integration: EposIntegration): All['restIntegrations'][number] {
  return { ...presentGrpc(integration), ...presentCapable(integration) };
}

function presentGrpc({ url, username, createdAt }: EposIntegration): All['grpcIntegrations'][number] {
  return {
    url: required(url, 'the address of an EPOS that is called'),
    auth: { authType: 'basic', basic: { username: required(username, 'the user name at an EPOS that is called') } },
    createdAt: presentMoment(createdAt),
  };
}

function presentCapable({ capabilities, createdAt }: EposIntegration): All['wsIntegrations'][number] {
  return {
    capabilities: capabilities.map(({ updatedAt, ...each }) => ({ ...each, updatedAt: presentMoment(updatedAt) })),
    createdAt: presentMoment(createdAt),
  };
}
