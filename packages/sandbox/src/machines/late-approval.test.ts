import { expect, test } from '@jest/globals';
import { AccountClock } from '../clock/account-clock.js';
import { ManualClock } from '../clock/simulation-clock.js';
import { createGbp, createTestAcquirer, NOON } from '../testing/builders.js';
import { CardMachine } from './card-machine.js';
import { MACHINE_MODELS } from './machine-script.js';

const LATE = createGbp(1_096);
const addSeconds = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1_000);

/** A machine of an account whose clock the service may have advanced, with a sale that is approved after 110 seconds. */
function startLateSale() {
  const base = new ManualClock(NOON);
  const { acquirer, acquirerSimulator } = createTestAcquirer({ clock: base });
  const clock = new AccountClock(base, (byMs) => acquirer.advanceTime('merchant-1', byMs));
  acquirerSimulator.setAccountClock({ accountId: 'acc_1', merchantId: 'merchant-1' }, clock);
  const [model] = MACHINE_MODELS;
  if (model === undefined) throw new Error('there is no machine');
  const machine = new CardMachine({
    ...{ model, merchantId: 'merchant-1', acquirerSimulator, clock },
    unplug: () => undefined,
  });
  machine.connect(() => undefined);
  acquirerSimulator.observeAccountTime('acc_1', NOON);
  machine.handleCommand({
    kind: 'start',
    start: {
      ...{ sessionId: 'ts_1', acquirerReference: 'ref-1', originalReference: null, sessionType: 'Sale', total: LATE },
      ...{ isPurchase: true, isCardholderAbsent: false, secondsLeft: 90, onlyCard: null },
    },
  });
  const inquireAt = (seconds: number): string => {
    acquirerSimulator.observeAccountTime('acc_1', addSeconds(seconds));
    return acquirer.inquire('ref-1').outcome;
  };
  return { base, clock, inquireAt };
}

test.each([[0], [2], [5.2], [6], [80]])(
  'a clock that is advanced %d s after the start of a sale makes its late approval at the same time',
  async (seconds) => {
    const { base, inquireAt } = startLateSale();
    await base.advanceBy(seconds * 1_000);
    expect([inquireAt(109), inquireAt(111)]).toEqual(['InProgress', 'Approved']);
  },
);

test('one step over everything is enough, and a message that was overtaken moves nothing', () => {
  const { clock, inquireAt } = startLateSale();
  expect(inquireAt(150)).toBe('Approved');
  clock.observeServiceTime(addSeconds(1));
  expect(clock.getTimestamp()).toEqual(addSeconds(150));
  clock.observeServiceTime(addSeconds(150));
  expect(clock.getTimestamp()).toEqual(addSeconds(150));
});
