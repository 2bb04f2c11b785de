import { credentials, status, type ClientDuplexStream } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/permissions';
import { EposConnectorServiceClient, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import { deleteApiKey, listApiKeys } from '@pos/store/api-keys';
import type { RunningGateway } from '../boot.js';
import { keyed, machine, type TestAccount, TestPlace, until } from '../testing.js';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { EposOutcome } from './tables-call.js';

let place: TestPlace;
let gateway: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => place.close());

const open: HandEpos[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.hangUp();
});

/** An EPOS played by hand. */
class HandEpos {
  readonly got: ConnectResponse[] = [];
  code: status | null = null;
  readonly #client: EposConnectorServiceClient;
  readonly #stream: ClientDuplexStream<ConnectRequest, ConnectResponse>;

  constructor(apiKey: string, headers: Record<string, string> = { 'software-house-id': 'house' }) {
    this.#client = new EposConnectorServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.connect(keyed(apiKey, headers));
    this.#stream.on('data', (message: ConnectResponse) => this.got.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code }: { code: status }) => {
      this.code = code;
    });
    open.push(this);
  }

  say(message: ConnectRequest['message']): this {
    this.#stream.write({ message });
    return this;
  }

  hello(instanceId = 'one'): this {
    return this.say({ $case: 'hello', value: { instanceId, clientVersion: 'by hand' } });
  }

  async welcomed(): Promise<this> {
    await until(() => this.got.some(({ message }) => message?.$case === 'welcome') || this.code !== null);
    expect(this.code).toBeNull();
    return this;
  }

  calls(): string[] {
    return this.got.flatMap(({ message }) => (message?.$case === 'call' ? [message.value.callId] : []));
  }

  answer(callId: string, name = ''): this {
    const session = { id: name, name, createdAt: new Date(), isPayable: true };
    const sessions = name === '' ? [] : [{ ...session, tableName: undefined, finishedAt: undefined }].map(filled);
    return this.say({ $case: 'result', value: { callId, response: { $case: 'listSessions', value: { sessions } } } });
  }

  async end(): Promise<status> {
    await until(() => this.code !== null);
    return this.code!;
  }

  hangUp(): void {
    this.#stream.cancel();
    this.#client.close();
  }
}

function filled<T extends object>(session: T) {
  return { numberOfCovers: undefined, waiter: undefined, ...session };
}

async function list({ scope }: TestAccount): Promise<EposOutcome> {
  const call: TablesCall = { $case: 'listSessions', value: { tableNames: [], requestorInfo: machine('1') } };
  const { outcome } = await gateway.gateway.router.call({ scope, call, waitMs: 10_000, fence: null, faults: null });
  return outcome;
}

test('answers find their calls in any order; of an answer that comes twice the second is dropped', async () => {
  const account = await place.account();
  const epos = await new HandEpos(account.apiKey).hello().welcomed();
  const asked = [list(account)];
  await until(() => epos.calls().length === 1);
  asked.push(list(account));
  await until(() => epos.calls().length === 2);
  const [one, two] = epos.calls() as [string, string];
  epos.answer(two, 'second').answer(two, 'again').answer('nobody asked', 'stray').answer(one, 'first');
  const [first, second] = await Promise.all(asked);
  expect(first).toMatchObject({ answer: { value: { sessions: [{ id: 'first' }] } } });
  expect(second).toMatchObject({ answer: { value: { sessions: [{ id: 'second' }] } } });
});

test('sixteen calls are outstanding at most; the others wait for their turn', async () => {
  const account = await place.account();
  const epos = await new HandEpos(account.apiKey).hello().welcomed();
  const asked = Array.from({ length: 20 }, () => list(account));
  await until(() => epos.calls().length === 16);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(epos.calls()).toHaveLength(16);
  let answered = 0;
  while (answered < 20) {
    for (const callId of epos.calls().slice(answered)) {
      epos.answer(callId);
      answered += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(Array(20).fill('answered'));
});

test('a broken stream ends every outstanding call as no answer', async () => {
  const account = await place.account();
  const epos = await new HandEpos(account.apiKey).hello().welcomed();
  const { scope } = account;
  const call = { $case: 'lockSession', value: { sessionId: 's', requestorInfo: machine('1') } } as const;
  const asked = gateway.gateway.router.call({ scope, call, waitMs: 10_000, fence: null, faults: null });
  await until(() => epos.calls().length === 1);
  epos.hangUp();
  expect((await asked).outcome).toEqual({ outcome: 'noAnswer', reason: 'the connection broke' });
});

test('a replaced stream may still answer what it was asked; then it ends', async () => {
  const account = await place.account();
  const older = await new HandEpos(account.apiKey).hello().welcomed();
  const asked = list(account);
  await until(() => older.calls().length === 1);
  const newer = await new HandEpos(account.apiKey).hello().welcomed();
  expect(older.code).toBeNull();
  older.answer(older.calls()[0]!, 'late');
  expect(await asked).toMatchObject({ answer: { value: { sessions: [{ id: 'late' }] } } });
  expect(await older.end()).toBe(status.ABORTED);
  const next = list(account);
  await until(() => newer.calls().length === 1);
  newer.answer(newer.calls()[0]!);
  expect((await next).outcome).toBe('answered');
});

test('an answer to another question is told to the EPOS and counts as none', async () => {
  const account = await place.account();
  const epos = await new HandEpos(account.apiKey).hello().welcomed();
  const { scope } = account;
  const call = { $case: 'lockSession', value: { sessionId: 's', requestorInfo: machine('1') } } as const;
  const asked = gateway.gateway.router.call({ scope, call, waitMs: 10_000, fence: null, faults: null });
  await until(() => epos.calls().length === 1);
  epos.answer(epos.calls()[0]!);
  expect((await asked).outcome.outcome).toBe('noAnswer');
  await until(() => epos.got.some(({ message }) => message?.$case === 'errorNotification'));
});

test('a deleted key ends the stream', async () => {
  const account = await place.account();
  const epos = await new HandEpos(account.apiKey).hello().welcomed();
  const [key] = await place.test.database.read(account.scope, listApiKeys);
  await place.test.database.transact(account.scope, (tx) => deleteApiKey(tx, key!.id));
  expect(await epos.end()).toBe(status.UNAUTHENTICATED);
});

test.each([
  ['no software house', {}, (epos: HandEpos) => epos.hello(), status.INVALID_ARGUMENT],
  ['an empty hello', undefined, (epos: HandEpos) => epos.hello(''), status.INVALID_ARGUMENT],
  [
    'an instance id of 201 characters',
    undefined,
    (epos: HandEpos) => epos.hello('x'.repeat(201)),
    status.INVALID_ARGUMENT,
  ],
  ['no hello first', undefined, (epos: HandEpos) => epos.answer('x'), status.INVALID_ARGUMENT],
  ['a second hello', undefined, (epos: HandEpos) => epos.hello().hello(), status.INVALID_ARGUMENT],
  ['an empty message', undefined, (epos: HandEpos) => epos.hello().say(undefined), status.INVALID_ARGUMENT],
  [
    'a message above a mebibyte that answers no call',
    undefined,
    (epos: HandEpos) => epos.hello('x'.repeat(1_100_000)),
    status.RESOURCE_EXHAUSTED,
  ],
  [
    'a message above four mebibytes',
    undefined,
    (epos: HandEpos) => epos.hello().answer('x'.repeat(4_200_000)),
    status.RESOURCE_EXHAUSTED,
  ],
])('an EPOS with %s is refused', async (_, headers, speak, code) => {
  const account = await place.account();
  expect(await speak(new HandEpos(account.apiKey, headers)).end()).toBe(code);
});

test('an EPOS whose key may not connect is refused', async () => {
  const account = await place.account({ permissions: ROLES.gateway });
  expect(await new HandEpos(account.apiKey).hello().end()).toBe(status.PERMISSION_DENIED);
});

test('an EPOS that connects without a pause is told to stop it', async () => {
  const account = await place.account();
  const codes: status[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1) codes.push(await new HandEpos(account.apiKey).hello('').end());
  expect(codes.slice(0, 30)).toEqual(Array(30).fill(status.INVALID_ARGUMENT));
  expect(codes[30]).toBe(status.RESOURCE_EXHAUSTED);
});
