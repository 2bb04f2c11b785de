import { describe, expect, test } from '@jest/globals';
import { createApproval, createPastDate, buildSession, gbp, HEADING, VISA } from '../testing/builders.js';
import { applyReport, type MachineReport, type ReportContext } from './machine-report.js';
import { isReportPostponed } from './report-order.js';
import { SESSION_WINDOWS, type TerminalSession } from './terminal-session.js';

const RECEIVING: ReportContext = {
  ...{ now: createPastDate(5_000), heading: HEADING, windows: SESSION_WINDOWS, isAttemptOpen: true },
  ...{ endedCall: 'bookable', paidCard: null },
};
const APPROVED = { kind: 'approved', approval: createApproval(gbp(2000)), isSignatureRequired: false } as const;
const TO_SIGN = { ...APPROVED, isSignatureRequired: true } as const;
const initiated: TerminalSession = { ...buildSession('Sale'), status: 'Initiated', lastReport: 1 };

describe('report numbers with a gap', () => {
  test.each<MachineReport>([
    { number: 4, kind: 'canceled' },
    { number: 4, kind: 'declined', result: createApproval(gbp(2000)) },
    { number: 4, kind: 'unable', reason: 'busy' },
    { number: 4, kind: 'notification', notificationType: 'PresentCard' },
  ])('$kind is applied only after the machine has repeated what is missing', (late) => {
    const { session, ...first } = applyReport(initiated, late, RECEIVING);
    expect(isReportPostponed(initiated, late, RECEIVING)).toBe(true);
    expect(session).toEqual({ ...initiated, postponedReport: 4 });
    expect(first).toMatchObject({ onAttempt: null, onIntent: null, statusEvents: [], notifications: [] });
    expect(first.alarms).toMatchObject([{ kind: 'MachineReportsMissing', details: { from: 2, to: 3 } }]);
    // The machine repeats what was missing, an approval among it.
    const shown = { number: 2, kind: 'notification', notificationType: 'PleaseWait' } as const;
    const repeated = applyReport(session, shown, RECEIVING).session;
    expect(applyReport(repeated, { ...APPROVED, number: 3 }, RECEIVING).session.status).toBe('Captured');
    // The machine has none of them: its repetition counts, and a card may have been in.
    expect(isReportPostponed(session, late, RECEIVING)).toBe(false);
    expect(applyReport(session, late, RECEIVING)).toMatchObject({
      session: { lastReport: 4, cardPresented: true },
      alarms: [],
    });
  });

  test('an approval is applied at once, and the gap is an alarm', () => {
    const { session, alarms } = applyReport(initiated, { ...APPROVED, number: 5 }, RECEIVING);
    expect([session.status, session.lastReport]).toEqual(['Captured', 5]);
    expect(alarms).toMatchObject([{ kind: 'MachineReportsMissing', details: { from: 2, to: 4 } }]);
    expect(isReportPostponed(initiated, { ...APPROVED, number: 5 }, RECEIVING)).toBe(false);
  });

  test('a single missing report is a gap', () => {
    const late = { number: 3, kind: 'canceled' } as const;
    expect(isReportPostponed(initiated, late, RECEIVING)).toBe(true);
    expect(applyReport(initiated, late, RECEIVING).alarms).toMatchObject([
      {
        kind: 'MachineReportsMissing',
        message: expect.stringContaining('report 2 is missing'),
        details: { from: 2, to: 2 },
      },
    ]);
  });

  test('without a gap there is no alarm, and after the end of a session a gap means nothing', () => {
    expect(applyReport(initiated, { number: 2, kind: 'canceled' }, RECEIVING).alarms).toEqual([]);
    const captured: TerminalSession = { ...initiated, status: 'Captured', approval: APPROVED.approval };
    const removed = { number: 9, kind: 'notification', notificationType: 'RemoveCard' } as const;
    expect(applyReport(captured, removed, RECEIVING).alarms).toEqual([]);
  });
});

describe('an end without money after an approval', () => {
  test.each(['canceled', 'declined'] as const)('%s while the signature is checked rejects it and reverses', (kind) => {
    const waiting = applyReport(initiated, { ...TO_SIGN, number: 2 }, RECEIVING).session;
    const report = kind === 'canceled' ? { kind } : { kind, result: createApproval(gbp(2000)) };
    const decision = applyReport(waiting, { ...report, number: 3 }, RECEIVING);
    expect(decision.statusEvents).toEqual(['SignatureVerificationRejected']);
    expect([decision.onIntent?.kind, decision.onAttempt?.kind]).toEqual(['rejectSignature', 'undo']);
    expect(decision.alarms).toMatchObject([{ kind: 'MachineContradictsApproval', details: { report: kind } }]);
  });

  test('a machine that is unable while the signature is checked leaves the decision to the merchant', () => {
    const waiting = applyReport(initiated, { ...TO_SIGN, number: 2 }, RECEIVING).session;
    const decision = applyReport(waiting, { number: 3, kind: 'unable', reason: 'no paper' }, RECEIVING);
    expect(decision).toMatchObject({ statusEvents: [], onIntent: null, onAttempt: null, isCheckNeeded: true });
    expect(decision.alarms).toMatchObject([{ kind: 'MachineContradictsApproval' }]);
  });

  test.each(['canceled', 'unable'] as const)('%s after the payment was booked: an alarm and an inquiry', (kind) => {
    const paid = applyReport(initiated, { ...APPROVED, number: 2 }, RECEIVING).session;
    const decision = applyReport(paid, { kind, number: 3, reason: '' }, RECEIVING);
    expect(decision).toMatchObject({ statusEvents: [], onIntent: null, onAttempt: null, isCheckNeeded: true });
    expect(decision.alarms).toMatchObject([{ kind: 'MachineContradictsApproval' }]);
  });
});

describe('an approval that cannot be read whole', () => {
  const unreadable = { number: 2, kind: 'unreadableApproval', problem: 'amount', details: { amount: '-5' } } as const;

  test('without its amount is uncertain: the session expires and machine and acquirer are asked', () => {
    for (const sessionType of ['Sale', 'MatchedRefund', 'UnlinkedRefund'] as const) {
      const session: TerminalSession = { ...buildSession(sessionType), status: 'Initiated', lastReport: 1 };
      const decision = applyReport(session, unreadable, RECEIVING);
      expect(decision).toMatchObject({ statusEvents: ['Expired'], onAttempt: { kind: 'uncertain' } });
      expect([decision.onIntent, decision.toMachine]).toEqual([null, 'cancel']);
      expect(decision.alarms).toMatchObject([{ kind: 'MachineApprovalUnreadable', details: { amount: '-5' } }]);
    }
  });

  test.each(['Canceled', 'Declined'] as const)('after a sale that was %s gives the sale up', (status) => {
    const ended: TerminalSession = { ...initiated, status };
    expect(applyReport(ended, unreadable, { ...RECEIVING, isAttemptOpen: false })).toMatchObject({
      onAttempt: { kind: 'givenUp' },
      alarms: [{ kind: 'MachineApprovalUnreadable' }],
    });
  });

  test('without its card or time is booked, with an alarm', () => {
    const report = { ...APPROVED, number: 2, missing: ['card', 'time'] } as const;
    const { session, alarms } = applyReport(initiated, report, RECEIVING);
    expect(session.status).toBe('Captured');
    expect(alarms).toMatchObject([{ kind: 'MachineApprovalIncomplete', details: { missing: 'card, time' } }]);
    expect(alarms[0]?.message).toContain('The approval is booked nevertheless');
  });

  test('its alarm does not say that it is booked beside an alarm by which it is not', () => {
    const approval = createApproval(gbp(1900));
    const report = { ...APPROVED, approval, number: 2, missing: ['card'] } as const;
    for (const status of ['Initiated', 'Canceled'] as const) {
      const { alarms } = applyReport({ ...initiated, status }, report, RECEIVING);
      expect(alarms.map(({ kind }) => kind)).toEqual(['MachineApprovalNotBooked', 'MachineApprovalIncomplete']);
      expect(alarms[1]?.message).toContain('The approval is not booked, for another reason');
    }
  });
});

describe('an approval that the acquirer was asked about first', () => {
  const difference = { message: 'it has declined it', details: { amount: 2000 } };
  const denied = { ...APPROVED, number: 2, confirmation: { outcome: 'denied', difference } } as const;

  test('and that it does not have: a sale is not booked and undone, and the intent stays payable', () => {
    const { session, ...decision } = applyReport(initiated, denied, RECEIVING);
    expect(session).toMatchObject({ status: 'Declined', approval: null });
    expect([decision.onIntent?.kind, decision.onAttempt?.kind]).toEqual(['decline', 'undo']);
    expect(decision.alarms).toMatchObject([{ kind: 'MachineApprovalDiffers', subject: session.acquirerReference }]);
  });

  test('and that it does not have: a late approval of an expired sale is undone', () => {
    const decision = applyReport({ ...initiated, status: 'Expired' }, denied, RECEIVING);
    expect([decision.onIntent, decision.onAttempt?.kind]).toEqual([null, 'undo']);
    expect(decision.alarms).toHaveLength(1);
  });

  test.each(['MatchedRefund', 'UnlinkedRefund'] as const)('and that it does not have: a %s stays reserved', (type) => {
    const refund: TerminalSession = { ...buildSession(type), status: 'Initiated', lastReport: 1 };
    const decision = applyReport(refund, denied, RECEIVING);
    expect(decision).toMatchObject({ session: { status: 'Expired' }, onIntent: null, entries: [] });
    expect([decision.onAttempt?.kind, decision.alarms.length]).toEqual(['uncertain', 1]);
  });

  test('and that it has for another card is booked with an alarm', () => {
    const confirmation = { outcome: 'confirmed', difference } as const;
    const { session, alarms } = applyReport(initiated, { ...APPROVED, number: 2, confirmation }, RECEIVING);
    expect(session.status).toBe('Captured');
    expect(alarms).toMatchObject([{ kind: 'MachineApprovalDiffers' }]);
    const agreed = { outcome: 'confirmed', difference: null } as const;
    const same = applyReport(initiated, { ...APPROVED, number: 2, confirmation: agreed }, RECEIVING);
    expect([same.session.status, same.alarms]).toEqual(['Captured', []]);
  });
});

describe('a refund of a payment', () => {
  const refund: TerminalSession = { ...buildSession('MatchedRefund'), status: 'Initiated', lastReport: 1 };
  test.each([
    ['another last four', { last4PAN: '0001' }, true],
    ['another beginning', { cardNumber: '52000000****1096' }, true],
    ['another scheme', { cardType: 'AMEX' }, true],
    ['a shorter mask', { cardNumber: '445653******1096' }, false],
    ['nothing known of the card', { cardNumber: '', last4PAN: '', cardType: 'UNKNOWN' }, false],
  ] as const)('to a card with %s: alarm %s', (_, shown, isAlarming) => {
    const approval = createApproval(gbp(2000), { card: { ...VISA, ...shown } });
    const receiving = { ...RECEIVING, paidCard: VISA };
    const decision = applyReport(refund, { ...APPROVED, approval, number: 2 }, receiving);
    expect(decision.onIntent?.kind).toBe('bookRefund');
    expect(decision.alarms.map(({ kind }) => kind)).toEqual(isAlarming ? ['RefundToOtherCard'] : []);
  });

  test('with another card is no news of a sale, whose intent an earlier card may have paid', () => {
    const approval = createApproval(gbp(2000), { card: { ...VISA, last4PAN: '0001' } });
    const { session, alarms } = applyReport(
      initiated,
      { ...APPROVED, approval, number: 2 },
      { ...RECEIVING, paidCard: VISA },
    );
    expect([session.status, alarms]).toEqual(['Captured', []]);
  });

  test('to another card that the acquirer has declined has no alarm that says it is booked', () => {
    const approval = createApproval(gbp(2000), { card: { ...VISA, last4PAN: '0001' } });
    const difference = { message: 'it has declined it', details: {} };
    const report = { ...APPROVED, approval, number: 2, confirmation: { outcome: 'denied', difference } } as const;
    const decision = applyReport(refund, report, { ...RECEIVING, paidCard: VISA });
    expect(decision.alarms.map(({ kind }) => kind)).toEqual(['MachineApprovalDiffers']);
  });
});
