import { describe, expect, test } from '@jest/globals';
import { Defect } from '../refusals/assert.js';
import { type ReportContext, applyReport, type MachineReport } from './machine-report.js';
import { decideSignature, applyWindowEnd } from './session-outcome.js';
import {
  createSession,
  isSessionFinal,
  requestCancel,
  SESSION_MOVES,
  SESSION_STATUSES,
  SESSION_WINDOWS,
  type TerminalSession,
} from './terminal-session.js';
import {
  createApproval,
  buildSession,
  gbp,
  HEADING,
  NOON,
  getOutcome,
  createPastDate,
  formatMoves,
  createSessionRequest,
} from '../testing/builders.js';

const HEARING: ReportContext = {
  now: createPastDate(5_000),
  heading: HEADING,
  windows: SESSION_WINDOWS,
  isAttemptOpen: true,
  endedCall: 'bookable',
  paidCard: null,
};

test('the whole state machine has these moves', () => {
  expect(formatMoves(SESSION_MOVES)).toMatchInlineSnapshot(`
   "InitiateRequested             confirm → Initiated, requestCancel → CancelRequested, unable → Canceled, expire → Expired
   Initiated                     take → Captured, hold → Authorized, askSignature → SignatureVerificationRequired, decline → Declined, requestCancel → CancelRequested, canceled → Canceled, unable → Canceled, expire → Expired
   CancelRequested               take → Captured, hold → Authorized, askSignature → SignatureVerificationRequired, decline → Declined, requestCancel → CancelRequested, canceled → Canceled, unable → Canceled, expire → Expired
   SignatureVerificationRequired accept → SignatureVerificationAccepted, reject → SignatureVerificationRejected
   SignatureVerificationAccepted take → Captured, hold → Authorized
   SignatureVerificationRejected (final)
   Authorized                    (final)
   Captured                      (final)
   Canceled                      (final)
   Declined                      (final)
   Expired                       (final)"
  `);
});

test('six states are final', () => {
  expect(SESSION_STATUSES.filter(isSessionFinal).sort()).toEqual([
    'Authorized',
    'Canceled',
    'Captured',
    'Declined',
    'Expired',
    'SignatureVerificationRejected',
  ]);
});

describe('a new session', () => {
  test('orders the machine to begin within ten seconds, and publishes its creation', () => {
    const { session, statusEvents, webhookEvents } = createSession(createSessionRequest());
    expect(session).toMatchObject({ status: 'InitiateRequested', expireAt: createPastDate(10_000), lastReport: 0 });
    expect(session.total).toEqual(gbp(2000));
    expect(statusEvents).toEqual(['InitiateRequested']);
    expect(webhookEvents).toEqual([{ kind: 'terminal_session.created', state: 'InitiateRequested' }]);
  });

  test.each([
    ['a sale of no intent', createSessionRequest('Sale', { paymentIntentId: null })],
    ['an unlinked refund of an intent', createSessionRequest('UnlinkedRefund', { paymentIntentId: 'pi_sandbox_x' })],
    ['a refund that is only held', createSessionRequest('MatchedRefund', { capture: false })],
  ])('%s is a defect', (_, request) => {
    expect(() => createSession(request)).toThrow(Defect);
  });
});

describe('a cancel call', () => {
  test.each<[string, TerminalSession, string]>([
    ['before the machine confirmed', at('InitiateRequested'), 'CancelRequested'],
    ['while a card is requested', at('Initiated'), 'CancelRequested'],
    ['again', at('CancelRequested'), 'CancelRequested'],
    ['once a card is in', { ...at('Initiated'), cardPresented: true }, 'terminal_session_not_cancelable'],
    ['once a card is in, again', { ...at('CancelRequested'), cardPresented: true }, 'terminal_session_not_cancelable'],
    ['while a signature is checked', at('SignatureVerificationRequired'), 'terminal_session_not_cancelable'],
    ['of a taken payment', at('Captured'), 'terminal_session_not_cancelable'],
    ['of a held payment', at('Authorized'), 'terminal_session_not_cancelable'],
    ['of a declined card', at('Declined'), 'terminal_session_not_cancelable'],
    ['of a cancelled session', at('Canceled'), 'terminal_session_not_cancelable'],
    ['of an expired session', at('Expired'), 'terminal_session_not_cancelable'],
    ['of a rejected signature', at('SignatureVerificationRejected'), 'terminal_session_not_cancelable'],
  ])('%s: %s', (_, session, then) => {
    expect(
      getOutcome(
        () => requestCancel(session, NOON),
        (decision) => decision.session.status,
      ),
    ).toBe(then);
  });

  test('is published once, and the machine receives each order', () => {
    const first = requestCancel(at('Initiated'), createPastDate(1));
    const again = requestCancel(first.session, createPastDate(2));
    expect([first.toMachine, again.toMachine]).toEqual(['cancel', 'cancel']);
    expect([first.statusEvents, again.statusEvents]).toEqual([['CancelRequested'], []]);
    expect(again.session).toEqual(first.session);
  });
});

describe('a signature', () => {
  const signing = applyReport(at('Initiated'), approved({ isSignatureRequired: true }), HEARING).session;

  test.each(SESSION_STATUSES.filter((status) => status !== 'SignatureVerificationRequired'))(
    'is not decided while the session is %s',
    (status) => {
      const session = { ...at(status), approval: createApproval(gbp(2000)) };
      expect(getOutcome(() => decideSignature(session, true, HEARING))).toBe('signature_not_awaited');
      expect(getOutcome(() => decideSignature(session, false, HEARING))).toBe('signature_not_awaited');
    },
  );

  test('is awaited for eighty seconds with the slip to be signed', () => {
    expect(signing).toMatchObject({ status: 'SignatureVerificationRequired', expireAt: createPastDate(85_000) });
    expect(signing.merchantReceipt?.lines.map(({ text }) => text?.value)).toContain(
      'Signature: ______________________',
    );
    expect(signing.customerReceipt).toBeNull();
  });

  test.each([
    [true, 'Captured'],
    [false, 'Authorized'],
  ])('accepted passes through its own state (captured at once: %s)', (capture, status) => {
    const decision = decideSignature({ ...signing, capture }, true, HEARING);
    expect(decision.statusEvents).toEqual(['SignatureVerificationAccepted', status]);
    expect(decision.webhookEvents.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'terminal_session.status_updated SignatureVerificationAccepted',
      `terminal_session.status_updated ${status}`,
    ]);
    expect(decision.onIntent?.kind).toBe('approve');
    expect(decision.onAttempt?.kind).toBe('settled');
    expect(decision.toMachine).toBe('signature');
    expect(decision.session).toMatchObject({ signatureDecision: 'Accepted', merchantReceipt: signing.merchantReceipt });
    expect(decision.session.customerReceipt).not.toBeNull();
  });

  test('rejected undoes the authorisation and leaves the customer without a copy', () => {
    const decision = decideSignature(signing, false, HEARING);
    expect(decision.session).toMatchObject({
      status: 'SignatureVerificationRejected',
      signatureDecision: 'Rejected',
      customerReceipt: null,
      merchantReceipt: signing.merchantReceipt,
    });
    expect([decision.onIntent?.kind, decision.onAttempt?.kind]).toEqual(['rejectSignature', 'undo']);
    expect(decision.toMachine).toBe('signature');
  });

  test('without a decision for eighty seconds is accepted, and not a moment earlier', () => {
    expect(applyWindowEnd(signing, { now: createPastDate(84_999), heading: HEADING })).toBeNull();
    const decision = applyWindowEnd(signing, { now: createPastDate(85_000), heading: HEADING });
    expect(decision?.session.status).toBe('Captured');
    expect(decision?.statusEvents).toEqual(['SignatureVerificationAccepted', 'Captured']);
  });
});

describe('time passes', () => {
  test.each<[string, TerminalSession, number, string | null, string | null]>([
    ['over an unconfirmed session', at('InitiateRequested'), 10_000, 'Expired', 'cancel'],
    ['not quite', at('InitiateRequested'), 9_999, null, null],
    ['over a running session', at('Initiated'), 90_000, 'Expired', 'cancel'],
    ['not quite', at('Initiated'), 89_999, null, null],
    ['over an unanswered cancel call', at('CancelRequested'), 90_000, 'Expired', 'cancel'],
    ['over a taken payment', at('Captured'), 200_000, null, null],
    ['over an expired session', at('Expired'), 200_000, null, null],
  ])('%s', (_, session, ms, status, toMachine) => {
    const decision = applyWindowEnd(session, { now: createPastDate(ms), heading: HEADING });
    expect([decision?.session.status ?? null, decision?.toMachine ?? null]).toEqual([status, toMachine]);
    if (decision !== null) expect(decision.onAttempt).toEqual({ kind: 'uncertain' });
    expect(decision?.onIntent ?? null).toBeNull();
  });
});

function at(status: TerminalSession['status']): TerminalSession {
  const expireAt = status === 'InitiateRequested' ? createPastDate(10_000) : createPastDate(90_000);
  return { ...buildSession(), status, expireAt, lastReport: status === 'InitiateRequested' ? 0 : 1 };
}

function approved({ isSignatureRequired = false } = {}): MachineReport {
  return { number: 2, kind: 'approved', approval: createApproval(gbp(2000)), isSignatureRequired };
}
