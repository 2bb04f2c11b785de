import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RequestorType } from '@pos/grpc-contracts/tables';
import { createLog } from '@pos/service-kit/telemetry';
import { createTestScope } from '@pos/store/testing';
import { Deadline } from '../epos-calls/deadline.js';
import type { TablesCallRequest } from '../epos-calls/tables-call.js';
import { TablesSocketTransport } from './tables-socket-transport.js';

const CALL_TIMEOUT_MS = 20_000;
const CONSUMER_REQUESTOR = {
  requestorType: RequestorType.REQUESTOR_TYPE_CONSUMER_DEVICE,
  requestor: { $case: 'consumerDeviceRequestorInfo' as const, value: {} },
};
const CALL_REQUEST: Omit<TablesCallRequest, 'scope'> = {
  call: { $case: 'listTables', value: { statuses: [], requestorInfo: CONSUMER_REQUESTOR } },
  ...{ waitMs: 60_000, fence: null, faults: null },
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** An EPOS that handles one request at a time, and what it receives. */
function createSocketTransport() {
  const sent: { id: string }[] = [];
  const socket = new TablesSocketTransport({
    ...{ connectionId: 'till', scope: createTestScope(), log: createLog({ app: 'test', level: 'fatal' }) },
    connection: { send: (text) => sent.push(JSON.parse(text) as { id: string }) > 0, terminate: () => undefined },
    database: { read: () => Promise.reject(new Error('no call here has a fence')) },
  });
  const call = (waitMs: number) =>
    socket.call({ ...CALL_REQUEST, scope: createTestScope() }, Deadline.createAfter(waitMs).limitCall(CALL_TIMEOUT_MS));
  const answer = (transport: number) => {
    socket.receiveFrame(JSON.stringify({ jsonrpc: '2.0', id: sent[transport]?.id, result: { tables: [] } }));
  };
  const answerWith = (transport: number, members: object) => {
    socket.receiveFrame(JSON.stringify({ jsonrpc: '2.0', id: sent[transport]?.id, ...members }));
  };
  return { sent, call, answer, answerWith };
}

test('the time limit of a call counts from its sending, not from when it began to wait for its turn', async () => {
  const { sent, call, answer } = createSocketTransport();
  const calls = [call(60_000), call(60_000)];
  await jest.advanceTimersByTimeAsync(15_000);
  expect(sent).toHaveLength(1);
  answer(0);
  await jest.advanceTimersByTimeAsync(15_000);
  expect(sent).toHaveLength(2);
  answer(1);
  expect((await Promise.all(calls)).map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
});

test('an EPOS that does not answer in that time has not answered, and the caller’s own deadline is never exceeded', async () => {
  const { sent, call, answer } = createSocketTransport();
  const [late, shortCall] = [call(60_000), call(25_000)];
  await jest.advanceTimersByTimeAsync(CALL_TIMEOUT_MS);
  expect((await late).outcome).toBe('noAnswer');
  expect(sent).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(5_000);
  answer(1);
  expect((await shortCall).outcome).toBe('noAnswer');
});

test('a call waits half a minute for its turn at most, and was never sent then', async () => {
  const { sent, call } = createSocketTransport();
  const first = call(120_000).then(() => call(120_000));
  const waiting = [call(120_000), call(120_000), call(120_000)];
  await jest.advanceTimersByTimeAsync(30_000);
  expect((await Promise.all(waiting.slice(1))).map((each) => [each.outcome, 'cause' in each && each.cause])).toEqual([
    ['notSent', 'queueFull'],
    ['notSent', 'queueFull'],
  ]);
  expect(sent).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(120_000);
  await first;
});

test.each([{}, { result: null }, { result: null, error: null }, { result: [] }, { result: 'done' }])(
  'an answer with %j ends its call at once, and shows nothing of its outcome',
  async (members) => {
    const { call, answerWith } = createSocketTransport();
    const running = call(60_000);
    await jest.advanceTimersByTimeAsync(50);
    answerWith(0, members);
    const outcome = await Promise.race([running, jest.advanceTimersByTimeAsync(1_000)]);
    expect(outcome).toMatchObject({ outcome: 'noAnswer', reason: 'the message has no result' });
  },
);
