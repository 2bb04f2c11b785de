import { NO_ACTIVITY_LOG } from '@pos/core/activities';
import { AccountCache } from '@pos/payments/accounts';
import { createLog } from '@pos/service-kit/telemetry';
import { createTestChannel } from '@pos/service-kit/testing';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { CallRunner } from '../epos-routing/call-runner.js';
import { EposRouteCache } from '../epos-routing/epos-route-cache.js';
import { LocalEposConnections } from '../epos-transports/local-epos-connections.js';
import type { GatewayEnvironment } from './gateway-world.js';
import { EposChannelPool } from '../epos-transports/epos-channel-pool.js';
import { GatewayForwarder } from '../epos-routing/gateway-forwarder.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';

const ROUTES_MAX_AGE_MS = 3_600_000;
const CALL_LIMIT_MS = 3_000;

/** A client that caches routes for ever and gets no hint of a change: it finds a change only by calling. */
export function createTablesClientWithoutHints(
  { testDatabase: { database } }: GatewayEnvironment,
  closers: (() => void)[],
): EposTablesClient {
  const databaseWithoutHints: Database = new Proxy(database, {
    get(target, key) {
      if (key === 'listen') return () => Promise.resolve(() => Promise.resolve());
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const log = createLog({ app: 'test', level: 'fatal', write: () => undefined });
  const createChannel = (address: string) =>
    createTestChannel('pay-at-table-gateway', { app: 'pay-at-table-gateway', address });
  const forwarder = new GatewayForwarder(createChannel, log);
  const channels = new EposChannelPool({ reach: { allow: [], allowsPlaintext: true }, certificateAuthority: null });
  closers.push(
    () => forwarder.close(),
    () => channels.close(),
  );
  const accounts = new AccountCache();
  const routeCache = new EposRouteCache({
    ...{ database: databaseWithoutHints, accounts, routesMaxAgeMs: ROUTES_MAX_AGE_MS },
    onRegistrationChange: (scopeName) => void channels.closeUnregistered(scopeName),
  });
  return new EposTablesClient({
    ...{ database: databaseWithoutHints, forwarder, channels, gatewayId: randomUUID(), callLimitMs: CALL_LIMIT_MS },
    runner: new CallRunner({ routeCache, log, activities: NO_ACTIVITY_LOG }),
    localConnections: new LocalEposConnections((scope) => routeCache.invalidate(scope)),
    // Its accounts keep sessions.
    orders: { listTransports: () => [] },
  });
}
