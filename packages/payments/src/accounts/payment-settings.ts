import type { Environment } from '@pos/core/identity';
import { type AcquirerDirectory, createCompleteDirectory } from './acquirer-directory.js';
import { DAY_MS } from '@pos/core/time';
import { SESSION_WINDOWS, type SessionWindows } from '@pos/core/terminals';

/**
 * Points at which a test may kill the process, to prove that nothing is lost there. Named by what has just happened;
 * in the order of a payment's life cycle.
 */
export const FAULT_POINTS = {
  'after-lock': 'the session is locked at the EPOS, and the journey is not stored yet',
  'after-approval-before-commit': 'a machine has reported an approval, and it is not stored yet',
  'after-commit-before-proof': 'the payment of a device is stored, and its card transaction is not looked for yet',
  'after-commit-before-record': 'the approval is stored, and the EPOS has not received it',
  'after-record-before-stored': 'the EPOS has answered the record call, and the answer is not stored yet',
  'before-unlock': 'the payment is recorded, and the session is still locked at the EPOS',
} as const;
export type FaultPointName = keyof typeof FAULT_POINTS;

/** The same for an order that is paid in advance. */
export const ORDER_FAULT_POINTS = {
  'after-commit-before-place': 'the money is held, and the EPOS has not been asked for the order',
  'after-place-before-stored': 'the EPOS has answered for the order, and the answer is not stored yet',
  'after-placed-before-capture': 'the order is made, and its money has not been asked for',
  'after-capture-before-stored': 'the money is captured, and the order does not know it yet',
} as const;
type OrderFaultPointName = keyof typeof ORDER_FAULT_POINTS;

/**
 * The same for a payment with a payer's own card: after its attempt is stored, and before the acquirer's answer is.
 */
type OnlineFaultPointName = 'after-attempt-before-call' | 'after-answer-before-commit';

/** The environment of the use cases. Every default is the production value. */
export interface PaymentSettings {
  /** The address of the hosted page, without a trailing slash. */
  readonly checkoutBaseUrl: string;
  readonly windows: Readonly<Record<Environment, SessionWindows>>;
  /** The acquirers of the process: without one no operation that takes money begins. */
  readonly acquirers: AcquirerDirectory;
  /** How long one call to the acquirer may take. */
  readonly acquirerDeadlineMs: number;
  /** The time until the first inquiry about an open outcome; doubled after each try, up to 180 times it. */
  readonly inquiryIntervalMs: number;
  /** How long an approval of a card machine may wait for the acquirer's word before it is booked; 0: not at all. */
  readonly approvalCheckMs: number;
  /** How long after its deadline an open call to the acquirer is put on the pending list of operators. */
  readonly callPendingMs: number;
  /** After how many days the settlement files of a day of calls are overdue, which is an alarm. */
  readonly settlementWaitDays: number;
  /** How long the activity log keeps its entries, by the account's clock. */
  readonly activitiesKeptMs: number;
  /** Called at the named points; does nothing outside tests. */
  readonly fault: (name: FaultPointName | OrderFaultPointName | OnlineFaultPointName) => void;
}

export const DEFAULT_PAYMENT_SETTINGS: PaymentSettings = {
  checkoutBaseUrl: 'https://checkout.invalid',
  windows: { sandbox: SESSION_WINDOWS, production: SESSION_WINDOWS },
  acquirers: createCompleteDirectory(['sandbox']),
  acquirerDeadlineMs: 10_000,
  inquiryIntervalMs: 5_000,
  approvalCheckMs: 2_000,
  callPendingMs: 300_000,
  settlementWaitDays: 7,
  activitiesKeptMs: 30 * DAY_MS,
  fault: () => undefined,
};

/**
 * The windows of terminal sessions under the settings of a process: in a sandbox all are divided by the scale of the
 * simulated world; a signature window that was set is taken as it is, everywhere.
 */
export function computeSessionWindows(options: {
  readonly timeScale: number;
  readonly signatureMs: number | undefined;
}): PaymentSettings['windows'] {
  const overrides = options.signatureMs === undefined ? {} : { signatureMs: options.signatureMs };
  const scaled = (ms: number): number => Math.max(1, Math.round(ms / options.timeScale));
  return {
    production: { ...SESSION_WINDOWS, ...overrides },
    sandbox: {
      confirmMs: scaled(SESSION_WINDOWS.confirmMs),
      cardMs: scaled(SESSION_WINDOWS.cardMs),
      signatureMs: scaled(SESSION_WINDOWS.signatureMs),
      ...overrides,
    },
  };
}
