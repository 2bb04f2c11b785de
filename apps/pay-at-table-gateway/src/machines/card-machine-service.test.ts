import { resetMachine, TerminalSessions } from '@pos/payments/terminals';
import { computeTerminalStatus } from '@pos/payments/testing';
import { MachineCommandDispatcher } from './machine-command-dispatcher.js';
import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { CardPresentResult, FundingType, type Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { ROLES } from '@pos/core/identity';
import { disableTestAccount, revokeKeys } from '../testing/access-ends.js';
import { findTerminalActivity, findTerminalByTid } from '@pos/store/terminals';
import { findLiveConnection } from '@pos/store/testing';
import { defineStatement } from '@pos/postgres/statements';
import { listOperatorCallPage } from '@pos/payments/operators';
import type { RunningGateway } from '../boot.js';
import { randomUUID } from 'node:crypto';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { openMachines, ScriptedMachine, DEVICE_IDENTITY } from '../testing/scripted-machine.js';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let first: RunningGateway;
let second: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  first = await environment.startGateway();
  second = await environment.startGateway();
});
afterAll(() => environment.close());

afterEach(() => {
  for (const machineStream of openMachines.splice(0)) machineStream.cancelStream();
});

const CONFIRMED: Report['event'] = { $case: 'confirmed', value: {} };

async function startSale(account: GatewayAccount, tid: string): Promise<string> {
  await waitUntil(async () => (await getTerminalStatus(account, tid)) === 'Available');
  return (await environment.startSale(account, tid)).sessionId;
}

async function getTerminalStatus(account: GatewayAccount, tid: string): Promise<string> {
  const id = await environment.terminalId(account, tid);
  const terminal = await environment.testDatabase.database.read(account.scope, (reader) =>
    findTerminalActivity(reader, id),
  );
  return terminal === null ? 'unknown' : computeTerminalStatus(terminal);
}

test('a card held to a machine is taken: the intent is paid and the session ends on the machine', async () => {
  const account = await environment.createAccount({ hasMachines: true });
  const sessionId = await startSale(account, '90000001');
  await waitUntil(async () => (await environment.getSessionStatus(account, sessionId)) === 'Captured');
  const machine = account.sandbox.machines[0]!.machine;
  await waitUntil(() => machine.findUnfinishedSession() === null);
});

test('a machine that asks for a signature receives the decision, and is done', async () => {
  const account = await environment.createAccount({ hasMachines: true });
  const sessionId = await startSale(account, '90000003');
  await waitUntil(
    async () => (await environment.getSessionStatus(account, sessionId)) === 'SignatureVerificationRequired',
  );
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    first.app.get(TerminalSessions).decideSignature(tx, sessionId, true),
  );
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Captured');
  await waitUntil(() => account.sandbox.machines[2]!.machine.describe().runningSessionId === null);
});

test('a declined card ends the session and frees the machine', async () => {
  const account = await environment.createAccount({ hasMachines: true });
  const sessionId = await startSale(account, '90000004');
  await waitUntil(async () => (await environment.getSessionStatus(account, sessionId)) === 'Declined');
  await waitUntil(async () => (await getTerminalStatus(account, '90000004')) === 'Available');
});

test('a machine that was unplugged before its report repeats it at the other gateway', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [first, second] });
  const machine = account.sandbox.machines[0]!;
  await waitUntil(async () => (await getTerminalStatus(account, '90000001')) === 'Available');
  machine.setFaults({ unplug: { when: 'after-approval', forMs: 100 } });
  const { sessionId } = await environment.startSale(account, '90000001');
  await waitUntil(async () => (await environment.getSessionStatus(account, sessionId)) === 'Captured');
  const connection = await environment.testDatabase.database.read(account.scope, (reader) =>
    findLiveConnection(reader, 'machine', '90000001'),
  );
  expect(connection?.gatewayAddress).toBe(second.urls.internalGrpc);
  await waitUntil(() => machine.machine.findUnfinishedSession() === null);
});

test('the start command is repeated until it is confirmed, and every repeated report is acknowledged', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  await waitUntil(() => scriptedMachine.listMessages('start').length >= 2);
  expect(new Set(scriptedMachine.listMessages('start').map(({ value }) => value.terminalSessionId))).toEqual(
    new Set([sessionId]),
  );
  expect(scriptedMachine.listMessages('start')[0]!.value).toMatchObject({
    currency: 'GBP',
    capture: true,
    reference: 'table-7',
    amount: { baseAmount: 1000n, gratuityAmount: 0n, totalAmount: 1000n },
  });
  scriptedMachine.sendReport(sessionId, 1, CONFIRMED).sendReport(sessionId, 1, CONFIRMED);
  await waitUntil(() => scriptedMachine.listMessages('ack').length === 2);
  expect(scriptedMachine.listMessages('ack').map(({ value }) => value)).toEqual([
    { terminalSessionId: sessionId, reportNumber: 1, stop: false },
    { terminalSessionId: sessionId, reportNumber: 1, stop: false },
  ]);
  const sent = scriptedMachine.listMessages('start').length;
  await first.app.get(MachineCommandDispatcher).poll();
  expect(scriptedMachine.listMessages('start')).toHaveLength(sent);
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Initiated');
});

test('a cancelled session is cancelled on the machine, and its last report is answered with stop', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  scriptedMachine.sendReport(sessionId, 1, CONFIRMED);
  await waitUntil(() => scriptedMachine.listMessages('ack').length === 1);
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    first.app.get(TerminalSessions).cancel(tx, sessionId),
  );
  await waitUntil(() => scriptedMachine.listMessages('cancel').length >= 1);
  scriptedMachine.sendReport(sessionId, 2, { $case: 'canceled', value: { byGateway: true } });
  await waitUntil(() => scriptedMachine.listMessages('ack').length === 2);
  expect(scriptedMachine.listMessages('ack')[1]!.value).toEqual({
    terminalSessionId: sessionId,
    reportNumber: 2,
    stop: true,
  });
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Canceled');
});

test('reports of a session that is not on this machine are acknowledged with stop and change nothing', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const thief = await new ScriptedMachine(first, account.apiKey).sendHello('90000002').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  thief.sendReport(sessionId, 1, CONFIRMED).sendReport('ts_sandbox_nonsense', 1, CONFIRMED);
  await waitUntil(() => thief.listMessages('ack').length === 2);
  expect(thief.listMessages('ack').map(({ value }) => value.stop)).toEqual([true, true]);
  expect(await environment.getSessionStatus(account, sessionId)).toBe('InitiateRequested');
  expect(scriptedMachine.streamEnd).toBeNull();
});

test('an unknown unfinished session is stopped at once', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const unknown = { sessionId: 'ts_sandbox_0123456789abcdef01234567', lastReportNumber: 3 };
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey)
    .sendHello('90000001', unknown)
    .waitForWelcome();
  await waitUntil(() => scriptedMachine.listMessages('stop').length === 1);
});

test('an approval that cannot be read is acknowledged, and machine and acquirer are asked how the session ended', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  scriptedMachine.sendReport(sessionId, 1, {
    $case: 'approved',
    value: { result: undefined, signatureRequired: false },
  });
  await waitUntil(() => scriptedMachine.listMessages('ack').length === 1);
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Expired');
  await waitUntil(() => scriptedMachine.listMessages('cancel').length > 0);
});

test('a report after missing ones is not acknowledged: the machine connects again and repeats all', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const old = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  old.sendReport(sessionId, 2, { $case: 'canceled', value: { byGateway: false } });
  expect([await old.endStream(), old.listMessages('ack').length]).toEqual([status.UNAVAILABLE, 0]);
  const young = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  young.sendReport(sessionId, 1, { $case: 'confirmed', value: {} });
  young.sendReport(sessionId, 2, { $case: 'canceled', value: { byGateway: false } });
  await waitUntil(() => young.listMessages('ack').length === 2);
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Canceled');
});

test('an approval is booked with any text in it', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  const sessionId = await startSale(account, '90000001');
  await waitUntil(() => scriptedMachine.listMessages('start').length > 0);
  const { acquirerReference } = scriptedMachine.listMessages('start')[0]!.value;
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
  scriptedMachine.sendReport(sessionId, 1, { $case: 'approved', value: { result, signatureRequired: false } });
  await waitUntil(() => scriptedMachine.listMessages('ack').length === 1 || scriptedMachine.streamEnd !== null);
  expect(scriptedMachine.streamEnd).toBeNull();
  expect(await environment.getSessionStatus(account, sessionId)).toBe('Captured');
});

test.each([
  ['the same gateway', () => [first, first] as const],
  ['another gateway', () => [first, second] as const],
])('the newest stream of a TID serves; the older one ends: on %s', async (_, gateways) => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const [old, young] = gateways();
  const older = await new ScriptedMachine(old, account.apiKey).sendHello('90000001').waitForWelcome();
  const newer = await new ScriptedMachine(young, account.apiKey).sendHello('90000001').waitForWelcome();
  expect(await older.endStream()).toBe(status.ABORTED);
  const sessionId = await startSale(account, '90000001');
  await waitUntil(() => newer.listMessages('start').some(({ value }) => value.terminalSessionId === sessionId));
  expect(older.listMessages('start')).toHaveLength(0);
});

test.each([
  ['a deleted key', revokeKeys],
  ['a disabled account', disableTestAccount],
])('%s ends the stream', async (_, endAccess) => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  await endAccess(environment.testDatabase.database, account.scope);
  expect(await scriptedMachine.endStream()).toBe(status.UNAUTHENTICATED);
});

test.each([
  [
    'a TID the account does not have',
    'full',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.sendHello('123'),
    status.NOT_FOUND,
  ],
  [
    'a TID that no database stores',
    'full',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.sendHello('9000\0a'),
    status.INVALID_ARGUMENT,
  ],
  [
    'an empty TID',
    'full',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.sendHello(''),
    status.INVALID_ARGUMENT,
  ],
  [
    'no hello first',
    'full',
    (scriptedMachine: ScriptedMachine) =>
      scriptedMachine.send({ $case: 'heartbeat', value: { sentAt: undefined, inUse: false } }),
    status.INVALID_ARGUMENT,
  ],
  [
    'an empty message',
    'full',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.send(undefined),
    status.INVALID_ARGUMENT,
  ],
  [
    'a second hello',
    'full',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.sendHello('90000001').sendHello('90000001'),
    status.INVALID_ARGUMENT,
  ],
  [
    'a key without machines.connect',
    'gateway',
    (scriptedMachine: ScriptedMachine) => scriptedMachine.sendHello('90000001'),
    status.PERMISSION_DENIED,
  ],
  [
    'no credential',
    'machines-only',
    (scriptedMachine: ScriptedMachine) =>
      scriptedMachine.sendHello('90000001', undefined, { ...DEVICE_IDENTITY, credential: '' }),
    status.UNAUTHENTICATED,
  ],
  [
    'a short credential',
    'machines-only',
    (scriptedMachine: ScriptedMachine) =>
      scriptedMachine.sendHello('90000001', undefined, { ...DEVICE_IDENTITY, credential: 'c'.repeat(31) }),
    status.UNAUTHENTICATED,
  ],
  [
    'a credential with a space',
    'machines-only',
    (scriptedMachine: ScriptedMachine) =>
      scriptedMachine.sendHello('90000001', undefined, { ...DEVICE_IDENTITY, credential: `${'c'.repeat(31)} c` }),
    status.UNAUTHENTICATED,
  ],
  [
    'no serial number',
    'machines-only',
    (scriptedMachine: ScriptedMachine) =>
      scriptedMachine.sendHello('90000001', undefined, { ...DEVICE_IDENTITY, serialNumber: '' }),
    status.INVALID_ARGUMENT,
  ],
] as const)('a machine with %s is refused', async (_, role, sendFirst, expected) => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [], permissions: ROLES[role] });
  const scriptedMachine = new ScriptedMachine(first, account.apiKey);
  sendFirst(scriptedMachine);
  expect(await scriptedMachine.endStream()).toBe(expected);
});

describe('a TID belongs to the machine whose stream was first opened under it', () => {
  const OTHER = { serialNumber: '2', credential: 'd'.repeat(43) };

  test('no other one is accepted, and the machine itself continues', async () => {
    const account = await environment.createAccount({
      hasMachines: true,
      gateways: [],
      permissions: ROLES['machines-only'],
    });
    const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
    const stranger = new ScriptedMachine(second, account.apiKey).sendHello('90000001', undefined, OTHER);
    expect(await stranger.endStream()).toBe(status.PERMISSION_DENIED);
    expect(stranger.streamEnd?.details).toContain('hello.credential');
    const sameSerial = new ScriptedMachine(second, account.apiKey).sendHello('90000001', undefined, {
      ...OTHER,
      serialNumber: '1',
    });
    expect(await sameSerial.endStream()).toBe(status.PERMISSION_DENIED);
    const copiedMachine = new ScriptedMachine(second, account.apiKey).sendHello('90000001', undefined, {
      ...DEVICE_IDENTITY,
      serialNumber: '2',
    });
    expect(await copiedMachine.endStream()).toBe(status.PERMISSION_DENIED);
    expect(copiedMachine.streamEnd?.details).toContain('hello.serial_number');
    expect(scriptedMachine.streamEnd).toBeNull();
    await new ScriptedMachine(second, account.apiKey).sendHello('90000001').waitForWelcome();
    // A machine of another TID is another one.
    await new ScriptedMachine(second, account.apiKey).sendHello('90000002', undefined, OTHER).waitForWelcome();
  });

  test('of two at once one is bound', async () => {
    const account = await environment.createAccount({ hasMachines: true, gateways: [] });
    const scriptedMachines = [new ScriptedMachine(first, account.apiKey), new ScriptedMachine(second, account.apiKey)];
    scriptedMachines[0]!.sendHello('90000001');
    scriptedMachines[1]!.sendHello('90000001', undefined, OTHER);
    await waitUntil(() =>
      scriptedMachines.every(
        (scriptedMachine) => scriptedMachine.streamEnd !== null || scriptedMachine.listMessages('welcome').length === 1,
      ),
    );
    expect(scriptedMachines.filter(({ streamEnd }) => streamEnd?.code === status.PERMISSION_DENIED)).toHaveLength(1);
  });

  test('until an operator resets it: its stream ends, and the next machine is bound', async () => {
    const account = await environment.createAccount({ hasMachines: true, gateways: [] });
    const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
    const caller = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
    const { database } = environment.testDatabase;
    await database.transact(account.scope, async (tx) => {
      const terminal = await findTerminalByTid(tx, '90000001');
      await resetMachine(tx, { caller, terminalId: terminal!.id, note: 'replaced' });
    });
    expect(await scriptedMachine.endStream()).toBe(status.PERMISSION_DENIED);
    await new ScriptedMachine(second, account.apiKey).sendHello('90000001', undefined, OTHER).waitForWelcome();
    const late = new ScriptedMachine(first, account.apiKey).sendHello('90000001');
    expect(await late.endStream()).toBe(status.PERMISSION_DENIED);
    const { calls } = await database.read(account.scope, (reader) => listOperatorCallPage(reader, { limit: 5 }));
    expect(calls).toMatchObject([
      { action: 'ResetMachine', note: 'replaced', stateBefore: 'Bound to 1', stateAfter: 'Unbound', outcome: 'Done' },
    ]);
  });

  test('the credential is stored as a hash alone', async () => {
    const account = await environment.createAccount({ hasMachines: true, gateways: [] });
    await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
    const rows = await environment.testDatabase.database.readSystem((reader) =>
      reader.query(defineStatement('all_bindings', 'select row_to_json(b)::text as row from machine_bindings b'), []),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(DEVICE_IDENTITY.credential);
  });
});

test('an unknown key is refused', async () => {
  expect(await new ScriptedMachine(first, 'sk_sandbox_unknown').sendHello('90000001').endStream()).toBe(
    status.UNAUTHENTICATED,
  );
});

test('a terminal is in use when its machine says so', async () => {
  const account = await environment.createAccount({ hasMachines: true, gateways: [] });
  const scriptedMachine = await new ScriptedMachine(first, account.apiKey).sendHello('90000001').waitForWelcome();
  expect(await getTerminalStatus(account, '90000001')).toBe('Available');
  scriptedMachine.send({ $case: 'heartbeat', value: { sentAt: new Date(), inUse: true } });
  await waitUntil(async () => (await getTerminalStatus(account, '90000001')) === 'InUse');
});
