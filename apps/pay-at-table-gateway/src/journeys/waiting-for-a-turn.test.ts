import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Leases } from '@pos/payments/leases';
import { openLog } from '@pos/service-kit/log';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { AccountEpos } from '../epos/account-epos.js';
import { Deadline, type EposWish, notSent, TABLES_CALLS } from '../epos/tables-call.js';
import { TablesSocket } from '../epos/tables-socket.js';
import { OrderLocks } from '../orders/order-locks.js';
import { SessionLocks } from './session-locks.js';

const CALL_LIMIT_MS = 30_000;
const REQUESTOR = { type: 'consumerDevice' } as const;

let place: TestDatabase;
beforeEach(async () => {
  place = await createTestDatabase();
  jest.useFakeTimers();
});
afterEach(async () => {
  jest.useRealTimers();
  await place.close();
});

/** A till that handles one request at a time and the locks of journeys at it; what it is sent. */
function till() {
  const sent: { id: string; method: string }[] = [];
  const scope = createTestScope();
  const { database } = place;
  const socket = new TablesSocket({
    ...{ connectionId: 'till', database, log: openLog({ app: 'test', level: 'fatal' }) },
    line: { send: (text) => sent.push(JSON.parse(text) as { id: string; method: string }) > 0, cut: () => undefined },
  });
  const call = async (wish: EposWish) => {
    const limitMs = CALL_LIMIT_MS * TABLES_CALLS[wish.call.$case].limitShare;
    const outcome = await socket.call(wish, Deadline.in(wish.waitMs).forCallOf(limitMs));
    return { outcome, way: 'socket', connectionId: 'till' } as const;
  };
  const ask = () => Promise.resolve({ outcome: notSent('noRoute', ''), way: null, connectionId: '' });
  const epos = new AccountEpos({ call, ask }, scope, new OrderLocks(database));
  const leases = new Leases();
  const locks = new SessionLocks({ database, leases, eposOf: () => epos, callLimitMs: CALL_LIMIT_MS });
  const answer = () => {
    socket.hear(JSON.stringify({ jsonrpc: '2.0', id: sent.at(-1)?.id, result: {} }));
  };
  const letGo = () => locks.letGo(scope, 'S-1', { requestor: REQUESTOR, triesMax: 1 });
  return { sent, answer, letGo };
}

test('an unlocking that waits for its turn at a busy till has its whole time once it is sent', async () => {
  const { sent, answer, letGo } = till();
  const unlockings = [letGo(), letGo()];
  await jest.advanceTimersByTimeAsync(9_000);
  answer();
  await jest.advanceTimersByTimeAsync(19_000);
  expect(sent.map(({ method }) => method)).toEqual(['UnlockSession', 'UnlockSession']);
  answer();
  expect(await Promise.all(unlockings)).toEqual([true, true]);
});

test('one that waits does not outlast the longest call of all, which those count on who come after it', async () => {
  const { sent, answer, letGo } = till();
  const unlockings = [letGo(), letGo()];
  await jest.advanceTimersByTimeAsync(19_000);
  answer();
  await jest.advanceTimersByTimeAsync(CALL_LIMIT_MS - 19_000);
  expect(sent).toHaveLength(2);
  answer();
  expect(await Promise.all(unlockings)).toEqual([true, false]);
});
