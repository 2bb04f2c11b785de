import { describe, expect, test } from '@jest/globals';
import type { CardPresentApproval } from '../cards/card.js';
import { money } from '../money/money.js';
import { buildSession, createApproval, createPastDate, gbp, HEADING } from '../testing/builders.js';
import { applyReport, type ReportContext } from './machine-report.js';
import {
  SESSION_TYPES,
  SESSION_WINDOWS,
  type SessionDecision,
  type SessionStatus,
  type TerminalSession,
} from './terminal-session.js';

// A card machine approves what was not ordered, or what nobody waits for: the money is in no row, so an alarm names it.

const OPEN: ReportContext = {
  ...{ now: createPastDate(5_000), heading: HEADING, windows: SESSION_WINDOWS, isAttemptOpen: true },
  ...{ endedCall: 'bookable', paidCard: null },
};
const OVER: ReportContext = { ...OPEN, isAttemptOpen: false };
const ORDERED = gbp(2_000);
const TAKEN = createApproval(ORDERED);
const EUROS = money(2_000, 'EUR');

const at = (status: SessionStatus, more: Partial<TerminalSession> = {}): TerminalSession => ({
  ...{ ...buildSession(more.sessionType), status, expireAt: createPastDate(90_000), lastReport: 1 },
  ...more,
});
const approve = (
  session: TerminalSession,
  approval: CardPresentApproval,
  { number = 2, isSignatureRequired = false, receiving = OPEN } = {},
): SessionDecision => applyReport(session, { kind: 'approved', number, approval, isSignatureRequired }, receiving);

/** The name, the session, the approved amount, the effect on the attempt, and where the attempt is. */
type Row = readonly [string, TerminalSession, CardPresentApproval['amount'], string | null, ReportContext];
const ROWS: readonly Row[] = [
  ['a hundred times the amount', at('Initiated'), gbp(200_000), 'undo', OPEN],
  ['a penny more', at('Initiated'), gbp(2_001), 'undo', OPEN],
  ['a penny less, as after another tip or cashback', at('Initiated'), gbp(1_999), 'undo', OPEN],
  ['zero', at('Initiated'), gbp(0), 'undo', OPEN],
  ['an absurd amount', at('Initiated'), gbp(Number.MAX_SAFE_INTEGER), 'undo', OPEN],
  ['another currency', at('Initiated'), EUROS, 'undo', OPEN],
  ['another amount of a hold', at('Initiated', { capture: false }), gbp(2_001), 'undo', OPEN],
  ['another amount before the machine has confirmed', at('InitiateRequested'), gbp(2_001), 'undo', OPEN],
  ['another amount while it is cancelled', at('CancelRequested'), gbp(2_001), 'undo', OPEN],
  ['another amount of an expired session', at('Expired'), gbp(2_001), 'undo', OPEN],
  ['another amount once the reversal is ordered', at('Expired'), gbp(2_001), null, OVER],
  ['the amount once the reversal is ordered', at('Expired'), ORDERED, null, OVER],
  ['the amount of a cancelled session', at('Canceled'), ORDERED, 'undo', OVER],
  ['the amount of a declined session', at('Declined'), ORDERED, 'undo', OVER],
  ['another amount of a cancelled session', at('Canceled'), gbp(2_001), 'undo', OVER],
  ['another amount after the booked one', at('Captured', { approval: TAKEN }), gbp(2_001), null, OVER],
  ['another amount after the held one', at('Authorized', { approval: TAKEN }), gbp(2_001), null, OVER],
  [
    'another amount while the signature is checked',
    at('SignatureVerificationRequired', { approval: TAKEN }),
    gbp(2_001),
    null,
    OPEN,
  ],
];

describe('a machine approves what is not booked: an alarm has both amounts', () => {
  test.each(ROWS)('%s', (_, session, amount, effect, receiving) => {
    const decision = approve(session, createApproval(amount), { receiving });
    expect([decision.onAttempt?.kind ?? null, decision.entries]).toEqual([effect, []]);
    expect(decision.alarms).toMatchObject([
      {
        kind: 'MachineApprovalNotBooked',
        details: {
          ...{ amount: amount.value, currencyCode: amount.currencyCode },
          ...{ total: 2_000, totalCurrencyCode: 'GBP', last4: '1096', status: session.status },
          ...{ reference: session.acquirerReference, transactionId: TAKEN.transactionId },
          paymentIntentId: session.paymentIntentId,
        },
      },
    ]);
    // A machine that repeats its report raises nothing more.
    const again = approve(decision.session, createApproval(amount), { receiving: OVER });
    expect([again.onAttempt, again.alarms]).toEqual([null, []]);
  });

  test('the text names both amounts and what happens to the money', () => {
    const [alarm] = approve(at('Initiated'), createApproval(gbp(200_000))).alarms;
    expect(alarm?.message).toContain('2000.00 GBP instead of 20.00 GBP');
    expect(alarm?.message).toContain('reverses');
    const [booked] = approve(at('Captured', { approval: TAKEN }), createApproval(gbp(1))).alarms;
    expect(booked?.message).toContain('0.01 GBP instead of 20.00 GBP');
    expect(booked?.message).not.toContain('reverses');
  });
});

test.each(SESSION_TYPES.filter((type) => type !== 'Sale'))(
  'a %s over another amount or currency raises it, also after the booked one',
  (sessionType) => {
    for (const amount of [gbp(2_001), gbp(0), EUROS]) {
      for (const session of [at('Initiated', { sessionType }), at('Captured', { sessionType, approval: TAKEN })]) {
        const decision = approve(session, createApproval(amount));
        expect([decision.onAttempt, decision.onIntent, decision.entries]).toEqual([null, null, []]);
        const details = { amount: amount.value, total: 2_000, totalCurrencyCode: 'GBP' };
        expect(decision.alarms).toMatchObject([{ kind: 'MachineApprovalNotBooked', details }]);
      }
    }
  },
);

describe('no alarm', () => {
  test.each<readonly [string, TerminalSession, ReportContext]>([
    ['for the amount that was ordered', at('Initiated'), OPEN],
    ['for it after the session expired', at('Expired'), OPEN],
    ['for the booked approval, sent again', at('Captured', { approval: TAKEN }), OVER],
    ['for a payment that was booked by the answer of the acquirer', at('Expired'), { ...OVER, endedCall: 'booked' }],
  ])('%s', (_, session, receiving) => {
    expect(approve(session, TAKEN, { receiving }).alarms).toEqual([]);
  });
});

test('an amount that cannot be read is in the alarm with the ordered one', () => {
  const report = { kind: 'unreadableApproval', number: 2, problem: 'amount', details: { sentAmount: '-705' } } as const;
  for (const status of ['Initiated', 'Canceled', 'Expired', 'Captured'] as const) {
    const { alarms } = applyReport(at(status), report, OPEN);
    const details = { sentAmount: '-705', total: 2_000, totalCurrencyCode: 'GBP' };
    expect(alarms).toMatchObject([{ kind: 'MachineApprovalUnreadable', details }]);
  }
});
