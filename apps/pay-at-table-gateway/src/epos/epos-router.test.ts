import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listLiveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/epos-integrations';
import type { RunningGateway } from '../boot.js';
import { machine, type TestAccount, TestPlace, until } from '../testing.js';
import type { EposWish } from './tables-call.js';
import { deafRouter } from './testing-router.js';

let place: TestPlace;
let holder: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  place = await TestPlace.open();
  holder = await place.gateway();
});
afterAll(async () => {
  for (const close of closers) close();
  await place.close();
});

const wish = ({ scope }: TestAccount): EposWish => ({
  scope,
  call: { $case: 'listSessions', value: { tableNames: [], requestorInfo: machine('90000001') } },
  waitMs: 5_000,
  fence: null,
  faults: null,
});

const live = ({ scope }: TestAccount) =>
  place.test.database.read(scope, (reader) => listLiveConnections(reader, ['epos-grpc-stream']));

/** An account whose EPOS holds a stream, and a router that has just used it. */
async function streamed() {
  const account = await place.account({ epos: 'stream', gateways: [holder] });
  await until(async () => (await live(account)).length === 1);
  const router = deafRouter(place, closers);
  // The first call may come before it listens, and nothing is kept then.
  for (let calls = 0; calls < 2; calls += 1) {
    expect(await router.call(wish(account))).toMatchObject({ way: 'stream', outcome: { outcome: 'answered' } });
  }
  return { account, router };
}

test('a call whose remembered stream is gone goes on to the registered address', async () => {
  const { account, router } = await streamed();
  account.place.eposStream!.stop();
  await until(async () => (await live(account)).length === 0);
  await place.test.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      kind: 'grpc',
      url: `http://${place.worldAddress}`,
      username: account.place.account.epos!.username,
      password: account.place.account.epos!.password,
      capabilities: [],
    }),
  );
  const before = account.place.epos!.calls().length;
  expect(await router.call(wish(account))).toMatchObject({ way: 'dialled', outcome: { outcome: 'answered' } });
  expect(account.place.epos!.calls().length - before).toBe(1);
});

test('a call whose remembered stream is gone goes on to the newer one', async () => {
  const { account, router } = await streamed();
  const [older] = await live(account);
  account.place.eposStream!.stop();
  await until(async () => (await live(account)).length === 0);
  account.place.eposStream!.start();
  await until(async () => (await live(account)).length === 1);
  const { outcome, connectionId } = await router.call(wish(account));
  expect(outcome.outcome).toBe('answered');
  expect(connectionId).not.toBe(older!.connectionId);
});

test('a call whose remembered stream is gone, with no other way, is told that nothing was sent', async () => {
  const { account, router } = await streamed();
  account.place.eposStream!.stop();
  await until(async () => (await live(account)).length === 0);
  expect((await router.call(wish(account))).outcome).toMatchObject({ outcome: 'notSent' });
});
