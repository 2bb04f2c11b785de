import { AccountCache } from '@pos/payments/accounts';
import { Egress } from '@pos/service-kit/egress';
import { openLog } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { orderParts } from '../orders/orders-epos.js';
import type { TestPlace } from '../testing.js';
import { EposChannels } from './epos-channels.js';
import { EposForwards } from './epos-forwards.js';
import { EposRouter } from './epos-router.js';
import { EposStreams } from './epos-streams.js';

/** A gateway's router that remembers ways for ever and is deaf to every hint: whatever it finds out, it finds by calling. */
export function deafRouter({ test: { database } }: TestPlace, closers: (() => void)[]): EposRouter {
  const deaf: Database = new Proxy(database, {
    get(target, key) {
      if (key === 'listen') return () => Promise.resolve(() => Promise.resolve());
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const forwards = new EposForwards(null);
  const channels = new EposChannels({ reach: { allow: [], allowsPlaintext: true }, certificateAuthority: null });
  const egress = new Egress();
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
      database: deaf,
      accounts: new AccountCache(),
      streams: new EposStreams(),
    },
    orders: orderParts(deaf),
    gatewayId: randomUUID(),
    callLimitMs: 3_000,
    log: openLog({ app: 'test', level: 'fatal', write: () => undefined }),
    routesFreshMs: 3_600_000,
  });
}
