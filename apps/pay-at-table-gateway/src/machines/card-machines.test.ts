import { credentials, status, type ClientDuplexStream } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  CardMachineServiceClient,
  CardPresentResult,
  type ConnectRequest,
  type ConnectResponse,
  FundingType,
  type Report,
  Scheme,
} from '@pos/grpc-contracts/card-machine';
import { ROLES } from '@pos/core/permissions';
import { deleteApiKey, listApiKeys } from '@pos/store/api-keys';
import { findLiveConnection } from '@pos/store/connections';
import { defineStatement } from '@pos/store/statement';
import { findTerminalByTid, findTerminalActivity } from '@pos/store/terminals';
import { resetMachine } from '@pos/payments/machine-bindings';
import { listOperatorCallPage } from '@pos/payments/operator-desk';
import { computeTerminalStatus } from '@pos/payments/terminals';
import type { RunningGateway } from '../boot.js';
import { randomUUID } from 'node:crypto';
import { keyed, type TestAccount, TestPlace, until } from '../testing.js';

let place: TestPlace;
let first: RunningGateway;
let second: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  first = await place.gateway();
  second = await place.gateway();
});
afterAll(() => place.close());

const lines: HandMachine[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.hangUp();
});

const DEVICE = { serialNumber: '1', credential: 'c'.repeat(43) };

/** A machine played by hand: every message it gets, and how its stream ended. */
class HandMachine {
  readonly got: ConnectResponse[] = [];
  ended: { readonly code: status; readonly details: string } | null = null;
  readonly #client: CardMachineServiceClient;
  readonly #stream: ClientDuplexStream<ConnectRequest, ConnectResponse>;

  constructor(gateway: RunningGateway, apiKey: string) {
    this.#client = new CardMachineServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.connect(keyed(apiKey));
    this.#stream.on('data', (message: ConnectResponse) => this.got.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code, details }: { code: status; details: string }) => {
      this.ended = { code, details };
    });
    lines.push(this);
  }

  say(message: ConnectRequest['message']): this {
    this.#stream.write({ message });
    return this;
  }

  hello(
    tid: string,
    unfinished?: { sessionId: string; lastReportNumber: number },
    { serialNumber, credential } = DEVICE,
  ): this {
    const unfinishedSession =
      unfinished === undefined
        ? undefined
        : { terminalSessionId: unfinished.sessionId, lastReportNumber: unfinished.lastReportNumber };
    const device = { serialNumber, credential };
    const value = { tid, ...device, softwareVersion: 'by hand', unfinishedSession, inUse: false };
    return this.say({ $case: 'hello', value });
  }

  report(sessionId: string, number: number, event: Report['event']): this {
    const value = { terminalSessionId: sessionId, number, occurredAt: new Date(), event };
    return this.say({ $case: 'report', value });
  }

  all<C extends NonNullable<ConnectResponse['message']>['$case']>(name: C) {
    return this.got.flatMap(({ message }) =>
      message?.$case === name ? [message as Extract<NonNullable<ConnectResponse['message']>, { $case: C }>] : [],
    );
  }

  async welcomed(): Promise<this> {
    await until(() => this.all('welcome').length === 1 || this.ended !== null);
    expect(this.ended).toBeNull();
    return this;
  }

  async end(): Promise<status> {
    await until(() => this.ended !== null);
    return this.ended!.code;
  }

  hangUp(): void {
    this.#stream.cancel();
    this.#client.close();
  }
}

const CONFIRMED: Report['event'] = { $case: 'confirmed', value: {} };

async function sale(account: TestAccount, tid: string): Promise<string> {
  await until(async () => (await status4(account, tid)) === 'Available');
  return (await place.sale(account, tid)).sessionId;
}

async function status4(account: TestAccount, tid: string): Promise<string> {
  const id = await place.terminalId(account, tid);
  const terminal = await place.test.database.read(account.scope, (reader) => findTerminalActivity(reader, id));
  return terminal === null ? 'unknown' : computeTerminalStatus(terminal);
}

test('a card held to a machine is taken: the intent is paid and the session ends on the machine', async () => {
  const account = await place.account({ hasMachines: true });
  const sessionId = await sale(account, '90000001');
  await until(async () => (await place.statusOf(account, sessionId)) === 'Captured');
  const machine = account.place.machines[0]!.machine;
  await until(() => machine.unfinishedSession() === null);
});

test('a machine that asks for a signature is told the decision, and is done', async () => {
  const account = await place.account({ hasMachines: true });
  const sessionId = await sale(account, '90000003');
  await until(async () => (await place.statusOf(account, sessionId)) === 'SignatureVerificationRequired');
  await place.test.database.transact(account.scope, (tx) =>
    first.gateway.sessions.decideSignature(tx, sessionId, true),
  );
  expect(await place.statusOf(account, sessionId)).toBe('Captured');
  await until(() => account.place.machines[2]!.machine.describe().runningSessionId === null);
});

test('a declined card ends the session and frees the machine', async () => {
  const account = await place.account({ hasMachines: true });
  const sessionId = await sale(account, '90000004');
  await until(async () => (await place.statusOf(account, sessionId)) === 'Declined');
  await until(async () => (await status4(account, '90000004')) === 'Available');
});

test('a machine unplugged between the acquirer and its report says it again at the other gateway', async () => {
  const account = await place.account({ hasMachines: true, gateways: [first, second] });
  const machine = account.place.machines[0]!;
  await until(async () => (await status4(account, '90000001')) === 'Available');
  machine.setFaults({ unplug: { when: 'after-approval', forMs: 100 } });
  const { sessionId } = await place.sale(account, '90000001');
  await until(async () => (await place.statusOf(account, sessionId)) === 'Captured');
  const connection = await place.test.database.read(account.scope, (reader) =>
    findLiveConnection(reader, 'machine', '90000001'),
  );
  expect(connection?.gatewayAddress).toBe(second.urls.internalGrpc);
  await until(() => machine.machine.unfinishedSession() === null);
});

test('the order to begin is sent again until it is confirmed, and the report is acknowledged each time it comes', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const sessionId = await sale(account, '90000001');
  await until(() => hand.all('start').length >= 2);
  expect(new Set(hand.all('start').map(({ value }) => value.terminalSessionId))).toEqual(new Set([sessionId]));
  expect(hand.all('start')[0]!.value).toMatchObject({
    currency: 'GBP',
    capture: true,
    reference: 'table-7',
    amount: { baseAmount: 1000n, gratuityAmount: 0n, totalAmount: 1000n },
  });
  hand.report(sessionId, 1, CONFIRMED).report(sessionId, 1, CONFIRMED);
  await until(() => hand.all('ack').length === 2);
  expect(hand.all('ack').map(({ value }) => value)).toEqual([
    { terminalSessionId: sessionId, reportNumber: 1, stop: false },
    { terminalSessionId: sessionId, reportNumber: 1, stop: false },
  ]);
  const sent = hand.all('start').length;
  await first.gateway.lines.poll();
  expect(hand.all('start')).toHaveLength(sent);
  expect(await place.statusOf(account, sessionId)).toBe('Initiated');
});

test('a cancelled session is cancelled on the machine, and its last report is answered with stop', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const sessionId = await sale(account, '90000001');
  hand.report(sessionId, 1, CONFIRMED);
  await until(() => hand.all('ack').length === 1);
  await place.test.database.transact(account.scope, (tx) => first.gateway.sessions.cancel(tx, sessionId));
  await until(() => hand.all('cancel').length >= 1);
  hand.report(sessionId, 2, { $case: 'canceled', value: { byGateway: true } });
  await until(() => hand.all('ack').length === 2);
  expect(hand.all('ack')[1]!.value).toEqual({ terminalSessionId: sessionId, reportNumber: 2, stop: true });
  expect(await place.statusOf(account, sessionId)).toBe('Canceled');
});

test('reports of a session that is not on this machine are acknowledged with stop and change nothing', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const thief = await new HandMachine(first, account.apiKey).hello('90000002').welcomed();
  const sessionId = await sale(account, '90000001');
  thief.report(sessionId, 1, CONFIRMED).report('ts_sandbox_nonsense', 1, CONFIRMED);
  await until(() => thief.all('ack').length === 2);
  expect(thief.all('ack').map(({ value }) => value.stop)).toEqual([true, true]);
  expect(await place.statusOf(account, sessionId)).toBe('InitiateRequested');
  expect(hand.ended).toBeNull();
});

test('an unfinished session that nobody knows is stopped at once', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const unknown = { sessionId: 'ts_sandbox_0123456789abcdef01234567', lastReportNumber: 3 };
  const hand = await new HandMachine(first, account.apiKey).hello('90000001', unknown).welcomed();
  await until(() => hand.all('stop').length === 1);
});

test('a report that cannot be read is acknowledged: repeating it would not help', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const sessionId = await sale(account, '90000001');
  hand.report(sessionId, 1, { $case: 'approved', value: { result: undefined, signatureRequired: false } });
  await until(() => hand.all('ack').length === 1);
  expect(await place.statusOf(account, sessionId)).toBe('InitiateRequested');
});

test('an approval is booked whatever its texts hold', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const sessionId = await sale(account, '90000001');
  await until(() => hand.all('start').length > 0);
  const { acquirerReference } = hand.all('start')[0]!.value;
  // A NUL, and a pair of surrogates where the text is cut off.
  const text = `\0${'A'.repeat(99)}\u{1f600}\0`;
  const card = {
    scheme: Scheme.SCHEME_VISA,
    fundingType: FundingType.FUNDING_TYPE_DEBIT,
    expiryMonth: 12,
    expiryYear: 2032,
  };
  const result = CardPresentResult.fromPartial({
    ...{ acquirerReference: `\0${acquirerReference}`, transactionId: `${randomUUID()}\0`, transactionAt: new Date() },
    ...{ authCode: text, merchantId: text, amount: 1_000n, currency: 'GBP\0' },
    card: {
      ...{ ...card, maskedNumber: '44565300\0****1014', last4Pan: '1014\0' },
      ...{ cardholderName: text, aid: text, panSequence: text, product: text },
    },
  });
  hand.report(sessionId, 1, { $case: 'approved', value: { result, signatureRequired: false } });
  await until(() => hand.all('ack').length === 1 || hand.ended !== null);
  expect(hand.ended).toBeNull();
  expect(await place.statusOf(account, sessionId)).toBe('Captured');
});

test.each([
  ['the same gateway', () => [first, first] as const],
  ['another gateway', () => [first, second] as const],
])('the newest stream of a TID serves; the older one ends: on %s', async (_, gateways) => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const [old, young] = gateways();
  const older = await new HandMachine(old, account.apiKey).hello('90000001').welcomed();
  const newer = await new HandMachine(young, account.apiKey).hello('90000001').welcomed();
  expect(await older.end()).toBe(status.ABORTED);
  const sessionId = await sale(account, '90000001');
  await until(() => newer.all('start').some(({ value }) => value.terminalSessionId === sessionId));
  expect(older.all('start')).toHaveLength(0);
});

test('a deleted key ends the stream', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  const [key] = await place.test.database.read(account.scope, listApiKeys);
  await place.test.database.transact(account.scope, (tx) => deleteApiKey(tx, key!.id));
  expect(await hand.end()).toBe(status.UNAUTHENTICATED);
});

test.each([
  ['a TID the account does not have', 'full', (hand: HandMachine) => hand.hello('123'), status.NOT_FOUND],
  ['a TID that no database stores', 'full', (hand: HandMachine) => hand.hello('9000\0a'), status.INVALID_ARGUMENT],
  ['an empty TID', 'full', (hand: HandMachine) => hand.hello(''), status.INVALID_ARGUMENT],
  [
    'no hello first',
    'full',
    (hand: HandMachine) => hand.say({ $case: 'heartbeat', value: { sentAt: undefined, inUse: false } }),
    status.INVALID_ARGUMENT,
  ],
  ['an empty message', 'full', (hand: HandMachine) => hand.say(undefined), status.INVALID_ARGUMENT],
  ['a second hello', 'full', (hand: HandMachine) => hand.hello('90000001').hello('90000001'), status.INVALID_ARGUMENT],
  [
    'a key without machines.connect',
    'gateway',
    (hand: HandMachine) => hand.hello('90000001'),
    status.PERMISSION_DENIED,
  ],
  [
    'no credential',
    'machines-only',
    (hand: HandMachine) => hand.hello('90000001', undefined, { ...DEVICE, credential: '' }),
    status.UNAUTHENTICATED,
  ],
  [
    'a short credential',
    'machines-only',
    (hand: HandMachine) => hand.hello('90000001', undefined, { ...DEVICE, credential: 'c'.repeat(31) }),
    status.UNAUTHENTICATED,
  ],
  [
    'a credential with a space',
    'machines-only',
    (hand: HandMachine) => hand.hello('90000001', undefined, { ...DEVICE, credential: `${'c'.repeat(31)} c` }),
    status.UNAUTHENTICATED,
  ],
  [
    'no serial number',
    'machines-only',
    (hand: HandMachine) => hand.hello('90000001', undefined, { ...DEVICE, serialNumber: '' }),
    status.INVALID_ARGUMENT,
  ],
] as const)('a machine with %s is refused', async (_, role, speak, expected) => {
  const account = await place.account({ hasMachines: true, gateways: [], permissions: ROLES[role] });
  const hand = new HandMachine(first, account.apiKey);
  speak(hand);
  expect(await hand.end()).toBe(expected);
});

describe('a TID belongs to the machine whose stream was first opened under it', () => {
  const OTHER = { serialNumber: '2', credential: 'd'.repeat(43) };

  test('no other one is let in, and the machine itself goes on', async () => {
    const account = await place.account({ hasMachines: true, gateways: [], permissions: ROLES['machines-only'] });
    const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
    const stranger = new HandMachine(second, account.apiKey).hello('90000001', undefined, OTHER);
    expect(await stranger.end()).toBe(status.PERMISSION_DENIED);
    expect(stranger.ended?.details).toContain('hello.credential');
    const sameSerial = new HandMachine(second, account.apiKey).hello('90000001', undefined, {
      ...OTHER,
      serialNumber: '1',
    });
    expect(await sameSerial.end()).toBe(status.PERMISSION_DENIED);
    const copied = new HandMachine(second, account.apiKey).hello('90000001', undefined, {
      ...DEVICE,
      serialNumber: '2',
    });
    expect(await copied.end()).toBe(status.PERMISSION_DENIED);
    expect(copied.ended?.details).toContain('hello.serial_number');
    expect(hand.ended).toBeNull();
    await new HandMachine(second, account.apiKey).hello('90000001').welcomed();
    // A machine of another TID is another one.
    await new HandMachine(second, account.apiKey).hello('90000002', undefined, OTHER).welcomed();
  });

  test('of two at once one is bound', async () => {
    const account = await place.account({ hasMachines: true, gateways: [] });
    const hands = [new HandMachine(first, account.apiKey), new HandMachine(second, account.apiKey)];
    hands[0]!.hello('90000001');
    hands[1]!.hello('90000001', undefined, OTHER);
    await until(() => hands.every((hand) => hand.ended !== null || hand.all('welcome').length === 1));
    expect(hands.filter(({ ended }) => ended?.code === status.PERMISSION_DENIED)).toHaveLength(1);
  });

  test('until an operator resets it: its stream ends, and the next machine is bound', async () => {
    const account = await place.account({ hasMachines: true, gateways: [] });
    const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
    const caller = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
    const { database } = place.test;
    await database.transact(account.scope, async (tx) => {
      const terminal = await findTerminalByTid(tx, '90000001');
      await resetMachine(tx, { caller, terminalId: terminal!.id, note: 'replaced' });
    });
    expect(await hand.end()).toBe(status.PERMISSION_DENIED);
    await new HandMachine(second, account.apiKey).hello('90000001', undefined, OTHER).welcomed();
    const late = new HandMachine(first, account.apiKey).hello('90000001');
    expect(await late.end()).toBe(status.PERMISSION_DENIED);
    const { calls } = await database.read(account.scope, (reader) => listOperatorCallPage(reader, { limit: 5 }));
    expect(calls).toMatchObject([
      { action: 'ResetMachine', note: 'replaced', stateBefore: 'Bound to 1', stateAfter: 'Unbound', outcome: 'Done' },
    ]);
  });

  test('the credential is stored as a hash alone', async () => {
    const account = await place.account({ hasMachines: true, gateways: [] });
    await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
    const rows = await place.test.database.readSystem((reader) =>
      reader.query(defineStatement('all_bindings', 'select row_to_json(b)::text as row from machine_bindings b'), []),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(DEVICE.credential);
  });
});

test('an unknown key is refused', async () => {
  expect(await new HandMachine(first, 'sk_sandbox_unknown').hello('90000001').end()).toBe(status.UNAUTHENTICATED);
});

test('a terminal is in use when its machine says so', async () => {
  const account = await place.account({ hasMachines: true, gateways: [] });
  const hand = await new HandMachine(first, account.apiKey).hello('90000001').welcomed();
  expect(await status4(account, '90000001')).toBe('Available');
  hand.say({ $case: 'heartbeat', value: { sentAt: new Date(), inUse: true } });
  await until(async () => (await status4(account, '90000001')) === 'InUse');
});
