import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcquirerError } from './acquirer-call.js';
import { capturable, memoryJournal, refundable } from './acquirer-books.js';
import { fileJournal } from './acquirer-journal.js';
import { bookingLines } from './acquirer-list.js';
import { ManualClock } from './clock.js';
import { acquirerForTest, charge, gbp, NOON } from './testing.js';

/** What came of a call: its outcome, or the error that it was. */
function outcomeOf(call: () => { outcome: string }): string {
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
  const { acquirer } = acquirerForTest();
  expect(acquirer.authorise(charge('a', { number, cv2, amount: gbp(amount) })).outcome).toBe(then);
});

test('a merchant without amount triggers is paid whatever the amount ends in', () => {
  const { acquirer } = acquirerForTest();
  acquirer.setAmountTriggers('merchant-1', false);
  expect(acquirer.authorise(charge('a', { amount: gbp(1_091) })).outcome).toBe('Approved');
});

test.each([
  [false, 'Challenged'],
  [true, 'Approved'],
])('a stored card whose bank asks is charged while its payer is absent (%s): %s', (isRemote, then) => {
  const { acquirer } = acquirerForTest();
  const asked = charge('later', { number: '4456530000001096', isStored: true });
  const instrument = { ...asked.instrument, isRemote };
  expect(acquirer.authorise({ ...asked, instrument }).outcome).toBe(then);
});

test('a setup card is approved once with the payer and declined whenever it is charged later', () => {
  const { acquirer } = acquirerForTest();
  const number = '4456530000091071';
  expect(acquirer.authorise(charge('setup', { number })).outcome).toBe('Approved');
  expect(acquirer.authorise(charge('later', { number, isStored: true, cv2: '' })).outcome).toBe('Declined');
});

test('the second attempt with a trying card is approved, and the repeat of the first is still declined', () => {
  const { acquirer } = acquirerForTest();
  const number = '5200000000091014';
  const outcomes = ['a', 'b', 'a', 'b'].map((reference) => acquirer.authorise(charge(reference, { number })).outcome);
  expect(outcomes).toEqual(['Declined', 'Approved', 'Declined', 'Approved']);
});

test.each([
  // card                passes   then        repeated
  ['4456530000001096', true, 'Approved', 'Approved'],
  ['4456530000001096', false, 'Declined', 'Declined'],
  ['4456530000091048', true, 'Declined', 'Declined'],
])('the payer answers the challenge of %s with %p: %s', (number, hasPassed, then, repeated) => {
  const { acquirer } = acquirerForTest();
  const md = acquirer.authorise(charge('a', { number })).call?.challenge?.md ?? '';
  expect(outcomeOf(() => acquirer.completeChallenge('a', { hasPassed, md: 'other' }))).toBe('InvalidArgument');
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
] as [string, Deed[], Deed, string][])('%s, then %j: %j is %s', (first, before, asked, then) => {
  const { acquirer } = acquirerForTest();
  if (first !== 'nothing') acquirer.authorise(charge('auth', { amount: gbp(10), isPurchase: first === 'took 10' }));
  before.forEach((deed, index) => {
    act(acquirer, deed, `before-${index}`);
  });
  expect(outcomeOf(() => act(acquirer, asked, 'asked'))).toBe(then);
});

type Deed = ['capture' | 'refund' | 'increase' | 'reverse' | 'release', number];

function act(acquirer: ReturnType<typeof acquirerForTest>['acquirer'], [what, pence]: Deed, reference: string) {
  const follow = { reference, originalReference: 'auth', amount: gbp(pence) };
  switch (what) {
    case 'capture':
      return acquirer.capture(follow);
    case 'refund':
      return acquirer.refund(follow);
    case 'increase':
      return acquirer.increase(follow);
    case 'reverse':
    case 'release':
      return acquirer.reverse({ ...follow, merchantId: 'merchant-1', releaseRest: what === 'release' });
  }
}

test('the same reference with other values is an error and books nothing', () => {
  const { acquirer } = acquirerForTest();
  acquirer.authorise(charge('a'));
  expect(outcomeOf(() => acquirer.authorise(charge('a', { amount: gbp(999) })))).toBe('AlreadyExists');
  expect(outcomeOf(() => acquirer.capture({ reference: 'a', originalReference: 'a', amount: gbp(1) }))).toBe(
    'AlreadyExists',
  );
  expect(acquirer.books.all()).toHaveLength(1);
});

test.each([[''], ['x'.repeat(65)]])('%p is no reference', (reference) => {
  expect(outcomeOf(() => acquirerForTest().acquirer.authorise(charge(reference)))).toBe('InvalidArgument');
});

test('a reversal that overtakes its authorisation wins: the card is never charged', () => {
  const { acquirer, clock } = acquirerForTest();
  const reversal = { reference: 'r', originalReference: 'a', merchantId: 'merchant-1', releaseRest: false };
  expect(acquirer.inquire('a').outcome).toBe('NotFound');
  expect(acquirer.reverse(reversal).outcome).toBe('Approved');
  expect(acquirer.inquire('a').outcome).toBe('Reversed');
  expect(acquirer.authorise(charge('a')).outcome).toBe('Declined');
  expect(acquirer.authorise(charge('a')).outcome).toBe('Declined');
  expect(acquirer.inquire('a').outcome).toBe('Reversed');
  expect(bookingLines(acquirer.books, clock.now()).filter(({ status }) => status === 'Booked')).toMatchObject([
    { reference: 'r' },
  ]);
});

test('a late approval is in progress for twenty seconds, and a reversal in between prevents it', async () => {
  const clock = new ManualClock(NOON);
  const { acquirer } = acquirerForTest({ clock });
  acquirer.authorise(charge('kept', { amount: gbp(1_096) }));
  acquirer.authorise(charge('undone', { amount: gbp(1_096) }));
  await clock.advance(19_999);
  expect(acquirer.inquire('kept').outcome).toBe('InProgress');
  expect(bookingLines(acquirer.books, clock.now())).toEqual([]);
  acquirer.reverse({ reference: 'r', originalReference: 'undone', merchantId: 'merchant-1', releaseRest: false });
  await clock.advance(1);
  expect(acquirer.inquire('kept').outcome).toBe('Approved');
  expect(acquirer.inquire('undone').outcome).toBe('Reversed');
});

const deed = fc.tuple(
  fc.constantFrom<Deed[0]>('capture', 'refund', 'increase', 'reverse', 'release'),
  fc.integer({ min: 1, max: 8 }),
);

test('whatever is asked, captures stay within what is held and refunds within what was taken, and a repeat books nothing', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(deed, { maxLength: 12 }), (isPurchase, deeds) => {
      const { acquirer } = acquirerForTest();
      acquirer.authorise(charge('auth', { amount: gbp(10), isPurchase }));
      deeds.forEach((each, index) => {
        const first = outcomeOf(() => act(acquirer, each, `call-${index}`));
        const lines = acquirer.books.all().length;
        const again = outcomeOf(() => act(acquirer, each, `call-${index}`));
        const isBooked = acquirer.books.find(`call-${index}`) !== null;
        if (isBooked) expect(again).toBe(first);
        expect(acquirer.books.all()).toHaveLength(lines);
        const auth = acquirer.books.find('auth');
        if (auth === null) throw new Error('the authorisation is gone');
        const figures = acquirer.books.figuresOf(auth);
        expect(capturable(figures).value).toBeGreaterThanOrEqual(0);
        expect(refundable(figures).value).toBeGreaterThanOrEqual(0);
        expect(figures.captured.value).toBeLessThanOrEqual(figures.held.value);
        expect(figures.refunded.value).toBeLessThanOrEqual(figures.captured.value);
      });
    }),
  );
});

test('a restart keeps the books, and cuts off a line that a kill tore in two', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'acquirer-')), 'books', 'acquirer.jsonl');
  const before = acquirerForTest({ journal: fileJournal(path) });
  before.acquirer.authorise(charge('a'));
  before.acquirer.capture({ reference: 'c', originalReference: 'a', amount: gbp(400) });
  before.acquirer.reverse({ reference: 'r', originalReference: 'unknown', merchantId: 'm', releaseRest: false });
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"number":4,"refer`);

  const after = acquirerForTest({ journal: fileJournal(path) });
  expect(after.acquirer.books.all()).toEqual(before.acquirer.books.all());
  expect(after.acquirer.authorise(charge('a'))).toEqual(before.acquirer.authorise(charge('a')));
  expect(after.acquirer.authorise(charge('unknown')).outcome).toBe('Declined');
  expect(outcomeOf(() => after.acquirer.capture({ reference: 'c2', originalReference: 'a', amount: gbp(601) }))).toBe(
    'FailedPrecondition',
  );
  expect(acquirerForTest({ journal: fileJournal(path) }).acquirer.books.all()).toHaveLength(4);
});

test('the same seed gives the same books byte for byte, another seed others', () => {
  const write = (seed: string): string[] => {
    const lines: string[] = [];
    const { acquirer } = acquirerForTest({ journal: memoryJournal(lines), seed });
    acquirer.authorise(charge('a', { isPurchase: true }));
    acquirer.refund({ reference: 'b', originalReference: 'a', amount: gbp(1) });
    return lines;
  };
  expect(write('one')).toEqual(write('one'));
  expect(write('one')).not.toEqual(write('two'));
});

test('the number of a card is nowhere in the books', () => {
  const lines: string[] = [];
  const { acquirer } = acquirerForTest({ journal: memoryJournal(lines) });
  acquirer.authorise(charge('a', { number: '5200 0000 0000 1005' }));
  expect(lines.join('\n')).not.toMatch(/5200\s?0000\s?0000\s?1005/);
  expect(lines.join('\n')).toContain('52000000****1005');
});
