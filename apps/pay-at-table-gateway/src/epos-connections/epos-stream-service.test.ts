import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { credentials, status, type ClientDuplexStream } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/identity';
import { EposConnectorServiceClient, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import { disableTestAccount, revokeKeys } from '../testing/access-ends.js';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { TablesOutcome } from '../epos-calls/tables-call.js';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => environment.close());

const openStreams: ScriptedEpos[] = [];
afterEach(() => {
  for (const each of openStreams.splice(0)) each.cancelStream();
});

/** An EPOS played by hand. */
class ScriptedEpos {
  readonly received: ConnectResponse[] = [];
  code: status | null = null;
  readonly #client: EposConnectorServiceClient;
  readonly #stream: ClientDuplexStream<ConnectRequest, ConnectResponse>;

  constructor(apiKey: string, headers: Record<string, string> = { 'software-house-id': 'house' }) {
    this.#client = new EposConnectorServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.connect(buildCallMetadata(apiKey, headers));
    this.#stream.on('data', (message: ConnectResponse) => this.received.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code }: { code: status }) => {
      this.code = code;
    });
    openStreams.push(this);
  }

  send(message: ConnectRequest['message']): this {
    this.#stream.write({ message });
    return this;
  }

  sendHello(instanceId = 'one'): this {
    return this.send({ $case: 'hello', value: { instanceId, clientVersion: 'by hand' } });
  }

  async waitForWelcome(): Promise<this> {
    await waitUntil(() => this.received.some(({ message }) => message?.$case === 'welcome') || this.code !== null);
    expect(this.code).toBeNull();
    return this;
  }

  listCalls(): string[] {
    return this.received.flatMap(({ message }) => (message?.$case === 'call' ? [message.value.callId] : []));
  }

  sendAnswer(callId: string, name = ''): this {
    const session = { id: name, name, createdAt: new Date(), isPayable: true };
    const sessions = name === '' ? [] : [{ ...session, tableName: undefined, finishedAt: undefined }].map(fillSession);
    return this.send({ $case: 'result', value: { callId, response: { $case: 'listSessions', value: { sessions } } } });
  }

  async endStream(): Promise<status> {
    await waitUntil(() => this.code !== null);
    return this.code!;
  }

  cancelStream(): void {
    this.#stream.cancel();
    this.#client.close();
  }
}

function fillSession<T extends object>(session: T) {
  return { numberOfCovers: undefined, waiter: undefined, ...session };
}

async function listSessions({ scope }: GatewayAccount): Promise<TablesOutcome> {
  const call: TablesCall = {
    $case: 'listSessions',
    value: { tableNames: [], requestorInfo: buildMachineRequestor('1') },
  };
  const { outcome } = await gateway.app.get(EposTablesClient).callTables({
    scope,
    call,
    waitMs: 10_000,
    fence: null,
    faults: null,
  });
  return outcome;
}

test('answers find their calls in any order; of an answer that comes twice the second is dropped', async () => {
  const account = await environment.createAccount();
  const epos = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  const pendingCall = [listSessions(account)];
  await waitUntil(() => epos.listCalls().length === 1);
  pendingCall.push(listSessions(account));
  await waitUntil(() => epos.listCalls().length === 2);
  const [one, two] = epos.listCalls() as [string, string];
  epos.sendAnswer(two, 'second').sendAnswer(two, 'again').sendAnswer('nobody asked', 'stray').sendAnswer(one, 'first');
  const [first, second] = await Promise.all(pendingCall);
  expect(first).toMatchObject({ answer: { value: { sessions: [{ id: 'first' }] } } });
  expect(second).toMatchObject({ answer: { value: { sessions: [{ id: 'second' }] } } });
});

test('sixteen calls are outstanding at most; the others wait for their turn', async () => {
  const account = await environment.createAccount();
  const epos = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  const pendingCall = Array.from({ length: 20 }, () => listSessions(account));
  await waitUntil(() => epos.listCalls().length === 16);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(epos.listCalls()).toHaveLength(16);
  let answered = 0;
  while (answered < 20) {
    for (const callId of epos.listCalls().slice(answered)) {
      epos.sendAnswer(callId);
      answered += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await Promise.all(pendingCall)).map(({ outcome }) => outcome)).toEqual(Array(20).fill('answered'));
});

test('a broken stream ends every outstanding call as no answer', async () => {
  const account = await environment.createAccount();
  const epos = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  const { scope } = account;
  const call = { $case: 'lockSession', value: { sessionId: 's', requestorInfo: buildMachineRequestor('1') } } as const;
  const pendingCall = gateway.app.get(EposTablesClient).callTables({
    scope,
    call,
    waitMs: 10_000,
    fence: null,
    faults: null,
  });
  await waitUntil(() => epos.listCalls().length === 1);
  epos.cancelStream();
  expect((await pendingCall).outcome).toEqual({ outcome: 'noAnswer', reason: 'the connection broke', isEarly: true });
});

test('a replaced stream may still answer what it was asked; then it ends', async () => {
  const account = await environment.createAccount();
  const older = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  const pendingCall = listSessions(account);
  await waitUntil(() => older.listCalls().length === 1);
  const newer = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  expect(older.code).toBeNull();
  older.sendAnswer(older.listCalls()[0]!, 'late');
  expect(await pendingCall).toMatchObject({ answer: { value: { sessions: [{ id: 'late' }] } } });
  expect(await older.endStream()).toBe(status.ABORTED);
  const next = listSessions(account);
  await waitUntil(() => newer.listCalls().length === 1);
  newer.sendAnswer(newer.listCalls()[0]!);
  expect((await next).outcome).toBe('answered');
});

test('an answer to another call is reported to the EPOS and counts as none', async () => {
  const account = await environment.createAccount();
  const epos = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  const { scope } = account;
  const call = { $case: 'lockSession', value: { sessionId: 's', requestorInfo: buildMachineRequestor('1') } } as const;
  const pendingCall = gateway.app.get(EposTablesClient).callTables({
    scope,
    call,
    waitMs: 10_000,
    fence: null,
    faults: null,
  });
  await waitUntil(() => epos.listCalls().length === 1);
  epos.sendAnswer(epos.listCalls()[0]!);
  expect((await pendingCall).outcome.outcome).toBe('noAnswer');
  await waitUntil(() => epos.received.some(({ message }) => message?.$case === 'errorNotification'));
});

test.each([
  ['a deleted key', revokeKeys],
  ['a disabled account', disableTestAccount],
])('%s ends the stream', async (_, endAccess) => {
  const account = await environment.createAccount();
  const epos = await new ScriptedEpos(account.apiKey).sendHello().waitForWelcome();
  await endAccess(environment.testDatabase.database, account.scope);
  expect(await epos.endStream()).toBe(status.UNAUTHENTICATED);
});

test.each([
  ['no software house', {}, (epos: ScriptedEpos) => epos.sendHello(), status.INVALID_ARGUMENT],
  ['an empty hello', undefined, (epos: ScriptedEpos) => epos.sendHello(''), status.INVALID_ARGUMENT],
  [
    'an instance id of 201 characters',
    undefined,
    (epos: ScriptedEpos) => epos.sendHello('x'.repeat(201)),
    status.INVALID_ARGUMENT,
  ],
  ['no hello first', undefined, (epos: ScriptedEpos) => epos.sendAnswer('x'), status.INVALID_ARGUMENT],
  ['a second hello', undefined, (epos: ScriptedEpos) => epos.sendHello().sendHello(), status.INVALID_ARGUMENT],
  ['an empty message', undefined, (epos: ScriptedEpos) => epos.sendHello().send(undefined), status.INVALID_ARGUMENT],
  [
    'a message above a mebibyte that answers no call',
    undefined,
    (epos: ScriptedEpos) => epos.sendHello('x'.repeat(1_100_000)),
    status.RESOURCE_EXHAUSTED,
  ],
  [
    'a message above four mebibytes',
    undefined,
    (epos: ScriptedEpos) => epos.sendHello().sendAnswer('x'.repeat(4_200_000)),
    status.RESOURCE_EXHAUSTED,
  ],
])('an EPOS with %s is refused', async (_, headers, sendFirst, code) => {
  const account = await environment.createAccount();
  expect(await sendFirst(new ScriptedEpos(account.apiKey, headers)).endStream()).toBe(code);
});

test('an EPOS whose key may not connect is refused', async () => {
  const account = await environment.createAccount({ permissions: ROLES.gateway });
  expect(await new ScriptedEpos(account.apiKey).sendHello().endStream()).toBe(status.PERMISSION_DENIED);
});

test('an EPOS that connects without a pause is refused', async () => {
  const account = await environment.createAccount();
  const codes: status[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    codes.push(await new ScriptedEpos(account.apiKey).sendHello('').endStream());
  expect(codes.slice(0, 30)).toEqual(Array(30).fill(status.INVALID_ARGUMENT));
  expect(codes[30]).toBe(status.RESOURCE_EXHAUSTED);
});
