import { money, type Money } from '@pos/core/money';
import { Acquirer } from './acquirer.js';
import type { Authorisation } from './acquirer-call.js';
import { AcquirerBooks, memoryJournal, type Journal } from './acquirer-books.js';
import { AcquirerDoor } from './acquirer-door.js';
import { AcquirerRules } from './acquirer-rules.js';
import { ManualClock, type WorldClock } from './clock.js';
import { Seed } from './seed.js';

/** When every test of the simulated world begins. */
export const NOON = new Date('2026-03-02T12:00:00.000Z');

export function gbp(value: number): Money {
  return money(value, 'GBP');
}

/** An acquirer with empty books, and the clock it goes by. */
export function acquirerForTest({
  journal = memoryJournal(),
  seed = 'test',
  clock = new ManualClock(NOON),
}: {
  journal?: Journal;
  seed?: string;
  clock?: WorldClock;
} = {}) {
  const parts = { books: new AcquirerBooks(journal), clock, seed: new Seed(seed) };
  const acquirer = new Acquirer(parts);
  const door = new AcquirerDoor({ acquirer, rules: new AcquirerRules(), clock });
  return { acquirer, door, clock, seed: parts.seed };
}

/** An online charge of a plain approving card. */
export function charge(
  reference: string,
  more: Partial<Omit<Authorisation, 'reference' | 'instrument'>> & {
    readonly number?: string;
    readonly cv2?: string;
    readonly isStored?: boolean;
  } = {},
): Authorisation {
  const { number = '4456530000091014', cv2 = '020', isStored = false, ...asked } = more;
  return {
    reference,
    merchantId: 'merchant-1',
    amount: gbp(1_000),
    isPurchase: false,
    ...asked,
    instrument: {
      kind: isStored ? 'stored' : 'card',
      card: { number, expiryMonth: 12, expiryYear: 2032, cv2, cardholderName: 'A Guest' },
      isRemote: false,
      hasAddress: false,
    },
  };
}
