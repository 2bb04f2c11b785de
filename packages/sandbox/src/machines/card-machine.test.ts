import { expect, test } from '@jest/globals';
import { ManualClock } from '../clock/simulation-clock.js';
import { CardMachine } from './card-machine.js';
import type { SentReport, StartCommand } from './machine-commands.js';
import { MACHINE_MODELS } from './machine-script.js';
import { createTestAcquirer, createGbp, NOON } from '../testing/builders.js';

/** A machine on a manual clock, with all reports that it sent to its gateway. */
function createTestMachine(tid: string) {
  const clock = new ManualClock(NOON);
  const { acquirer, acquirerSimulator } = createTestAcquirer({ clock });
  const model = MACHINE_MODELS.find((each) => each.tid === tid);
  if (model === undefined) throw new Error(`no machine ${tid}`);
  const disconnects: number[] = [];
  const receivedReports: SentReport[] = [];
  const machine = new CardMachine({
    ...{ model, merchantId: 'merchant-1', acquirerSimulator, clock },
    unplug: (forMs) => {
      disconnects.push(forMs);
    },
  });
  machine.connect((report) => receivedReports.push(report));
  const start = (more: Partial<StartCommand> = {}): void => {
    machine.handleCommand({ kind: 'start', start: createStartCommand(more) });
  };
  const timeline = () =>
    receivedReports.map(
      (report) => `${(report.occurredAt.getTime() - NOON.getTime()) / 1_000} ${describeReport(report)}`,
    );
  return { machine, acquirer, acquirerSimulator, clock, receivedReports, disconnects, start, timeline };
}

function createStartCommand(more: Partial<StartCommand>): StartCommand {
  return {
    sessionId: 'ts_1',
    acquirerReference: 'ref-1',
    originalReference: null,
    sessionType: 'Sale',
    total: createGbp(1_000),
    isPurchase: true,
    isCardholderAbsent: false,
    onlyCard: null,
    secondsLeft: 90,
    ...more,
  };
}

function describeReport({ event }: SentReport): string {
  switch (event.kind) {
    case 'notification':
      return event.shows;
    case 'approved':
      return event.isSignatureNeeded ? 'approved, sign here' : 'approved';
    case 'canceled':
      return event.isByGateway ? 'canceled by gateway' : 'canceled here';
    case 'unable':
      return `unable: ${event.reason}`;
    case 'confirmed':
    case 'declined':
    case 'unknownSession':
      return event.kind;
  }
}

test.each([
  ['90000001', 1000, ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 Approved', '4.3 approved']],
  [
    '90000002',
    1000,
    [
      ...['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '5.4 EnterPin', '6.6 PleaseWait'],
      ...['7.6 RemoveCard', '8.7 approved'],
    ],
  ],
  [
    '90000003',
    1000,
    ['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '6.6 RemoveCard', '7.6 approved, sign here'],
  ],
  [
    '90000004',
    1000,
    [
      ...['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '5.4 EnterPin', '6.6 PleaseWait'],
      ...['7.6 RemoveCard', '8.7 Declined', '8.7 declined'],
    ],
  ],
  ['90000005', 1000, ['0.2 confirmed', '1.2 PresentCard', '3 canceled here']],
  ['90000006', 1000, ['0.2 confirmed']],
  ['90000007', 1000, ['0 unable: in use at the machine']],
  [
    '90000009',
    1000,
    [
      ...['8 confirmed', '9 PresentCard', '12 PleaseWait', '12.5 EnterPin', '50 PleaseWait', '58 RemoveCard'],
      '60 approved',
    ],
  ],
  ['90000001', 1091, ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 Declined', '4.3 declined']],
  [
    '90000001',
    1093,
    ['0.2 confirmed', '1.2 PresentCard', '2.2 CardError', '3.2 PleaseWait', '4.3 Declined', '4.3 declined'],
  ],
  [
    '90000001',
    1094,
    ['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '6.6 RemoveCard', '7.6 approved, sign here'],
  ],
  [
    '90000001',
    1095,
    [
      ...['0.2 confirmed', '1.2 PresentCard', '2.2 PresentOnlyOneCard', '3.2 CardUnsupported', '4.2 InsertCard'],
      ...['5.2 ReEnterCard', '6.3 PleaseWait', '6.4 EnterPin', '7.6 PleaseWait', '8.6 RemoveCard', '9.7 approved'],
    ],
  ],
  ['90000001', 1096, ['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '110.3 Approved', '110.3 approved']],
  ['90000001', 1097, ['0.2 confirmed', '1.2 PresentCard', '3 canceled here']],
  [
    '90000003',
    1091,
    ['0.2 confirmed', '1.2 PresentCard', '5.3 PleaseWait', '6.6 RemoveCard', '7.6 approved, sign here'],
  ],
])('machine %s asked for %d pence', async (tid, pence, expected) => {
  const { clock, start, timeline } = createTestMachine(tid);
  start({ total: createGbp(pence) });
  await clock.advanceBy(200_000);
  expect(timeline()).toEqual(expected);
});

test('reports are numbered from 1 without gaps', async () => {
  const { clock, start, receivedReports } = createTestMachine('90000002');
  start();
  await clock.advanceBy(10_000);
  expect(receivedReports.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a start that is sent again is run once, and the card is charged once', async () => {
  const { clock, start, receivedReports, acquirer } = createTestMachine('90000001');
  start();
  await clock.advanceBy(2_000);
  start();
  await clock.advanceBy(10_000);
  start();
  await clock.advanceBy(10_000);
  expect(
    receivedReports.map(describeReport).filter((described) => described === 'confirmed' || described === 'approved'),
  ).toEqual(['confirmed', 'approved']);
  expect(acquirer.books.listCalls()).toMatchObject([{ reference: 'ref-1', isPurchase: true, terminalId: '90000001' }]);
});

test('reports that were not acknowledged are repeated on a new stream, in order; acknowledged ones are not', async () => {
  const { clock, start, machine } = createTestMachine('90000001');
  start();
  await clock.advanceBy(2_000);
  machine.disconnect();
  await clock.advanceBy(10_000);
  expect(machine.findUnfinishedSession()).toEqual({ sessionId: 'ts_1', lastReportNumber: 5 });
  machine.handleCommand({ kind: 'ack', sessionId: 'ts_1', reportNumber: 2, isStop: false });

  const repeated: string[] = [];
  machine.connect((report) => repeated.push(`${report.number} ${describeReport(report)}`));
  expect(repeated).toEqual(['3 PleaseWait', '4 Approved', '5 approved']);
  machine.handleCommand({ kind: 'ack', sessionId: 'ts_1', reportNumber: 5, isStop: true });
  expect(machine.findUnfinishedSession()).toBeNull();
});

test('a cancel before the card is in ends the session, one after it changes nothing', async () => {
  const early = createTestMachine('90000002');
  early.start();
  await early.clock.advanceBy(2_000);
  early.machine.handleCommand({ kind: 'cancel', sessionId: 'ts_1' });
  await early.clock.advanceBy(200_000);
  expect(early.timeline().at(-1)).toBe('2 canceled by gateway');
  expect(early.acquirer.books.listCalls()).toEqual([]);

  const late = createTestMachine('90000002');
  late.start();
  await late.clock.advanceBy(6_000);
  late.machine.handleCommand({ kind: 'cancel', sessionId: 'ts_1' });
  await late.clock.advanceBy(200_000);
  expect(late.timeline().at(-1)).toBe('8.7 approved');
});

test.each(['stop', 'cancel'] as const)('a %s that overtakes its start prevents it', async (kind) => {
  const { clock, start, machine, receivedReports, acquirer } = createTestMachine('90000001');
  machine.handleCommand({ kind, sessionId: 'ts_1' });
  start();
  await clock.advanceBy(200_000);
  expect(receivedReports.map(describeReport)).toEqual([
    kind === 'stop' ? 'unable: received a stop before the start' : 'unknownSession',
  ]);
  expect(acquirer.books.listCalls()).toEqual([]);
});

test('a stop before the card is in charges no card; after it, the money that moved is still reported', async () => {
  const early = createTestMachine('90000001');
  early.start();
  await early.clock.advanceBy(2_000);
  early.machine.handleCommand({ kind: 'stop', sessionId: 'ts_1' });
  await early.clock.advanceBy(200_000);
  expect(early.timeline()).toEqual(['0.2 confirmed', '1.2 PresentCard']);
  expect(early.acquirer.books.listCalls()).toEqual([]);

  const late = createTestMachine('90000001');
  late.start({ total: createGbp(1_096) });
  await late.clock.advanceBy(90_000);
  late.machine.handleCommand({ kind: 'stop', sessionId: 'ts_1' });
  late.start({ sessionId: 'ts_2', acquirerReference: 'ref-2' });
  await late.clock.advanceBy(30_000);
  const results = late.receivedReports.filter(({ event }) => event.kind === 'approved');
  expect(results.map(({ sessionId }) => sessionId)).toEqual(['ts_2', 'ts_1']);
});

test('a reversal that is written meanwhile turns the late approval into a decline', async () => {
  const { clock, start, acquirer, timeline } = createTestMachine('90000001');
  start({ total: createGbp(1_096) });
  await clock.advanceBy(100_000);
  acquirer.reverse({ reference: 'r', originalReference: 'ref-1', merchantId: 'merchant-1', releaseRest: false });
  await clock.advanceBy(100_000);
  expect(timeline().at(-1)).toMatch(/declined$/);
  expect(acquirer.inquire('ref-1').outcome).toBe('Reversed');
});

test('when no card is presented, the machine gives up after the timeout', async () => {
  const { clock, start, timeline } = createTestMachine('90000002');
  start({ secondsLeft: 3 });
  await clock.advanceBy(200_000);
  expect(timeline()).toEqual(['0.2 confirmed', '1.2 PresentCard', '3 canceled here']);
});

test('a new session replaces one whose stop was lost, unless a card is in', async () => {
  const free = createTestMachine('90000006');
  free.start();
  await free.clock.advanceBy(1_000);
  free.start({ sessionId: 'ts_2' });
  await free.clock.advanceBy(1_000);
  expect(free.receivedReports.map(({ sessionId }) => sessionId)).toEqual(['ts_1', 'ts_2']);

  const busy = createTestMachine('90000002');
  busy.start();
  await busy.clock.advanceBy(6_000);
  busy.start({ sessionId: 'ts_2' });
  expect(busy.timeline().at(-1)).toBe('6 unable: busy with another card');
});

test('a signature slip blocks the machine until the waiter has accepted or refused it', async () => {
  const { clock, start, machine } = createTestMachine('90000003');
  start();
  await clock.advanceBy(10_000);
  machine.handleCommand({ kind: 'ack', sessionId: 'ts_1', reportNumber: 5, isStop: false });
  expect(machine.findUnfinishedSession()).toEqual({ sessionId: 'ts_1', lastReportNumber: 5 });
  machine.handleCommand({ kind: 'signature', sessionId: 'ts_1', isAccepted: true });
  expect(machine.findUnfinishedSession()).toBeNull();
});

test('the mixed machine takes PIN and signature in turn; the second try of 98 pence is approved', async () => {
  const mixed = createTestMachine('90000010');
  const endings: (string | undefined)[] = [];
  for (const [index, pence] of [1_000, 1_000, 1_000].entries()) {
    mixed.start({ sessionId: `ts_${index}`, acquirerReference: `ref-${index}`, total: createGbp(pence) });
    await mixed.clock.advanceBy(10_000);
    endings.push(mixed.receivedReports.map(describeReport).at(-1));
    mixed.machine.handleCommand({ kind: 'signature', sessionId: `ts_${index}`, isAccepted: true });
  }
  expect(endings).toEqual(['approved', 'approved, sign here', 'approved']);

  const attempted = createTestMachine('90000001');
  for (const index of [1, 2]) {
    attempted.start({ sessionId: `ts_${index}`, acquirerReference: `ref-${index}`, total: createGbp(1_098) });
    await attempted.clock.advanceBy(10_000);
  }
  expect(
    attempted.receivedReports.map(describeReport).filter((described) => /^(approved|declined)$/.test(described)),
  ).toEqual(['declined', 'approved']);
});

test.each([
  ['MatchedRefund', 'sale', 400, 'approved', 'Approved'],
  ['MatchedRefund', 'sale', 1_001, 'declined', 'Declined'],
  ['MatchedRefund', 'unknown', 400, 'declined', 'Declined'],
  ['UnlinkedRefund', null, 400, 'approved', 'Approved'],
] as const)('%s of %s over %d pence is %s', async (sessionType, originalReference, pence, described, booked) => {
  const { clock, start, receivedReports, acquirer } = createTestMachine('90000001');
  start({ acquirerReference: 'sale' });
  await clock.advanceBy(10_000);
  start({ sessionId: 'ts_2', acquirerReference: 'back', sessionType, originalReference, total: createGbp(pence) });
  await clock.advanceBy(10_000);
  expect(
    receivedReports
      .filter(({ sessionId }) => sessionId === 'ts_2')
      .map(describeReport)
      .at(-1),
  ).toBe(described);
  expect(acquirer.books.findCall('back')).toMatchObject({ kind: 'Refund', outcome: booked, terminalId: '90000001' });
});

test.each([
  ['down', ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 unable: the acquirer cannot be reached'], 0],
  ['drop-answer', ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 Approved', '4.3 approved'], 1],
  ['decline', ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 Declined', '4.3 declined'], 1],
  ['answer-twice', ['0.2 confirmed', '1.2 PresentCard', '3.2 PleaseWait', '4.3 Approved', '4.3 approved'], 1],
] as const)('with the acquirer on rule %s the machine reports what it received', async (effect, expected, bookings) => {
  const { clock, start, timeline, acquirerSimulator, acquirer } = createTestMachine('90000001');
  acquirerSimulator.rules.replaceRules([{ match: { kind: 'Authorise', terminalId: '90000001' }, effect, times: 1 }]);
  start();
  await clock.advanceBy(200_000);
  expect(timeline()).toEqual(expected);
  expect(acquirer.books.listCalls()).toHaveLength(bookings);
});

test('disconnected between the approval and its report, the machine keeps the report', async () => {
  const { clock, start, machine, receivedReports, disconnects, acquirer } = createTestMachine('90000001');
  machine.setFaults({ unplug: { when: 'after-approval', forMs: 3_000 } });
  start();
  await clock.advanceBy(10_000);
  expect(disconnects).toEqual([3_000]);
  expect(receivedReports.map(describeReport)).toEqual(['confirmed', 'PresentCard', 'PleaseWait']);
  expect(acquirer.inquire('ref-1').outcome).toBe('Approved');
  const repeated: string[] = [];
  machine.connect((report) => repeated.push(describeReport(report)));
  expect(repeated.at(-1)).toBe('approved');
});

test('a fault makes a result late, or sends each report twice', async () => {
  const late = createTestMachine('90000001');
  late.machine.setFaults({ answerLateByMs: 5_000 });
  late.start();
  await late.clock.advanceBy(20_000);
  expect(late.timeline().at(-1)).toBe('9.3 approved');

  const twice = createTestMachine('90000005');
  twice.machine.setFaults({ reportTwice: true });
  twice.start();
  await twice.clock.advanceBy(20_000);
  expect(twice.receivedReports.map(({ number }) => number)).toEqual([1, 1, 2, 2, 3, 3]);
});

test('the steps of a session keep their order when the timers of a busy process fire in any order', async () => {
  const late: (() => void)[] = [];
  const clock = new ManualClock(NOON);
  const { acquirerSimulator } = createTestAcquirer({ clock });
  const busy = {
    now: () => clock.now(),
    getTimestamp: () => clock.getTimestamp(),
    toRealMs: (simulatedMs: number) => simulatedMs,
    schedule: (_: number, work: () => void) => {
      late.push(work);
      return () => undefined;
    },
    scheduleRealTime: () => () => undefined,
  };
  const [model] = MACHINE_MODELS;
  const receivedReports: SentReport[] = [];
  const machine = new CardMachine({
    model: model!,
    merchantId: 'merchant-1',
    acquirerSimulator,
    clock: busy,
    unplug: () => undefined,
  });
  machine.connect((report) => receivedReports.push(report));
  machine.handleCommand({ kind: 'start', start: createStartCommand({}) });
  for (const work of late.reverse()) work();
  await new Promise((resolve) => setImmediate(resolve));
  expect(receivedReports.map(describeReport)).toEqual([
    'confirmed',
    'PresentCard',
    'PleaseWait',
    'Approved',
    'approved',
  ]);
});
