import { computeOutstanding } from '@pos/core/tables';
import { money, type Money } from '@pos/core/money';
import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import { Acquirer } from '../acquirer/acquirer.js';
import type { AuthorisationRequest } from '../acquirer/acquirer-call.js';
import { AcquirerBooks, createMemoryJournal, type AcquirerJournal } from '../acquirer/acquirer-books.js';
import { AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import { AcquirerRuleSet } from '../acquirer/acquirer-rules.js';
import { ManualClock, type SimulationClock } from '../clock/simulation-clock.js';
import type { RecordPaymentRequest, ReferenceEpos } from '../epos/reference-epos.js';
import type { LockRequestor } from '../epos/epos-locks.js';
import { type RestaurantEposOptions, openRestaurantEpos } from '../epos-simulator/restaurant-epos.js';
import { isPayable } from '../restaurant/restaurant.js';
import type { IntentProof } from '../epos-data/intent-reader.js';
import { Seed } from '../clock/seed.js';

/** The start time of every test of the simulated world. */
export const NOON = new Date('2026-03-02T12:00:00.000Z');

export function createGbp(value: number): Money {
  return money(value, 'GBP');
}

/** An acquirer with empty books, and its clock. */
export function createTestAcquirer({
  journal = createMemoryJournal(),
  seed = 'test',
  clock = new ManualClock(NOON),
}: {
  journal?: AcquirerJournal;
  seed?: string;
  clock?: SimulationClock;
} = {}) {
  const parts = { books: new AcquirerBooks(journal), clock, seed: new Seed(seed) };
  const acquirer = new Acquirer(parts);
  const acquirerSimulator = new AcquirerSimulator({ acquirer, rules: new AcquirerRuleSet(), clock });
  return { acquirer, acquirerSimulator, clock, seed: parts.seed };
}

/** An online charge of a plain approving card. */
export function createAuthorisation(
  reference: string,
  more: Partial<Omit<AuthorisationRequest, 'reference' | 'instrument'>> & {
    readonly number?: string;
    readonly cv2?: string;
    readonly isStored?: boolean;
  } = {},
): AuthorisationRequest {
  const { number = '4456530000091014', cv2 = '020', isStored = false, ...overrides } = more;
  return {
    reference,
    merchantId: 'merchant-1',
    amount: createGbp(1_000),
    isPurchase: false,
    ...overrides,
    instrument: {
      kind: isStored ? 'stored' : 'card',
      card: { number, expiryMonth: 12, expiryYear: 2032, cv2, cardholderName: 'A Payer' },
      isRemote: false,
      hasAddress: false,
    },
  };
}

export const MACHINE_REQUESTOR: LockRequestor = { kind: 'cardMachine', terminalId: '90000001', waiterId: null };

/** A filter that matches every session. */
export const NO_FILTER = { isFinished: null, hasTable: null, isPayable: null, tableNames: [] };

/** A reference EPOS in its restaurant, with one session of each kind. */
export function createTestEpos(seed = 'test', more: Partial<RestaurantEposOptions> = {}) {
  const clock = new ManualClock(NOON);
  const eposSimulator = openRestaurantEpos({
    ...{ seed: new Seed(seed), clock, accountId: 'acc_1', currencyCode: 'GBP', merchantName: 'The Oyster Shed' },
    ...{ needsLocks: false, readIntent: null, ...more },
  });
  const { epos } = eposSimulator;
  const { restaurant } = epos;
  const find = (kind: (session: ReturnType<typeof restaurant.sessions>[number]) => boolean) => {
    const session = restaurant.sessions().find(kind);
    if (session === undefined) throw new Error('the restaurant has no such session');
    return session;
  };
  const open = find(isPayable);
  const withoutBill = find(({ bill }) => bill === null);
  const finished = find(({ finishedAt }) => finishedAt !== null);
  const outstandingBill = open.bill === null ? createGbp(0) : computeOutstanding(open.bill);
  return { clock, restaurant, epos, eposSimulator, open, withoutBill, finished, owed: outstandingBill };
}

/** A card payment of five pounds with a tip of one pound. */
export function createPayment(sessionId: string, more: Partial<RecordPaymentRequest> = {}): RecordPaymentRequest {
  return {
    id: 'a0a0a0a0-0000-4000-8000-000000000001',
    sessionId,
    base: createGbp(500),
    gratuity: createGbp(100),
    cashback: createGbp(0),
    isSuccessful: true,
    attemptedAt: NOON,
    method: 'cardPresent',
    acquirerTransactionId: 'b0b0b0b0-0000-4000-8000-000000000001',
    ...more,
  };
}

export type TestEpos = ReturnType<typeof createTestEpos>;

export function lockOpenSession({ epos, open }: TestEpos): void {
  epos.lockSession(open.id, MACHINE_REQUESTOR);
}

export function unlockOpenSession({ epos, open }: TestEpos): void {
  epos.unlockSession(open.id);
}

export function recordTestPayment({ epos, open }: TestEpos, more: Partial<RecordPaymentRequest> = {}): void {
  epos.recordPayment(createPayment(open.id, more));
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
export function createTestDataApi(more: Partial<RestaurantEposOptions> = {}) {
  const testEpos = createTestEpos('test', more);
  const { eposSimulator, restaurant, open } = testEpos;
  const second = restaurant.sessions().find((session) => isPayable(session) && session.id !== open.id);
  if (second === undefined) throw new Error('the restaurant has no second session');
  const ask = (
    name: EposDataCallName,
    params: Readonly<Record<string, unknown>>,
    proof: IntentProof = { kind: 'notAsked' },
  ): unknown => eposSimulator.data.answerCall({ name, params, requestor: MACHINE_REQUESTOR }, proof);
  return { ...testEpos, second, ask };
}

export type TestDataApi = ReturnType<typeof createTestDataApi>;
