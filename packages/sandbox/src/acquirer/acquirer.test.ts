import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcquirerError } from './acquirer-call.js';
import { computeCapturable, createMemoryJournal, computeRefundable } from './acquirer-books.js';
import { openFileJournal } from './acquirer-journal.js';
import { listBookingLines } from './booking-list.js';
import { ManualClock } from '../clock/simulation-clock.js';
import { createTestAcquirer, createAuthorisation, createGbp, NOON } from '../testing/builders.js';

/** The result of a call: its outcome, or the kind of its error. */
function runForOutcome(call: () => { outcome: string }): string {
  try {
    return call().outcome;
  } catch (error) {
    if (error instanceof AcquirerError) return error.code;
    throw error;
  }
}

test.each([
  // number                 cv2     amount  then
  ['5200 0000 0000 1005', '020', 1000, 'Approved'],
  ['3740 0000 0009 108', '1234', 1000, 'Approved'],
  ['5200 0000 0000 1005', '021', 1000, 'Declined'],
  ['5200 0000 0000 1005', '', 1000, 'Declined'],
  ['4456 5300 0000 1013', '341', 1000, 'Declined'],
  ['4111 1111 1111 1111', '020', 1000, 'Declined'],
  ['4456 5300 0009 1022', '020', 1000, 'Referred'],
  ['4456 5300 0009 1030', '020', 1000, 'Failed'],
  ['4456 5300 0000 1096', '020', 1000, 'Challenged'],
  ['5200 0000 0009 1014', '020', 1000, 'Declined'],
  ['4456 5300 0009 1055', '020', 1000, 'InProgress'],
  // The ending of the amount decides only on a plain approving card.
  ['5200 0000 0000 1005', '020', 1091, 'Declined'],
  ['5200 0000 0000 1005', '020', 1092, 'Referred'],
  ['5200 0000 0000 1005', '020', 1093, 'Failed'],
  ['5200 0000 0000 1005', '020', 1094, 'Challenged'],
  ['5200 0000 0000 1005', '020', 1095, 'Approved'],
  ['5200 0000 0000 1005', '020', 1096, 'InProgress'],
  ['5200 0000 0000 1005', '020', 1097, 'Approved'],
  ['5200 0000 0000 1005', '020', 1098, 'Declined'],
  ['4456 5300 0009 1063', '020', 1091, 'Approved'],
])('card %s with CV2 %s, %d pence: %s', (number, cv2, amount, then) => {
  const { acquirer } = createTestAcquirer();
  expect(acquirer.authorise(createAuthorisation('a', { number, cv2, amount: createGbp(amount) })).outcome).toBe(then);
});

test('a merchant without amount triggers is paid for every ending of the amount', () => {
  const { acquirer } = createTestAcquirer();
  acquirer.setAmountTriggers('merchant-1', false);
  expect(acquirer.authorise(createAuthorisation('a', { amount: createGbp(1_091) })).outcome).toBe('Approved');
});

test.each([
  [false, 'Challenged'],
  [true, 'Approved'],
])('a stored card whose bank challenges is charged while its payer is absent (%s): %s', (isRemote, then) => {
  const { acquirer } = createTestAcquirer();
  const request = createAuthorisation('later', { number: '4456530000001096', isStored: true });
  const instrument = { ...request.instrument, isRemote };
  expect(acquirer.authorise({ ...request, instrument }).outcome).toBe(then);
});

test.each([
  // card                cv2    absent  then
  ['4456530000001096', '020', false, 'Declined'],
  ['4456530000091014', '', false, 'Declined'],
  ['4456530000091014', '020', false, 'Approved'],
  ['4456530000001096', '', true, 'Approved'],
])('without challenges, card %s with CV2 %p of an absent payer (%p): %s', async (number, cv2, isRemote, then) => {
  const { acquirerSimulator } = createTestAcquirer();
  acquirerSimulator.capabilities.limit({ lacks: ['challenge'] });
  const request = createAuthorisation('a', { number, cv2 });
  const instrument = { ...request.instrument, isRemote };
  expect((await acquirerSimulator.authorise({ ...request, instrument })).outcome).toBe(then);
});

test('a setup card is approved once with the payer and declined whenever it is charged later', () => {
  const { acquirer } = createTestAcquirer();
  const number = '4456530000091071';
  expect(acquirer.authorise(createAuthorisation('setup', { number })).outcome).toBe('Approved');
  expect(acquirer.authorise(createAuthorisation('later', { number, isStored: true, cv2: '' })).outcome).toBe(
    'Declined',
  );
});

test('the second attempt with a trying card is approved, and the repeat of the first is still declined', () => {
  const { acquirer } = createTestAcquirer();
  const number = '5200000000091014';
  const outcomes = ['a', 'b', 'a', 'b'].map(
    (reference) => acquirer.authorise(createAuthorisation(reference, { number })).outcome,
  );
  expect(outcomes).toEqual(['Declined', 'Approved', 'Declined', 'Approved']);
});

test.each([
  // card                passes   then        repeated
  ['4456530000001096', true, 'Approved', 'Approved'],
  ['4456530000001096', false, 'Declined', 'Declined'],
  ['4456530000091048', true, 'Declined', 'Declined'],
])('the payer answers the challenge of %s with %p: %s', (number, hasPassed, then, repeated) => {
  const { acquirer } = createTestAcquirer();
  const md = acquirer.authorise(createAuthorisation('a', { number })).call?.challenge?.md ?? '';
  expect(runForOutcome(() => acquirer.completeChallenge('a', { hasPassed, md: 'other' }))).toBe('InvalidArgument');
  expect(acquirer.completeChallenge('a', { hasPassed, md }).outcome).toBe(then);
  expect(acquirer.completeChallenge('a', { hasPassed: !hasPassed, md }).outcome).toBe(repeated);
});

test.each([
  // held, purchase, then what was done before,              asked,                      answer
  ['holds 10', [], ['capture', 10], 'Approved'],
  ['holds 10', [], ['capture', 11], 'FailedPrecondition'],
  ['holds 10', [['capture', 6]], ['capture', 5], 'FailedPrecondition'],
  ['holds 10', [['capture', 6]], ['refund', 6], 'Approved'],
  ['holds 10', [['capture', 6]], ['refund', 7], 'FailedPrecondition'],
  ['holds 10', [], ['refund', 1], 'FailedPrecondition'],
  ['holds 10', [], ['increase', 5], 'Approved'],
  ['holds 10', [['increase', 5]], ['capture', 15], 'Approved'],
  ['holds 10', [['capture', 1]], ['increase', 5], 'FailedPrecondition'],
  ['holds 10', [], ['reverse', 0], 'Approved'],
  ['holds 10', [['capture', 1]], ['reverse', 0], 'Declined'],
  ['holds 10', [['capture', 1]], ['release', 0], 'Approved'],
  [
    'holds 10',
    [
      ['capture', 1],
      ['release', 0],
    ],
    ['capture', 1],
    'FailedPrecondition',
  ],
  [
    'holds 10',
    [
      ['capture', 1],
      ['release', 0],
    ],
    ['refund', 1],
    'Approved',
  ],
  ['holds 10', [['reverse', 0]], ['capture', 1], 'FailedPrecondition'],
  ['holds 10', [['reverse', 0]], ['refund', 1], 'FailedPrecondition'],
  ['holds 10', [['reverse', 0]], ['reverse', 0], 'Approved'],
  ['took 10', [], ['capture', 1], 'FailedPrecondition'],
  ['took 10', [], ['refund', 10], 'Approved'],
  ['took 10', [['refund', 10]], ['refund', 1], 'FailedPrecondition'],
  ['took 10', [], ['reverse', 0], 'Approved'],
  ['took 10', [['refund', 1]], ['reverse', 0], 'Declined'],
  ['nothing', [], ['capture', 1], 'NotFound'],
  ['nothing', [], ['refund', 1], 'NotFound'],
  ['nothing', [], ['reverse', 0], 'Approved'],
] as [string, AcquirerOperation[], AcquirerOperation, string][])(
  '%s, then %j: %j is %s',
  (first, before, request, then) => {
    const { acquirer } = createTestAcquirer();
    if (first !== 'nothing')
      acquirer.authorise(createAuthorisation('auth', { amount: createGbp(10), isPurchase: first === 'took 10' }));
    before.forEach((deed, index) => {
      runOperation(acquirer, deed, `before-${index}`);
    });
    expect(runForOutcome(() => runOperation(acquirer, request, 'asked'))).toBe(then);
  },
);

type AcquirerOperation = ['capture' | 'refund' | 'increase' | 'reverse' | 'release', number];

function runOperation(
  acquirer: ReturnType<typeof createTestAcquirer>['acquirer'],
  [what, pence]: AcquirerOperation,
  reference: string,
) {
  const followUp = { reference, originalReference: 'auth', amount: createGbp(pence) };
  switch (what) {
    case 'capture':
      return acquirer.capture(followUp);
    case 'refund':
      return acquirer.refund(followUp);
    case 'increase':
      return acquirer.increase(followUp);
    case 'reverse':
    case 'release':
      return acquirer.reverse({ ...followUp, merchantId: 'merchant-1', releaseRest: what === 'release' });
  }
}

test('the same reference with other values is an error and books nothing', () => {
  const { acquirer } = createTestAcquirer();
  acquirer.authorise(createAuthorisation('a'));
  expect(runForOutcome(() => acquirer.authorise(createAuthorisation('a', { amount: createGbp(999) })))).toBe(
    'AlreadyExists',
  );
  expect(runForOutcome(() => acquirer.capture({ reference: 'a', originalReference: 'a', amount: createGbp(1) }))).toBe(
    'AlreadyExists',
  );
  expect(acquirer.books.listCalls()).toHaveLength(1);
});

test.each([
  ['declined', '4456 5300 0000 1013', '341'],
  ['being challenged', '4456 5300 0000 1096', '020'],
])('an authorisation that is %s holds nothing that could be raised', (_, number, cv2) => {
  const { acquirer } = createTestAcquirer();
  acquirer.authorise(createAuthorisation('auth', { number, cv2 }));
  expect(runForOutcome(() => runOperation(acquirer, ['increase', 5], 'raise'))).toBe('FailedPrecondition');
});

test.each([[''], ['x'.repeat(65)]])('%p is no reference', (reference) => {
  expect(runForOutcome(() => createTestAcquirer().acquirer.authorise(createAuthorisation(reference)))).toBe(
    'InvalidArgument',
  );
});

test('a reversal that overtakes its authorisation wins: the card is never charged', () => {
  const { acquirer, clock } = createTestAcquirer();
  const reversal = { reference: 'r', originalReference: 'a', merchantId: 'merchant-1', releaseRest: false };
  expect(acquirer.inquire('a').outcome).toBe('NotFound');
  expect(acquirer.reverse(reversal).outcome).toBe('Approved');
  expect(acquirer.inquire('a').outcome).toBe('Reversed');
  expect(acquirer.authorise(createAuthorisation('a')).outcome).toBe('Declined');
  expect(acquirer.authorise(createAuthorisation('a')).outcome).toBe('Declined');
  expect(acquirer.inquire('a').outcome).toBe('Reversed');
  expect(listBookingLines(acquirer.books, clock.now()).filter(({ status }) => status === 'Booked')).toMatchObject([
    { reference: 'r' },
  ]);
});

test('a late approval is in progress for twenty seconds, and a reversal in between prevents it', async () => {
  const clock = new ManualClock(NOON);
  const { acquirer } = createTestAcquirer({ clock });
  acquirer.authorise(createAuthorisation('kept', { amount: createGbp(1_096) }));
  acquirer.authorise(createAuthorisation('undone', { amount: createGbp(1_096) }));
  await clock.advanceBy(19_999);
  expect(acquirer.inquire('kept').outcome).toBe('InProgress');
  expect(listBookingLines(acquirer.books, clock.now())).toEqual([]);
  acquirer.reverse({ reference: 'r', originalReference: 'undone', merchantId: 'merchant-1', releaseRest: false });
  await clock.advanceBy(1);
  expect(acquirer.inquire('kept').outcome).toBe('Approved');
  expect(acquirer.inquire('undone').outcome).toBe('Reversed');
});

const operationArbitrary = fc.tuple(
  fc.constantFrom<AcquirerOperation[0]>('capture', 'refund', 'increase', 'reverse', 'release'),
  fc.integer({ min: 1, max: 8 }),
);

test('random calls never capture more than is held nor refund more than is captured, and a repeat books nothing', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(operationArbitrary, { maxLength: 12 }), (isPurchase, operations) => {
      const { acquirer } = createTestAcquirer();
      acquirer.authorise(createAuthorisation('auth', { amount: createGbp(10), isPurchase }));
      operations.forEach((each, index) => {
        const first = runForOutcome(() => runOperation(acquirer, each, `call-${index}`));
        const lines = acquirer.books.listCalls().length;
        const again = runForOutcome(() => runOperation(acquirer, each, `call-${index}`));
        const isBooked = acquirer.books.findCall(`call-${index}`) !== null;
        if (isBooked) expect(again).toBe(first);
        expect(acquirer.books.listCalls()).toHaveLength(lines);
        const auth = acquirer.books.findCall('auth');
        if (auth === null) throw new Error('the authorisation is gone');
        const totals = acquirer.books.computeTotals(auth);
        expect(computeCapturable(totals).value).toBeGreaterThanOrEqual(0);
        expect(computeRefundable(totals).value).toBeGreaterThanOrEqual(0);
        expect(totals.captured.value).toBeLessThanOrEqual(totals.held.value);
        expect(totals.refunded.value).toBeLessThanOrEqual(totals.captured.value);
      });
    }),
  );
});

test('the books survive a restart, which cuts off an incomplete last line', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'acquirer-')), 'books', 'acquirer.jsonl');
  const before = createTestAcquirer({ journal: openFileJournal(path) });
  before.acquirer.authorise(createAuthorisation('a'));
  before.acquirer.capture({ reference: 'c', originalReference: 'a', amount: createGbp(400) });
  before.acquirer.reverse({ reference: 'r', originalReference: 'unknown', merchantId: 'm', releaseRest: false });
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"number":4,"refer`);

  const after = createTestAcquirer({ journal: openFileJournal(path) });
  expect(after.acquirer.books.listCalls()).toEqual(before.acquirer.books.listCalls());
  expect(after.acquirer.authorise(createAuthorisation('a'))).toEqual(
    before.acquirer.authorise(createAuthorisation('a')),
  );
  expect(after.acquirer.authorise(createAuthorisation('unknown')).outcome).toBe('Declined');
  expect(
    runForOutcome(() => after.acquirer.capture({ reference: 'c2', originalReference: 'a', amount: createGbp(601) })),
  ).toBe('FailedPrecondition');
  expect(createTestAcquirer({ journal: openFileJournal(path) }).acquirer.books.listCalls()).toHaveLength(4);
});

test('the same seed gives the same books byte for byte, another seed others', () => {
  const write = (seed: string): string[] => {
    const lines: string[] = [];
    const { acquirer } = createTestAcquirer({ journal: createMemoryJournal(lines), seed });
    acquirer.authorise(createAuthorisation('a', { isPurchase: true }));
    acquirer.refund({ reference: 'b', originalReference: 'a', amount: createGbp(1) });
    return lines;
  };
  expect(write('one')).toEqual(write('one'));
  expect(write('one')).not.toEqual(write('two'));
});

test('the number of a card is nowhere in the books', () => {
  const lines: string[] = [];
  const { acquirer } = createTestAcquirer({ journal: createMemoryJournal(lines) });
  acquirer.authorise(createAuthorisation('a', { number: '5200 0000 0000 1005' }));
  expect(lines.join('\n')).not.toMatch(/5200\s?0000\s?0000\s?1005/);
  expect(lines.join('\n')).toContain('52000000****1005');
});
