import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Leases } from '@pos/payments/tables';
import { createLog } from '@pos/service-kit/telemetry';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { AccountEposClient } from './account-epos-client.js';
import { Deadline } from '../epos-calls/deadline.js';
import { type TablesCallRequest, TABLES_CALLS } from '../epos-calls/tables-call.js';
import { createNotSent } from '../epos-calls/call-failure.js';
import { TablesSocketTransport } from '../epos-transports/tables-socket-transport.js';
import { OrderLocks } from '../order-sessions/order-locks.js';
import { SessionLockService } from '../session-locks/session-lock-service.js';

const CALL_LIMIT_MS = 30_000;
const REQUESTOR = { type: 'consumerDevice' } as const;

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  jest.useFakeTimers();
});
afterEach(async () => {
  jest.useRealTimers();
  await testDatabase.close();
});

/** An EPOS that handles one request at a time, the locks of journeys at it, and what it receives. */
function createSocketEpos() {
  const sent: { id: string; method: string }[] = [];
  const scope = createTestScope();
  const { database } = testDatabase;
  const socket = new TablesSocketTransport({
    ...{ connectionId: 'till', scope, database, log: createLog({ app: 'test', level: 'fatal' }) },
    connection: {
      send: (text) => sent.push(JSON.parse(text) as { id: string; method: string }) > 0,
      terminate: () => undefined,
    },
  });
  const call = async (callRequest: TablesCallRequest) => {
    const limitMs = CALL_LIMIT_MS * TABLES_CALLS[callRequest.call.$case].timeoutShare;
    const outcome = await socket.call(callRequest, Deadline.createAfter(callRequest.waitMs).limitCall(limitMs));
    return { outcome, transport: 'socket', connectionId: 'till' } as const;
  };
  const rejectOrders = () =>
    Promise.resolve({ outcome: createNotSent('noRoute', ''), transport: null, connectionId: '' });
  const epos = new AccountEposClient(
    { tablesClient: { callTables: call }, dataClient: { callData: rejectOrders }, locks: new OrderLocks(database) },
    scope,
  );
  const leases = new Leases();
  const locks = new SessionLockService({ database, leases, getEpos: () => epos, callLimitMs: CALL_LIMIT_MS });
  const answer = () => {
    socket.receiveFrame(JSON.stringify({ jsonrpc: '2.0', id: sent.at(-1)?.id, result: {} }));
  };
  const letGo = () => locks.unlockSession(scope, 'S-1', { requestor: REQUESTOR, triesMax: 1 });
  return { sent, answer, letGo };
}

test('an unlock call that waits for a busy EPOS has its whole time once it is sent', async () => {
  const { sent, answer, letGo } = createSocketEpos();
  const unlockings = [letGo(), letGo()];
  await jest.advanceTimersByTimeAsync(9_000);
  answer();
  await jest.advanceTimersByTimeAsync(19_000);
  expect(sent.map(({ method }) => method)).toEqual(['UnlockSession', 'UnlockSession']);
  answer();
  expect(await Promise.all(unlockings)).toEqual([true, true]);
});

test('a queued unlock call ends within the longest call limit', async () => {
  const { sent, answer, letGo } = createSocketEpos();
  const unlockings = [letGo(), letGo()];
  await jest.advanceTimersByTimeAsync(19_000);
  answer();
  await jest.advanceTimersByTimeAsync(CALL_LIMIT_MS - 19_000);
  expect(sent).toHaveLength(2);
  answer();
  expect(await Promise.all(unlockings)).toEqual([true, false]);
});
