import { outstanding } from '@pos/core/bill';
import { money, type Money } from '@pos/core/money';
import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { Acquirer } from './acquirer.js';
import type { Authorisation } from './acquirer-call.js';
import { AcquirerBooks, memoryJournal, type Journal } from './acquirer-books.js';
import { AcquirerDoor } from './acquirer-door.js';
import { AcquirerRules } from './acquirer-rules.js';
import { ManualClock, type WorldClock } from './clock.js';
import type { PaymentToRecord, ReferenceEpos } from './epos.js';
import type { Requestor } from './epos-locks.js';
import { type House, openHouse } from './epos-house.js';
import { isPayable } from './restaurant.js';
import type { IntentProof } from './intent-reader.js';
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

export const MACHINE: Requestor = { kind: 'cardMachine', terminalId: '90000001', waiterId: null };

/** The filter that filters nothing. */
export const EVERYTHING = { isFinished: null, hasTable: null, isPayable: null, tableNames: [] };

/** A reference EPOS in its restaurant, with one session of each sort. */
export function eposForTest(seed = 'test', more: Partial<House> = {}) {
  const clock = new ManualClock(NOON);
  const door = openHouse({
    ...{ seed: new Seed(seed), clock, accountId: 'acc_1', currencyCode: 'GBP', merchantName: 'The Oyster Shed' },
    ...{ needsLocks: false, readIntent: null, ...more },
  });
  const { epos } = door;
  const { restaurant } = epos;
  const find = (what: (session: ReturnType<typeof restaurant.sessions>[number]) => boolean) => {
    const session = restaurant.sessions().find(what);
    if (session === undefined) throw new Error('the restaurant has no such session');
    return session;
  };
  const open = find(isPayable);
  const withoutBill = find(({ bill }) => bill === null);
  const finished = find(({ finishedAt }) => finishedAt !== null);
  const owed = open.bill === null ? gbp(0) : outstanding(open.bill);
  return { clock, restaurant, epos, door, open, withoutBill, finished, owed };
}

/** A payment by card of five pounds and one for the waiter. */
export function payment(sessionId: string, more: Partial<PaymentToRecord> = {}): PaymentToRecord {
  return {
    id: 'a0a0a0a0-0000-4000-8000-000000000001',
    sessionId,
    base: gbp(500),
    gratuity: gbp(100),
    cashback: gbp(0),
    isSuccessful: true,
    attemptedAt: NOON,
    method: 'cardPresent',
    acquirerTransactionId: 'b0b0b0b0-0000-4000-8000-000000000001',
    ...more,
  };
}

export type EposStand = ReturnType<typeof eposForTest>;

export function lock({ epos, open }: EposStand): void {
  epos.lock(open.id, MACHINE);
}

export function unlock({ epos, open }: EposStand): void {
  epos.unlock(open.id);
}

export function record({ epos, open }: EposStand, more: Partial<PaymentToRecord> = {}): void {
  epos.record(payment(open.id, more));
}

/** A bill as the service reads it. */
export function presentForCheck(bill: ReturnType<ReferenceEpos['getBill']>) {
  return {
    sessionId: bill.sessionId,
    currency: bill.total.currencyCode,
    totalAmount: bill.total.value,
    paidAmount: bill.paid.value,
    taxAmount: bill.tax.value,
    serviceCharge: bill.serviceCharge?.value,
    items: bill.items.map((item) => ({
      ...item,
      amountPerItem: item.amountPerItem.value,
      modifiers: item.modifiers.map((each) => ({ ...each, amountPerModifier: each.amountPerModifier.value })),
    })),
  };
}

/** The same restaurant as the EPOS Data API shows it. */
export function dataForTest(more: Partial<House> = {}) {
  const stand = eposForTest('test', more);
  const { door, restaurant, open } = stand;
  const second = restaurant.sessions().find((session) => isPayable(session) && session.id !== open.id);
  if (second === undefined) throw new Error('the restaurant has no second session');
  const ask = (
    name: EposDataCallName,
    params: Readonly<Record<string, unknown>>,
    proof: IntentProof = { kind: 'notAsked' },
  ): unknown => door.data.answer({ name, params, requestor: MACHINE }, proof);
  return { ...stand, second, ask };
}

export type DataStand = ReturnType<typeof dataForTest>;
