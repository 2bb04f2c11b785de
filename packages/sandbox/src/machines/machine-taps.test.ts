import { money } from '@pos/core/money';
import { expect, test } from '@jest/globals';
import { ManualClock } from '../clock/simulation-clock.js';
import { createTestAcquirer, NOON } from '../testing/builders.js';
import { CardMachine } from './card-machine.js';
import type { SentReport } from './machine-commands.js';
import { MACHINE_MODELS } from './machine-script.js';
import type { MachineTap } from './machine-taps.js';

/** A machine in the hands of a person, with a session that waits for a card. */
async function createOperatedMachine({ waitMs = 1_000 } = {}) {
  const clock = new ManualClock(NOON);
  const { acquirer, acquirerSimulator } = createTestAcquirer({ clock });
  const [model] = MACHINE_MODELS;
  if (model === undefined) throw new Error('there is no machine');
  const reports: SentReport[] = [];
  const machine = new CardMachine({
    ...{ model, merchantId: 'merchant-1', acquirerSimulator, clock },
    unplug: () => undefined,
  });
  machine.connect((report) => reports.push(report));
  machine.setOperated(true);
  const start = {
    ...({ sessionId: 'ts_1', acquirerReference: 'ref-1', originalReference: null, sessionType: 'Sale' } as const),
    ...{ total: money(1_091, 'GBP'), isPurchase: true, isCardholderAbsent: false, onlyCard: null, secondsLeft: 90 },
  };
  machine.handleCommand({ kind: 'start', start });
  await clock.advanceBy(waitMs);
  const tap = async (...taps: readonly MachineTap[]): Promise<boolean[]> => {
    const answers: boolean[] = [];
    for (const each of taps) {
      answers.push(machine.tap(each));
      await clock.advanceBy(2_000);
    }
    return answers;
  };
  const listed = (): string[] =>
    reports.map(({ event }) => {
      if (event.kind === 'notification') return event.shows;
      return event.kind === 'approved' && event.isSignatureNeeded ? 'approved, sign here' : event.kind;
    });
  return { machine, clock, acquirer, tap, listed };
}

const ASKED = ['confirmed', 'PresentCard'];
const CHIP: MachineTap = { kind: 'presentCard', card: 'chip' };
const PIN: MachineTap = { kind: 'enterPin' };
const REMOVE: MachineTap = { kind: 'removeCard' };
const CANCEL: MachineTap = { kind: 'cancel' };

test.each<[string, readonly MachineTap[], readonly string[], number]>([
  ['nothing', [], [], 0],
  ['a contactless card', [{ kind: 'presentCard', card: 'contactless' }], ['PleaseWait', 'Approved', 'approved'], 1],
  ['a card without money', [{ kind: 'presentCard', card: 'declined' }], ['PleaseWait', 'Declined', 'declined'], 1],
  [
    'a chip card',
    [CHIP, PIN, REMOVE],
    ['PleaseWait', 'EnterPin', 'PleaseWait', 'RemoveCard', 'Approved', 'approved'],
    1,
  ],
  [
    'a card whose holder signs',
    [{ kind: 'presentCard', card: 'signature' }, REMOVE],
    ['PleaseWait', 'RemoveCard', 'approved, sign here'],
    1,
  ],
  ['a cancel', [CANCEL], ['canceled'], 0],
  ['a cancel with the chip in', [CHIP, CANCEL], ['PleaseWait', 'EnterPin', 'canceled'], 0],
  [
    'two troubles and a card',
    [
      { kind: 'causeTrouble', trouble: 'PresentOnlyOneCard' },
      { kind: 'causeTrouble', trouble: 'CardError' },
      { kind: 'presentCard', card: 'contactless' },
    ],
    ['PresentOnlyOneCard', 'CardError', 'PleaseWait', 'Approved', 'approved'],
    1,
  ],
])(
  '%s: the machine reports what the person causes, and the amount decides nothing',
  async (_, taps, expected, calls) => {
    const { tap, listed, acquirer } = await createOperatedMachine();
    expect(await tap(...taps)).toEqual(taps.map(() => true));
    expect(listed()).toEqual([...ASKED, ...expected]);
    expect(acquirer.books.listCalls()).toHaveLength(calls);
  },
);

test.each<[string, readonly MachineTap[], MachineTap]>([
  ['a PIN before a card', [], PIN],
  ['a card to remove before one is in', [], REMOVE],
  ['a second card', [CHIP], CHIP],
  ['a trouble with a card in', [CHIP], { kind: 'causeTrouble', trouble: 'CardError' }],
  ['a second PIN', [CHIP, PIN], PIN],
  ['a cancel after the PIN', [CHIP, PIN], CANCEL],
  ['a removal before the PIN', [CHIP], REMOVE],
  ['a card after the end', [CANCEL], CHIP],
])('%s changes nothing', async (_, taps, refused) => {
  const { tap, listed } = await createOperatedMachine();
  await tap(...taps);
  const before = listed();
  expect(await tap(refused)).toEqual([false]);
  expect(listed()).toEqual(before);
});

test('the card is charged once, also when two taps arrive together', async () => {
  const { machine, clock, acquirer } = await createOperatedMachine();
  const answers = [1, 2].map(() => machine.tap({ kind: 'presentCard', card: 'contactless' }));
  await clock.advanceBy(10_000);
  expect(answers).toEqual([true, false]);
  expect(acquirer.books.listCalls()).toHaveLength(1);
});

test.each<[string, readonly MachineTap[], string]>([
  ['before a card', [], 'declined'],
  ['with a chip in', [CHIP], 'approved'],
  ['after the PIN', [CHIP, PIN], 'approved'],
])('a person who leaves %s leaves a session that ends by itself', async (_, taps, ending) => {
  const { machine, clock, tap, listed, acquirer } = await createOperatedMachine();
  await tap(...taps);
  machine.setOperated(false);
  await clock.advanceBy(20_000);
  // The amount decides again when no card was in: 91 pence is declined.
  expect(listed().at(-1)).toBe(ending);
  expect(listed().filter((each) => each === 'confirmed')).toHaveLength(1);
  expect(acquirer.books.listCalls()).toHaveLength(1);
});

test('a person who leaves before the machine has confirmed leaves one confirmation', async () => {
  const { machine, clock, listed } = await createOperatedMachine({ waitMs: 0 });
  machine.setOperated(false);
  await clock.advanceBy(20_000);
  expect(listed().filter((each) => each === 'confirmed')).toHaveLength(1);
});

test('a person who comes to a running script waits until it ends', async () => {
  const { machine, clock, listed } = await createOperatedMachine();
  machine.setOperated(false);
  machine.setOperated(true);
  await clock.advanceBy(20_000);
  expect(listed().at(-1)).toBe('declined');
});

test('without a card, an operated machine waits until the service ends the session', async () => {
  const { machine, clock, listed } = await createOperatedMachine();
  await clock.advanceBy(200_000);
  expect(listed()).toEqual(ASKED);
  machine.handleCommand({ kind: 'stop', sessionId: 'ts_1' });
  expect(machine.describeScreen()).toMatchObject({ session: null, lastOutcome: { outcome: 'stopped' } });
});

test('a slow machine confirms and reports late', async () => {
  const { machine, clock, tap, listed } = await createOperatedMachine();
  machine.setFaults({ slowByMs: 4_000 });
  await tap({ kind: 'presentCard', card: 'contactless' });
  expect(listed().at(-1)).toBe('PleaseWait');
  await clock.advanceBy(4_000);
  expect(listed().at(-1)).toBe('approved');
});
