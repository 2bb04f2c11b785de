import { AccountCache } from '@pos/payments/accounts/account-cache';
import { EgressClient } from '@pos/service-kit/egress/egress-client';
import { createLog } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import { randomUUID } from 'node:crypto';
import { createOrderServices } from '../orders/orders-epos.js';
import type { TestEnvironment } from '../testing.js';
import { EposChannelPool } from './epos-channels.js';
import { GatewayForwarder } from './epos-forwards.js';
import { EposRouter } from './epos-router.js';
import { LocalEposConnections } from './epos-streams.js';

/** A gateway's router that remembers ways for ever and is deaf to every hint: whatever it finds out, it finds by calling. */
export function createRouterWithoutHints(
  { testDatabase: { database } }: TestEnvironment,
  closers: (() => void)[],
): EposRouter {
  const databaseWithoutHints: Database = new Proxy(database, {
    get(target, key) {
      if (key === 'listen') return () => Promise.resolve(() => Promise.resolve());
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const forwards = new GatewayForwarder(null);
  const channels = new EposChannelPool({ reach: { allow: [], allowsPlaintext: true }, certificateAuthority: null });
  const egress = new EgressClient();
  closers.push(
    () => forwards.close(),
    () => channels.close(),
    () => void egress.close(),
  );
  return new EposRouter({
    ...{
      forwards,
      channels,
      egress,
      allowsPlaintext: true,
      database: databaseWithoutHints,
      accounts: new AccountCache(),
      streams: new LocalEposConnections(),
    },
    orders: createOrderServices(databaseWithoutHints),
    gatewayId: randomUUID(),
    callLimitMs: 3_000,
    log: createLog({ app: 'test', level: 'fatal', write: () => undefined }),
    routesMaxAgeMs: 3_600_000,
  });
}
