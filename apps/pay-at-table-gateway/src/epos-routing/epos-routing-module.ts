import { readFileSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { ACTIVITIES } from '@pos/nest-modules';
import { AccountCache } from '@pos/payments/accounts';
import { EgressClient } from '@pos/service-kit/egress';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { ADVERTISED_PORT, GatewayIdentity } from '../connections/gateway-identity.js';
import { CallRunner } from './call-runner.js';
import { EposDataClient } from './epos-data-client.js';
import { GatewayForwarder } from './gateway-forwarder.js';
import { EposRouteCache } from './epos-route-cache.js';
import { EposService } from './epos-service.js';
import { GatewayInternalServer } from './internal-server.js';
import { ORDERS_TRANSPORT_SOURCE } from './orders-transport-source.js';
import { EposTablesClient } from './epos-tables-client.js';
import { EposChannelPool } from '../epos-transports/epos-channel-pool.js';
import { LocalEposConnections } from '../epos-transports/local-epos-connections.js';

const APP = 'pay-at-table-gateway';
const EPOS_CONNECT_TIMEOUT_MS = 5_000;

const CONNECTIONS = [
  provide(InternalIdentity, { config: CONFIG, log: LOG }, ({ config, log }) => new InternalIdentity(config, log)),
  provide(GatewayForwarder, { identity: InternalIdentity, log: LOG }, ({ identity, log }) => {
    const addressSetting = 'ADVERTISED_ADDRESS of another gateway';
    return new GatewayForwarder((address) => identity.createChannel({ app: APP, address, addressSetting }), log);
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

const ROUTES = [
  provide(
    EposRouteCache,
    { database: Database, accounts: AccountCache, channels: EposChannelPool },
    ({ channels, ...parts }) => {
      const onRegistrationChange = (scopeName: string): void => void channels.closeUnregistered(scopeName);
      return new EposRouteCache({ ...parts, onRegistrationChange });
    },
  ),
  provide(
    CallRunner,
    { routeCache: EposRouteCache, log: LOG, activities: ACTIVITIES },
    (parts) => new CallRunner(parts),
  ),
  provide(
    LocalEposConnections,
    { routeCache: EposRouteCache },
    ({ routeCache }) => new LocalEposConnections((scope) => routeCache.invalidate(scope)),
  ),
];

const DEPENDENCIES = {
  config: CONFIG,
  identity: GatewayIdentity,
  database: Database,
  runner: CallRunner,
  localConnections: LocalEposConnections,
  forwarder: GatewayForwarder,
};

const CLIENTS = [
  provide(EposDataClient, { ...DEPENDENCIES, egress: EgressClient }, ({ config, identity, ...parts }) => {
    const { ALLOW_PLAINTEXT_EPOS: allowsPlaintext, EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
    return new EposDataClient({ ...parts, allowsPlaintext, callLimitMs, gatewayId: identity.id });
  }),
  provide(
    EposTablesClient,
    { ...DEPENDENCIES, channels: EposChannelPool, orders: ORDERS_TRANSPORT_SOURCE },
    ({ config, identity, ...parts }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new EposTablesClient({ ...parts, callLimitMs, gatewayId: identity.id });
    },
  ),
];

const SERVERS = [
  provide(
    EposService,
    { tablesClient: EposTablesClient, dataClient: EposDataClient, database: Database, log: LOG },
    (parts) => new EposService(parts),
  ),
  provide(
    GatewayInternalServer,
    { config: CONFIG, identity: InternalIdentity, service: EposService, log: LOG },
    (parts) => new GatewayInternalServer(parts),
  ),
  provide(ADVERTISED_PORT, { server: GatewayInternalServer }, ({ server }) => server),
];

const PROVIDERS = [...CONNECTIONS, ...ROUTES, ...CLIENTS, ...SERVERS];

/** Calls to the EPOS of an account, over each of its transports. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class EposRoutingModule {}
