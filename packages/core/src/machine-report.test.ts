import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Hearing, hear, type MachineReport } from './machine-report.js';
import { decideSignature, passTime } from './session-outcome.js';
import {
  isFinal,
  NOTIFICATION_TYPES,
  requestCancel,
  SESSION_STATUSES,
  SESSION_TYPES,
  SESSION_WINDOWS,
  type SessionDecision,
  type SessionStatus,
  type TerminalSession,
} from './terminal-session.js';
import { approvalOf, createdSession, gbp, HEADING, past } from './testing.js';

const HEARING: Hearing = {
  now: past(5_000),
  heading: HEADING,
  windows: SESSION_WINDOWS,
  isAttemptOpen: true,
  endedRefund: 'bookable',
};
const OVER: Hearing = { ...HEARING, isAttemptOpen: false };

type Said = MachineReport extends infer R ? (R extends MachineReport ? Omit<R, 'number'> : never) : never;
const SAID: Record<string, Said> = {
  confirmed: { kind: 'confirmed' },
  notification: { kind: 'notification', notificationType: 'PresentCard' },
  approved: { kind: 'approved', approval: approvalOf(gbp(2000)), isSignatureRequired: false },
  'approved, to be signed': { kind: 'approved', approval: approvalOf(gbp(2000)), isSignatureRequired: true },
  'approved, other amount': { kind: 'approved', approval: approvalOf(gbp(2001)), isSignatureRequired: false },
  declined: { kind: 'declined', result: approvalOf(gbp(2000), { authCode: '' }) },
  canceled: { kind: 'canceled' },
  unable: { kind: 'unable', reason: 'busy' },
  'unknown session': { kind: 'unknownSession' },
};

/** Statuses passed > intent effect, attempt effect, word to the machine; `-` when nothing changed. */
test.each(SESSION_TYPES)('what each report does to a %s in each state', (sessionType) => {
  const rows = SESSION_STATUSES.map((status) => {
    const answers = Object.entries(SAID).map(([name, said]) => {
      const decision = hear(at(status, sessionType), report(said), HEARING);
      return `${name}: ${told(decision)}`;
    });
    return `${status}\n  ${answers.join('\n  ')}`;
  });
  expect(rows.join('\n')).toMatchSnapshot();
});

describe('every report is heard once', () => {
  test.each(Object.keys(SAID))('%s, repeated, changes nothing', (name) => {
    const first = hear(at('Initiated'), report(said(name)), HEARING);
    const again = hear(first.session, report(said(name)), HEARING);
    expect(again.session).toBe(first.session);
    expect(again).toMatchObject({ statusEvents: [], tells: [], onIntent: null, onAttempt: null, entries: [] });
    expect(again.toMachine).toBe(isFinal(first.session.status) ? 'stop' : null);
  });

  test('an older number after a newer one changes nothing', () => {
    const later = hear(at('Initiated'), report(said('notification'), 5), HEARING).session;
    expect(hear(later, report(said('approved'), 4), HEARING).session).toBe(later);
  });

  test('one the state refuses is still counted, and the machine is told to stop', () => {
    const decision = hear(at('Captured'), report(said('notification'), 9), HEARING);
    expect(decision.session).toEqual({ ...at('Captured'), lastReport: 9 });
    expect(decision).toMatchObject({ toMachine: 'stop', notifications: [], tells: [] });
  });
});

describe('the machine confirms', () => {
  test('and the cardholder has ninety seconds from the creation', () => {
    const { session } = hear(at('InitiateRequested'), report(said('confirmed')), HEARING);
    expect([session.status, session.expireAt, session.updatedAt]).toEqual(['Initiated', past(90_000), past(5_000)]);
  });

  test('too late, though no timer has come by: the session expires and the machine is asked to end', () => {
    const decision = hear(at('InitiateRequested'), report(said('confirmed')), { ...HEARING, now: past(10_000) });
    expect([decision.statusEvents, decision.toMachine]).toEqual([['Expired'], 'cancel']);
    expect(decision.onAttempt?.kind).toBe('uncertain');
  });

  test('after it was to be cancelled: it is asked again', () => {
    const decision = hear(at('CancelRequested'), report(said('confirmed')), HEARING);
    expect([decision.session.status, decision.toMachine]).toEqual(['CancelRequested', 'cancel']);
  });
});

describe('notifications', () => {
  test('say when a card is in: from then on a cancel call is too late', () => {
    const presenting = NOTIFICATION_TYPES.filter(
      (notificationType) =>
        hear(at('Initiated'), report({ kind: 'notification', notificationType }), HEARING).session.cardPresented,
    );
    expect(presenting).toEqual(['Approved', 'Declined', 'EnterPin', 'PleaseWait', 'RemoveCard']);
  });

  test('are told one by one and do not count as a status', () => {
    const before = at('Initiated');
    const decision = hear(before, report({ kind: 'notification', notificationType: 'EnterPin' }), HEARING);
    expect(decision.notifications).toEqual(['EnterPin']);
    expect(decision.tells).toEqual([{ kind: 'terminal_session.notification', state: 'EnterPin' }]);
    expect([decision.statusEvents, decision.session.updatedAt]).toEqual([[], before.updatedAt]);
    const next = hear(decision.session, report({ kind: 'notification', notificationType: 'PresentCard' }, 3), HEARING);
    expect(next.session.cardPresented).toBe(true);
  });
});

describe('a result after the session expired', () => {
  test('is taken while the attempt is open, and the session stays Expired', () => {
    const { session, onIntent, onAttempt, statusEvents, tells } = hear(
      at('Expired'),
      report(said('approved')),
      HEARING,
    );
    expect([session.status, onIntent?.kind, onAttempt?.kind]).toEqual(['Expired', 'approve', 'settled']);
    expect([statusEvents, tells]).toEqual([[], []]);
    expect(session.paymentDetails).toEqual({ cardScheme: 'VISA', maskedPan: '************1096', authCode: '204711' });
    expect(session.customerReceipt).not.toBeNull();
  });

  test('needs no signature any more: nobody waits for it', () => {
    const { session, onIntent } = hear(at('Expired'), report(said('approved, to be signed')), HEARING);
    expect([session.status, onIntent?.kind]).toEqual(['Expired', 'approve']);
  });

  test.each(['approved', 'approved, to be signed', 'approved, other amount', 'declined', 'canceled', 'unable'])(
    '%s, once the reversal is written, moves nothing',
    (name) => {
      const decision = hear(at('Expired'), report(said(name)), OVER);
      expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], toMachine: 'stop' });
    },
  );

  test.each([
    ['approved', 'settleRefund'],
    ['declined', 'freeRefund'],
    ['canceled', 'freeRefund'],
  ])('of a refund: %s means %s', (name, kind) => {
    expect(hear(at('Expired', 'MatchedRefund'), report(said(name)), HEARING).onIntent?.kind).toBe(kind);
  });
});

describe('an approval that cannot be right is undone rather than believed', () => {
  test('over another amount: the session is Declined and the intent stays payable', () => {
    const decision = hear(at('Initiated'), report(said('approved, other amount')), HEARING);
    expect(decision.statusEvents).toEqual(['Declined']);
    expect(decision.onIntent).toMatchObject({ kind: 'decline', decline: { message: 'FAILED' } });
    expect(decision.onAttempt?.kind).toBe('undo');
  });

  test.each(['Canceled', 'Declined'] as const)('after the machine had said %s', (status) => {
    const decision = hear(at(status), report(said('approved')), HEARING);
    expect([decision.session.status, decision.onIntent, decision.onAttempt?.kind]).toEqual([status, null, 'undo']);
  });

  test.each(['Captured', 'Authorized', 'SignatureVerificationRequired'] as const)(
    'but the one that was taken is never undone by a second report: %s',
    (status) => {
      const taken = { ...at(status), approval: approvalOf(gbp(2000)) };
      for (const name of ['approved', 'approved, other amount']) {
        expect(hear(taken, report(said(name)), HEARING)).toMatchObject({ onIntent: null, onAttempt: null });
      }
    },
  );

  test('a refund over another amount stays open: nobody can take money back from a card', () => {
    const decision = hear(at('Initiated', 'MatchedRefund'), report(said('approved, other amount')), HEARING);
    expect(decision).toMatchObject({ statusEvents: [], onIntent: null, onAttempt: null });
  });
});

describe('a refund that is approved though it had ended without money', () => {
  const REFUNDS = ['MatchedRefund', 'UnlinkedRefund'] as const;

  test.each(
    REFUNDS.flatMap((type) => [
      [type, 'Canceled', HEARING] as const,
      [type, 'Declined', HEARING] as const,
      [type, 'Expired', OVER] as const,
    ]),
  )('a %s that is %s is booked: the money has left', (sessionType, status, hearing) => {
    const decision = hear(at(status, sessionType), report(said('approved')), hearing);
    const { session, onIntent, entries, onAttempt, statusEvents, alarm } = decision;
    expect([session.status, statusEvents, session.approval?.authCode]).toEqual([status, [], '204711']);
    expect(onIntent?.kind ?? entries[0]?.kind).toBe(sessionType === 'MatchedRefund' ? 'settleFreedRefund' : 'refund');
    expect([onAttempt?.kind, alarm]).toEqual(['corrected', null]);
    // And once only.
    const again = hear(session, report(said('approved'), 3), hearing);
    expect(again).toMatchObject({ onIntent: null, entries: [], onAttempt: null, alarm: null });
  });

  test.each(['Canceled', 'Declined', 'Expired'] as const)('%s, and the payment has no room: an alarm', (status) => {
    const noRoom: Hearing = { ...OVER, endedRefund: 'noRoom' };
    const decision = hear(at(status, 'MatchedRefund'), report(said('approved')), noRoom);
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], session: { approval: null } });
    expect(decision.alarm).toMatchObject({ kind: 'MachineApprovalNotBooked', details: { amount: 2000, total: 2000 } });
  });

  test('an operator has booked it already: nothing', () => {
    const booked: Hearing = { ...OVER, endedRefund: 'booked' };
    const decision = hear(at('Expired', 'MatchedRefund'), report(said('approved')), booked);
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [], alarm: null });
  });

  test.each(['Initiated', 'Canceled', 'Declined', 'Expired'] as const)(
    '%s, over another amount: an alarm',
    (status) => {
      for (const sessionType of REFUNDS) {
        const decision = hear(at(status, sessionType), report(said('approved, other amount')), HEARING);
        expect(decision).toMatchObject({ onIntent: null, onAttempt: null, entries: [] });
        expect(decision.alarm).toMatchObject({
          kind: 'MachineApprovalNotBooked',
          details: { amount: 2001, total: 2000 },
        });
      }
    },
  );
});

describe('a machine that does not know the session', () => {
  const unknown = said('unknown session');

  test('is noted of an expired one, whatever number it had come to, and once', () => {
    const expired = { ...at('Expired', 'MatchedRefund'), lastReport: 5 };
    const { session, ...decision } = hear(expired, report(unknown, 1), HEARING);
    expect(session).toEqual({ ...expired, isUnknownToMachine: true });
    expect(decision).toMatchObject({ onIntent: null, onAttempt: null, toMachine: 'cancel' });
    expect(hear(session, report(unknown, 1), HEARING).session).toBe(session);
  });

  test('has not begun what it was told to cancel and never confirmed', () => {
    const decision = hear({ ...at('CancelRequested', 'MatchedRefund'), lastReport: 0 }, report(unknown, 1), HEARING);
    expect([decision.session.status, decision.onIntent?.kind, decision.onAttempt?.kind]).toEqual([
      ...['Canceled', 'freeRefund', 'canceled'],
    ]);
  });

  test.each(['canceled', 'unable'])('%s of it then proves nothing: it may have lost its memory', (name) => {
    const session = { ...at('Expired', 'MatchedRefund'), isUnknownToMachine: true };
    expect(hear(session, report(said(name)), HEARING)).toMatchObject({ onIntent: null, onAttempt: null });
  });

  test.each(SESSION_STATUSES.filter((status) => status !== 'Expired'))('%s, once confirmed: nothing', (status) => {
    const session = at(status, 'MatchedRefund');
    const confirmed = { ...session, lastReport: 1 };
    expect(hear(confirmed, report(unknown, 1), HEARING).session).toBe(confirmed);
  });
});

test('a refund of no known sale is booked on the session itself', () => {
  const { entries, onIntent } = hear(at('Initiated', 'UnlinkedRefund'), report(said('approved')), HEARING);
  expect([entries.map(({ kind }) => kind), onIntent]).toEqual([['refund'], null]);
});

type Act = (session: TerminalSession, ms: number, isAttemptOpen: boolean) => SessionDecision | null;
const ACTS: Record<string, Act> = {
  cancel: (session, ms) =>
    session.cardPresented || isFinal(session.status) ? null : quietly(() => requestCancel(session, past(ms))),
  accept: (session, ms) => quietly(() => decideSignature(session, true, { ...HEARING, now: past(ms) })),
  reject: (session, ms) => quietly(() => decideSignature(session, false, { ...HEARING, now: past(ms) })),
  'time passes': (session, ms) => passTime(session, { now: past(ms), heading: HEADING }),
  ...Object.fromEntries(
    Object.entries(SAID).map(([name, each]): [string, Act] => [
      name,
      (session, ms, isAttemptOpen) =>
        hear(session, report(each, session.lastReport + 1), { ...HEARING, now: past(ms), isAttemptOpen }),
    ]),
  ),
};

test('whatever happens in whatever order, money moves once at most and every status is told once', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.integer({ min: 0, max: 60_000 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.constantFrom(...SESSION_TYPES), acts, (sessionType, course) => {
      let session = createdSession(sessionType);
      let ms = 0;
      let isAttemptOpen = true;
      const moved: string[] = [];
      for (const [name, later] of course) {
        ms += later;
        const act = ACTS[name];
        const decision = act === undefined ? null : act(session, ms, isAttemptOpen);
        if (decision === null) continue;
        // What the transaction would see: a settled, refused or undone attempt is not open any more.
        const ends =
          decision.onAttempt !== null && ['settled', 'undo', 'declined', 'canceled'].includes(decision.onAttempt.kind);
        if (ends) isAttemptOpen = false;
        // What was freed because nothing had moved may be booked after all.
        if (decision.onIntent?.kind === 'settleFreedRefund') expect(moved.pop()).toBe('freeRefund');
        if (decision.onIntent !== null || decision.entries.length > 0) moved.push(decision.onIntent?.kind ?? 'entry');
        const statusTells = decision.tells.filter(({ kind }) => kind === 'terminal_session.status_updated');
        expect(statusTells.map(({ state }) => state)).toEqual(decision.statusEvents);
        expect(decision.session.status).toBe(decision.statusEvents.at(-1) ?? session.status);
        if (isFinal(session.status)) expect(decision.session.status).toBe(session.status);
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
  return { ...createdSession(sessionType), status, expireAt: past(isNew ? 10_000 : 90_000), lastReport: isNew ? 0 : 1 };
}

function said(name: string): Said {
  return SAID[name]!;
}

function report(each: Said, number = 2): MachineReport {
  return { ...each, number };
}

function told({ session, statusEvents, onIntent, onAttempt, entries, toMachine }: SessionDecision): string {
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
