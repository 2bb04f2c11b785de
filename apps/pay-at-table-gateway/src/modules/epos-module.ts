import { readFileSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import { readInternalKeys } from '@pos/service-kit/internal/internal-server';
import { defineToken, listTokens, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import type { Config } from '../config/config.js';
import { GatewayIdentity } from '../connections/gateway-identity.js';
import { CallRunner } from '../epos-routing/call-runner.js';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { GatewayForwarder } from '../epos-routing/epos-forwards.js';
import { EposService } from '../epos-routing/epos-service.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { EposChannelPool } from '../epos-transports/epos-channels.js';
import { LocalEposConnections } from '../epos-transports/epos-streams.js';
import { createEposClients, type EposClients } from './epos-clients.js';

const EPOS_CONNECT_TIMEOUT_MS = 5_000;

/** Everything that calls EPOSes, made together: calls over orders wrap the client of the EPOS Data API. */
export const EPOS_CLIENTS = defineToken<EposClients>('EPOS_CLIENTS');

const CONNECTIONS = [
  provide(GatewayForwarder, { config: CONFIG }, ({ config }) => {
    const { INTERNAL_KEY: internalKey }: Config = config;
    return new GatewayForwarder(internalKey ?? null);
  }),
  provide(EposChannelPool, { config: CONFIG }, ({ config }) => {
    const { EGRESS_ALLOW: allow, ALLOW_PLAINTEXT_EPOS: allowsPlaintext }: Config = config;
    return new EposChannelPool({
      reach: { allow, allowsPlaintext },
      certificateAuthority: readCertificateAuthority(config),
    });
  }),
  provide(EgressClient, { config: CONFIG }, ({ config }) => {
    const { EGRESS_ALLOW: allow }: Config = config;
    const certificateAuthority = readCertificateAuthority(config);
    return new EgressClient({ allow, certificateAuthority, connectMs: EPOS_CONNECT_TIMEOUT_MS });
  }),
];

function readCertificateAuthority({ EGRESS_CA_FILE: file }: Config): string | null {
  return file === undefined ? null : readFileSync(file, 'utf8');
}

const DEPENDENCIES = {
  config: CONFIG,
  identity: GatewayIdentity,
  database: Database,
  accounts: AccountCache,
  forwarder: GatewayForwarder,
  channels: EposChannelPool,
  egress: EgressClient,
  log: LOG,
};

const CLIENTS = [
  provide(EPOS_CLIENTS, DEPENDENCIES, ({ config, identity, ...parts }) => {
    const { ALLOW_PLAINTEXT_EPOS: allowsPlaintext, EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
    return createEposClients({ ...parts, allowsPlaintext, callLimitMs, gatewayId: identity.id });
  }),
  provide(LocalEposConnections, { clients: EPOS_CLIENTS }, ({ clients }) => clients.localConnections),
  provide(CallRunner, { clients: EPOS_CLIENTS }, ({ clients }) => clients.runner),
  provide(EposDataClient, { clients: EPOS_CLIENTS }, ({ clients }) => clients.dataClient),
  provide(EposTablesClient, { clients: EPOS_CLIENTS }, ({ clients }) => clients.tablesClient),
  provide(
    EposService,
    { config: CONFIG, tablesClient: EposTablesClient, dataClient: EposDataClient, database: Database, log: LOG },
    ({ config, ...parts }) => new EposService({ ...parts, internalKeys: readInternalKeys(config) }),
  ),
];

const PROVIDERS = [...CONNECTIONS, ...CLIENTS];

/** Calls to the EPOS of an account, over whichever transport it has. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class EposModule {}
