import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ReportContext, applyReport, type MachineReport } from './machine-report.js';
import { decideSignature, applyWindowEnd } from './session-outcome.js';
import {
  isSessionFinal,
  NOTIFICATION_TYPES,
  requestCancel,
  SESSION_STATUSES,
  SESSION_TYPES,
  SESSION_WINDOWS,
  type SessionDecision,
  type SessionStatus,
  type TerminalSession,
} from './terminal-session.js';
import { createApproval, buildSession, gbp, HEADING, createPastDate } from '../testing/builders.js';

const RECEIVING: ReportContext = {
  now: createPastDate(5_000),
  heading: HEADING,
  windows: SESSION_WINDOWS,
  isAttemptOpen: true,
  endedCall: 'bookable',
  paidCard: null,
};
const OVER: ReportContext = { ...RECEIVING, isAttemptOpen: false };

type ReportBody = MachineReport extends infer R ? (R extends MachineReport ? Omit<R, 'number'> : never) : never;
const REPORTS: Record<string, ReportBody> = {
  confirmed: { kind: 'confirmed' },
  notification: { kind: 'notification', notificationType: 'PresentCard' },
  approved: { kind: 'approved', approval: createApproval(gbp(2000)), isSignatureRequired: false },
  'approved, to be signed': { kind: 'approved', approval: createApproval(gbp(2000)), isSignatureRequired: true },
  'approved, other amount': { kind: 'approved', approval: createApproval(gbp(2001)), isSignatureRequired: false },
  declined: { kind: 'declined', result: createApproval(gbp(2000), { authCode: '' }) },
  canceled: { kind: 'canceled' },
  unable: { kind: 'unable', reason: 'busy' },
  'approved, unreadable': { kind: 'unreadableApproval', problem: 'amount', details: {} },
  unreadable: { kind: 'unreadable' },
  'unknown session': { kind: 'unknownSession' },
};

/** Statuses passed > intent effect, attempt effect, message to the machine; `-` when nothing changed. */
test.each(SESSION_TYPES)('what each report does to a %s in each state', (sessionType) => {
  const rows = SESSION_STATUSES.map((status) => {
    const answers = Object.entries(REPORTS).map(([name, body]) => {
      const decision = applyReport(at(status, sessionType), report(body), RECEIVING);
      return `${name}: ${summarizeDecision(decision)}`;
    });
    return `${status}\n  ${answers.join('\n  ')}`;
  });
  expect(rows.join('\n')).toMatchSnapshot();
});

describe('every report is applied once', () => {
  test.each(Object.keys(REPORTS))('%s, repeated, changes nothing', (name) => {
    const first = applyReport(at('Initiated'), report(findReport(name)), RECEIVING);
    const again = applyReport(first.session, report(findReport(name)), RECEIVING);
    expect(again.session).toBe(first.session);
    expect(again).toMatchObject({ statusEvents: [], webhookEvents: [], onIntent: null, onAttempt: null, entries: [] });
    const isAsked = first.onAttempt?.kind === 'uncertain';
    expect(again.toMachine).toBe(isAsked ? 'cancel' : isSessionFinal(first.session.status) ? 'stop' : null);
  });

  test('an older number after a newer one changes nothing, unless it is an approval and none was stored', () => {
    const later = { ...at('Initiated'), lastReport: 5 };
    for (const name of ['confirmed', 'notification', 'declined', 'canceled', 'unable']) {
      expect(applyReport(later, report(findReport(name), 4), RECEIVING).session).toBe(later);
    }
    const { session } = applyReport(later, report(findReport('approved'), 1), RECEIVING);
    expect([session.status, session.lastReport]).toEqual(['Captured', 5]);
    expect(applyReport(session, report(findReport('approved'), 1), RECEIVING).session).toBe(session);
  });

  test('a report that the state refuses is still counted, and the machine is ordered to stop', () => {
    const decision = applyReport(at('Captured'), report(findReport('notification'), 9), RECEIVING);
    expect(decision.session).toEqual({ ...at('Captured'), lastReport: 9 });
    expect(decision).toMatchObject({ toMachine: 'stop', notifications: [], webhookEvents: [] });
  });
});

describe('the machine confirms', () => {
  test('and the cardholder has ninety seconds from the creation', () => {
    const { session } = applyReport(at('InitiateRequested'), report(findReport('confirmed')), RECEIVING);
    expect([session.status, session.expireAt, session.updatedAt]).toEqual([
      'Initiated',
      createPastDate(90_000),
      createPastDate(5_000),
    ]);
  });

  test('too late, although no timer has run yet: the session expires and the machine is ordered to end', () => {
    const decision = applyReport(at('InitiateRequested'), report(findReport('confirmed')), {
      ...RECEIVING,
      now: createPastDate(10_000),
    });
    expect([decision.statusEvents, decision.toMachine]).toEqual([['Expired'], 'cancel']);
    expect(decision.onAttempt?.kind).toBe('uncertain');
  });

  test('after its cancellation was requested: the machine receives the order again', () => {
    const decision = applyReport(at('CancelRequested'), report(findReport('confirmed')), RECEIVING);
    expect([decision.session.status, decision.toMachine]).toEqual(['CancelRequested', 'cancel']);
  });
});

describe('notifications', () => {
  test('show when a card is in: from then on a cancel call is too late', () => {
    const presenting = NOTIFICATION_TYPES.filter(
      (notificationType) =>
        applyReport(at('Initiated'), report({ kind: 'notification', notificationType }), RECEIVING).session
          .cardPresented,
    );
    expect(presenting).toEqual(['Approved', 'Declined', 'EnterPin', 'PleaseWait', 'RemoveCard']);
  });

  test('are published one by one and do not count as a status', () => {
    const before = at('Initiated');
    const decision = applyReport(before, report({ kind: 'notification', notificationType: 'EnterPin' }), RECEIVING);
    expect(decision.notifications).toEqual(['EnterPin']);
    expect(decision.webhookEvents).toEqual([{ kind: 'terminal_session.notification', state: 'EnterPin' }]);
    expect([decision.statusEvents, decision.session.updatedAt]).toEqual([[], before.updatedAt]);
    const next = applyReport(
      decision.session,
      report({ kind: 'notification', notificationType: 'PresentCard' }, 3),
      RECEIVING,
    );
    expect(next.session.cardPresented).toBe(true);
  });
});

describe('a result after the session expired', () => {
  test('is taken while the attempt is open, and the session stays Expired', () => {
    const { session, onIntent, onAttempt, statusEvents, webhookEvents } = applyReport(
      at('Expired'),
      report(findReport('approved')),
      RECEIVING,
    );
    expect([session.status, onIntent?.kind, onAttempt?.kind]).toEqual(['Expired', 'approve', 'settled']);
    expect([statusEvents, webhookEvents]).toEqual([[], []]);
    expect(session.paymentDetails).toEqual({ cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' });
    expect(session.customerReceipt).not.toBeNull();
  });

  test('needs no signature any more, because the merchant does not wait for it', () => {
    const { session, onIntent } = applyReport(at('Expired'), report(findReport('approved, to be signed')), RECEIVING);
    expect([session.status, onIntent?.kind]).toEqual(['Expired', 'approve']);
  });

  test.each(['approved', 'approved, to be signed', 'approved, other amount', 'declined', 'canceled', 'unable'])(
    '%s, once the reversal is written, moves nothing',
    (name) => {
      const decision = applyReport(at('Expired'), report(findReport(name)), OVER);
      expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], toMachine: 'stop' });
    },
  );

  test.each([
    ['approved', 'bookRefund'],
    ['declined', 'freeRefund'],
    ['canceled', 'freeRefund'],
  ])('of a refund: %s means %s', (name, kind) => {
    expect(applyReport(at('Expired', 'MatchedRefund'), report(findReport(name)), RECEIVING).onIntent?.kind).toBe(kind);
  });
});

describe('an approval that cannot be right is undone', () => {
  test('over another amount: the session is Declined and the intent stays payable', () => {
    const decision = applyReport(at('Initiated'), report(findReport('approved, other amount')), RECEIVING);
    expect(decision.statusEvents).toEqual(['Declined']);
    expect(decision.onIntent).toMatchObject({ kind: 'decline', decline: { message: 'FAILED' } });
    expect(decision.onAttempt?.kind).toBe('undo');
  });

  test.each(['Canceled', 'Declined'] as const)('after the machine had reported %s', (status) => {
    const decision = applyReport(at(status), report(findReport('approved')), RECEIVING);
    expect([decision.session.status, decision.onIntent, decision.onAttempt?.kind]).toEqual([status, null, 'undo']);
  });

  test.each(['Captured', 'Authorized', 'SignatureVerificationRequired'] as const)(
    'but the one that was taken is never undone by a second report: %s',
    (status) => {
      const taken = { ...at(status), approval: createApproval(gbp(2000)) };
      for (const name of ['approved', 'approved, other amount']) {
        expect(applyReport(taken, report(findReport(name)), RECEIVING)).toMatchObject({
          onIntent: null,
          onAttempt: null,
        });
      }
    },
  );

  test('a refund over another amount stays open, because a refund cannot be taken back from a card', () => {
    const decision = applyReport(
      at('Initiated', 'MatchedRefund'),
      report(findReport('approved, other amount')),
      RECEIVING,
    );
    expect(decision).toMatchObject({ statusEvents: [], onIntent: null, onAttempt: null });
  });
});

describe('a refund that is approved though it had ended without money', () => {
  const REFUNDS = ['MatchedRefund', 'UnlinkedRefund'] as const;

  test.each(
    REFUNDS.flatMap((type) => [
      [type, 'Canceled', RECEIVING] as const,
      [type, 'Declined', RECEIVING] as const,
      [type, 'Expired', OVER] as const,
    ]),
  )('a %s that is %s is booked: the money has left', (sessionType, status, receiving) => {
    const decision = applyReport(at(status, sessionType), report(findReport('approved')), receiving);
    const { session, onIntent, entries, onAttempt, statusEvents, alarms } = decision;
    expect([session.status, statusEvents, session.approval?.authCode]).toEqual([status, [], '204711']);
    expect(onIntent?.kind ?? entries[0]?.kind).toBe(sessionType === 'MatchedRefund' ? 'concludeFreedRefund' : 'refund');
    expect([onAttempt?.kind, alarms]).toEqual(['corrected', []]);
    // And once only.
    const again = applyReport(session, report(findReport('approved'), 3), receiving);
    expect(again).toMatchObject({ onIntent: null, entries: [], onAttempt: null, alarms: [] });
  });

  test.each(['Canceled', 'Declined', 'Expired'] as const)('%s, and the payment has no room: an alarm', (status) => {
    const noRoom: ReportContext = { ...OVER, endedCall: 'noRoom' };
    const decision = applyReport(at(status, 'MatchedRefund'), report(findReport('approved')), noRoom);
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], session: { approval: null } });
    const details = { amount: 2000, total: 2000 };
    expect(decision.alarms).toMatchObject([{ kind: 'MachineApprovalNotBooked', details }]);
  });

  test('an operator has booked it already: nothing', () => {
    const booked: ReportContext = { ...OVER, endedCall: 'booked' };
    const decision = applyReport(at('Expired', 'MatchedRefund'), report(findReport('approved')), booked);
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], alarms: [] });
  });

  test.each(['Initiated', 'Canceled', 'Declined', 'Expired'] as const)(
    '%s, over another amount: an alarm',
    (status) => {
      for (const sessionType of REFUNDS) {
        const decision = applyReport(at(status, sessionType), report(findReport('approved, other amount')), RECEIVING);
        expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [] });
        expect(decision.alarms).toMatchObject([
          { kind: 'MachineApprovalNotBooked', details: { amount: 2001, total: 2000 } },
        ]);
      }
    },
  );
});

describe('a machine that has no such session', () => {
  const unknown = findReport('unknown session');

  test('is stored for an expired one, after any report number, and once', () => {
    const expired = { ...at('Expired', 'MatchedRefund'), lastReport: 5 };
    const { session, ...decision } = applyReport(expired, report(unknown, 1), RECEIVING);
    expect(session).toEqual({ ...expired, isUnknownToMachine: true });
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, toMachine: 'cancel' });
    expect(applyReport(session, report(unknown, 1), RECEIVING).session).toBe(session);
  });

  test('has not begun a session that was cancelled and never confirmed', () => {
    const decision = applyReport(
      { ...at('CancelRequested', 'MatchedRefund'), lastReport: 0 },
      report(unknown, 1),
      RECEIVING,
    );
    expect([decision.session.status, decision.onIntent?.kind, decision.onAttempt?.kind]).toEqual([
      ...['Canceled', 'freeRefund', 'canceled'],
    ]);
  });

  test.each(['canceled', 'unable'])('a later %s proves nothing: the machine may have lost its memory', (name) => {
    const session = { ...at('Expired', 'MatchedRefund'), isUnknownToMachine: true };
    expect(applyReport(session, report(findReport(name)), RECEIVING)).toMatchObject({
      onIntent: null,
      onAttempt: null,
    });
  });

  test.each(SESSION_STATUSES.filter((status) => status !== 'Expired'))('%s, once confirmed: nothing', (status) => {
    const session = at(status, 'MatchedRefund');
    const confirmed = { ...session, lastReport: 1 };
    expect(applyReport(confirmed, report(unknown, 1), RECEIVING).session).toBe(confirmed);
  });
});

test('a refund of no known sale is booked on the session itself', () => {
  const { entries, onIntent } = applyReport(
    at('Initiated', 'UnlinkedRefund'),
    report(findReport('approved')),
    RECEIVING,
  );
  expect([entries.map(({ kind }) => kind), onIntent]).toEqual([['refund'], null]);
});

type Act = (session: TerminalSession, ms: number, isAttemptOpen: boolean) => SessionDecision | null;
const ACTS: Record<string, Act> = {
  cancel: (session, ms) =>
    session.cardPresented || isSessionFinal(session.status)
      ? null
      : quietly(() => requestCancel(session, createPastDate(ms))),
  accept: (session, ms) => quietly(() => decideSignature(session, true, { ...RECEIVING, now: createPastDate(ms) })),
  reject: (session, ms) => quietly(() => decideSignature(session, false, { ...RECEIVING, now: createPastDate(ms) })),
  'time passes': (session, ms) => applyWindowEnd(session, { now: createPastDate(ms), heading: HEADING }),
  ...Object.fromEntries(
    Object.entries(REPORTS).map(([name, each]): [string, Act] => [
      name,
      (session, ms, isAttemptOpen) =>
        applyReport(session, report(each, session.lastReport + 1), {
          ...RECEIVING,
          now: createPastDate(ms),
          isAttemptOpen,
        }),
    ]),
  ),
};

test('for any reports in any order, money moves at most once and every status is published once', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.integer({ min: 0, max: 60_000 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...SESSION_TYPES), acts, (sessionType, course) => {
      let session = buildSession(sessionType);
      let ms = 0;
      let isAttemptOpen = true;
      const moved: string[] = [];
      for (const [name, later] of course) {
        ms += later;
        const act = ACTS[name];
        const decision = act === undefined ? null : act(session, ms, isAttemptOpen);
        if (decision === null) continue;
        // In the database, a concluded, refused or undone attempt is not open any more.
        const ends =
          decision.onAttempt !== null && ['settled', 'undo', 'declined', 'canceled'].includes(decision.onAttempt.kind);
        if (ends) isAttemptOpen = false;
        // A refund that was freed because nothing had moved may be booked after all.
        if (decision.onIntent?.kind === 'concludeFreedRefund') expect(moved.pop()).toBe('freeRefund');
        if (decision.onIntent !== null || decision.entries.length > 0) moved.push(decision.onIntent?.kind ?? 'entry');
        const statusWebhookEvents = decision.webhookEvents.filter(
          ({ kind }) => kind === 'terminal_session.status_updated',
        );
        expect(statusWebhookEvents.map(({ state }) => state)).toEqual(decision.statusEvents);
        expect(decision.session.status).toBe(decision.statusEvents.at(-1) ?? session.status);
        if (isSessionFinal(session.status)) expect(decision.session.status).toBe(session.status);
        expect(decision.session.lastReport).toBeGreaterThanOrEqual(session.lastReport);
        session = decision.session;
      }
      expect(moved.length).toBeLessThanOrEqual(1);
      if (session.status === 'Captured' || session.status === 'Authorized') expect(moved).toHaveLength(1);
    }),
    { numRuns: 600 },
  );
});

function quietly(act: () => SessionDecision): SessionDecision | null {
  try {
    return act();
  } catch {
    return null;
  }
}

function at(status: SessionStatus, sessionType: TerminalSession['sessionType'] = 'Sale'): TerminalSession {
  const isNew = status === 'InitiateRequested';
  return {
    ...buildSession(sessionType),
    status,
    expireAt: createPastDate(isNew ? 10_000 : 90_000),
    lastReport: 1,
  };
}

function findReport(name: string): ReportBody {
  return REPORTS[name]!;
}

function report(each: ReportBody, number = 2): MachineReport {
  return { ...each, number };
}

function summarizeDecision({
  session,
  statusEvents,
  onIntent,
  onAttempt,
  entries,
  toMachine,
}: SessionDecision): string {
  const words = [
    statusEvents.length > 0 ? statusEvents.join(' > ') : null,
    onIntent && `intent ${onIntent.kind}`,
    entries.length > 0 ? `books ${entries.map(({ kind }) => kind).join()}` : null,
    onAttempt && `attempt ${onAttempt.kind}`,
    toMachine && `machine ${toMachine}`,
  ].filter((word) => word !== null);
  if (session.status !== 'Canceled') expect([0, 1, 2]).toContain(session.lastReport);
  return words.length === 0 ? '-' : words.join(', ');
}
