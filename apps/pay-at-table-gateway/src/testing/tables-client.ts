import { AccountCache } from '@pos/payments/accounts/account-cache';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import { createLog } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import { randomUUID } from 'node:crypto';
import { createEposClients } from '../modules/epos-clients.js';
import type { TestEnvironment } from './gateway-world.js';
import { EposChannelPool } from '../epos-transports/epos-channels.js';
import { GatewayForwarder } from '../epos-routing/epos-forwards.js';
import type { EposTablesClient } from '../epos-routing/epos-tables-client.js';

/** A client that caches routes for ever and gets no hint of a change: it finds a change only by calling. */
export function createTablesClientWithoutHints(
  { testDatabase: { database } }: TestEnvironment,
  closers: (() => void)[],
): EposTablesClient {
  const databaseWithoutHints: Database = new Proxy(database, {
    get(target, key) {
      if (key === 'listen') return () => Promise.resolve(() => Promise.resolve());
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const forwarder = new GatewayForwarder(null);
  const channels = new EposChannelPool({ reach: { allow: [], allowsPlaintext: true }, certificateAuthority: null });
  const egress = new EgressClient();
  closers.push(
    () => forwarder.close(),
    () => channels.close(),
    () => void egress.close(),
  );
  return createEposClients({
    ...{ forwarder, channels, egress, allowsPlaintext: true, database: databaseWithoutHints },
    accounts: new AccountCache(),
    gatewayId: randomUUID(),
    callLimitMs: 3_000,
    log: createLog({ app: 'test', level: 'fatal', write: () => undefined }),
    routesMaxAgeMs: 3_600_000,
  }).tablesClient;
}
