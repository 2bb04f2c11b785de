import { type AcquirerCall, isOpenTooLong, newCall, settled } from './acquirer-call.js';
import { ACQUIRER_ERROR_STATUSES, type AcquirerErrorStatus, meaningOfStatus } from './acquirer-status.js';
import {
  answerOfBooking,
  confirmRefusal,
  contradictionOf,
  judgeRefusedReversal,
  misstatedAmount,
  needsInquiry,
  verdictOf,
} from './acquirer-verdict.js';
import { required } from './assert.js';
import type { Approval } from './card.js';
import { add, money } from './money.js';
import type { AcquirerAnswer, AcquirerBooking } from './ports.js';
import { type Edge, walk } from './state-walk.js';

/** What decides about an answer of the acquirer; a test puts a wrong rule in its place. */
export const CALL_RULES = {
  ...{ meaningOfStatus, needsInquiry, confirmRefusal, verdictOf },
  ...{ judgeRefusedReversal, misstatedAmount, contradictionOf, isOpenTooLong, answerOfBooking },
};
export type CallRules = typeof CALL_RULES;

/** `Reverse` is the reversal of an authorisation that was given up; the others move money of a payment. */
export const EXPLORED_KINDS = ['Increase', 'Capture', 'Refund', 'Reverse'] as const;
export type ExploredKind = (typeof EXPLORED_KINDS)[number];

/** What the acquirer may answer to a call: an outcome, an error status before or after booking, a lie, or nothing. */
export type Reply =
  'approved' | 'declined' | 'silent' | 'misstated' | AcquirerErrorStatus | `booked ${AcquirerErrorStatus}`;

/** Which replies there are, and where every way has to lead: the call has ended, or an operator was alarmed. */
export interface CallVariant {
  readonly kind: ExploredKind;
  readonly replies: readonly Reply[];
  /** Whether an operator has a call settled by the acquirer's list once it is late; a way that must not be the only one. */
  readonly hasList: boolean;
  readonly ends: 'settled' | 'alarmed';
}

/** How one call stands with us and at the acquirer. */
interface Side {
  readonly ours: 'open' | 'done' | 'refused';
  readonly isBooked: boolean;
  /** The acquirer has refused the reference: what arrives under it later is not booked. */
  readonly isJudged: boolean;
  /** A call without an answer may still be on its way. */
  readonly isLost: boolean;
}

interface Node {
  readonly call: Side;
  /** Of a given-up authorisation: whether the acquirer has its money, and the refund in place of its reversal. */
  readonly isTaken: boolean;
  readonly refund: Side | null;
  readonly isClosed: boolean;
  readonly isLate: boolean;
  readonly alarms: readonly string[];
}

const AMOUNT = money(1_500, 'GBP');
const DEADLINE = new Date('2026-03-01T12:00:00Z');
const LATE = { pendingMs: 300_000, databaseNow: new Date(DEADLINE.getTime() + 300_000) };
const NEW: Side = { ours: 'open', isBooked: false, isJudged: false, isLost: false };

/**
 * Walks every state that a call to the acquirer can reach: it is asked and repeated, books before or after any error status,
 * refuses, loses answers, hears calls late, answers twice and contradicts itself; inquiries tell the truth or nothing, and
 * its list may show another amount than it answers. A given-up authorisation is reversed, or refunded where its reversal is refused. Returns what must never be and was.
 */
export function exploreCall(rules: CallRules, variant: CallVariant): { states: number; violations: readonly string[] } {
  const { nodes, violations } = walk<Node>({
    first: { call: NEW, isTaken: variant.kind === 'Reverse', refund: null, isClosed: false, isLate: false, alarms: [] },
    keyOf: (node) => JSON.stringify(node),
    edgesOf: (node) => edgesOf({ rules, variant }, node),
    isEnd: (node) => isEnd(variant, node),
    problemsOf: (node) => problemsOf(variant, node),
    edgeProblemsOf: edgeProblemsOf(variant),
  });
  return { states: nodes.length, violations };
}

interface Place {
  readonly rules: CallRules;
  readonly variant: CallVariant;
}

function isEnd({ kind, ends }: CallVariant, node: Node): boolean {
  if (node.alarms.length > 0 && ends === 'alarmed') return true;
  return kind === 'Reverse' ? node.isClosed : node.call.ours !== 'open';
}

function problemsOf({ kind }: CallVariant, { call, refund, isTaken, isClosed, alarms }: Node): string[] {
  const isReturned = call.isBooked || refund?.isBooked === true;
  const isRefundRefused = refund?.ours === 'refused' && !alarms.includes('not returned');
  const rules: Record<string, boolean> = {
    'settled as done, and nothing is booked': call.ours === 'done' && !call.isBooked,
    'freed, and the acquirer has booked it': kind !== 'Reverse' && call.ours === 'refused' && call.isBooked,
    'the money of the payer is kept silently': (isClosed && isTaken && !isReturned) || isRefundRefused,
    'returned twice': isTaken && call.isBooked && refund?.isBooked === true,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function edgeProblemsOf({ kind }: CallVariant): (from: Node, edge: Edge<Node>) => string[] {
  return (from, { name, to }) => {
    const isSilent = name.startsWith('second') && !to.alarms.includes('contradiction');
    const isMisled = kind !== 'Reverse' && name.includes('misstated') && to.call.ours === 'done';
    return [
      ...(isSilent ? ['a second answer contradicts the first without an alarm'] : []),
      ...(isMisled && from.call.ours === 'open' ? ['settled by an answer over another amount'] : []),
    ];
  };
}

function edgesOf(place: Place, node: Node): Edge<Node>[] {
  const { kind, hasList } = place.variant;
  const { call, refund } = node;
  const about = (side: Side, of: ExploredKind, write: (next: Side, more: Partial<Node>) => Node): Edge<Node>[] => [
    ...(side.ours === 'open' ? askedEdges(place, { node, side, of, write }) : secondAnswers(place, { node, side, of })),
    ...(side.ours === 'open' && node.isLate && hasList ? listedEdges(place, { node, side, of, write }) : []),
    ...(side.isLost && !side.isBooked && !side.isJudged
      ? [{ name: `${of} arrives late`, to: write({ ...side, isBooked: true, isLost: false }, {}) }]
      : []),
  ];
  const edges = node.isClosed ? [] : about(call, kind, (next, more) => ({ ...node, ...more, call: next }));
  if (refund !== null && !node.isClosed) {
    edges.push(...about(refund, 'Refund', (next, more) => ({ ...node, ...more, refund: next })));
  }
  if (!node.isLate) edges.push({ name: 'time passes', to: passTime(place, node) });
  return edges;
}

function passTime({ rules }: Place, node: Node): Node {
  const isAlarmed = node.call.ours === 'open' && rules.isOpenTooLong({ state: 'Prepared', deadlineAt: DEADLINE }, LATE);
  return { ...node, isLate: true, alarms: isAlarmed ? alarmed(node, 'open') : node.alarms };
}

interface Asking {
  readonly node: Node;
  readonly side: Side;
  readonly of: ExploredKind;
  readonly write: (next: Side, more: Partial<Node>) => Node;
}

/** The call is sent, for the first time or again: every reply, and after it every inquiry that there may be. */
function askedEdges(place: Place, asking: Asking): Edge<Node>[] {
  const { rules } = place;
  const { side, of } = asking;
  return place.variant.replies.flatMap((reply) => {
    const heard = heardOf(rules, { side, of, reply });
    if (heard === null) return [];
    const { answer, world } = heard;
    const inquiries = rules.needsInquiry(answer) ? inquiriesOf(world, of) : [answer];
    return inquiries.flatMap((inquired) => {
      const final = rules.needsInquiry(answer) ? rules.confirmRefusal(answer, inquired) : answer;
      const name = `${of} answered ${reply}, then ${inquired.outcome}`;
      return settledEdges(place, { ...asking, side: world }, { name, answer: final });
    });
  });
}

/** An operator has an open call settled by the line of the acquirer's list. */
function listedEdges(place: Place, asking: Asking): Edge<Node>[] {
  const { side, of } = asking;
  const line = (status: AcquirerBooking['status'], more = 0): AcquirerAnswer =>
    place.rules.answerOfBooking(callOf(of), {
      ...{ reference: 'r', originalReference: 'a', kind: of, status, bookedAt: DEADLINE },
      amount: add(AMOUNT, money(more, 'GBP')),
    });
  const lines: readonly (readonly [string, AcquirerAnswer])[] = [
    ...(side.isBooked ? ([['as booked', line('booked')]] as const) : []),
    ...(side.isBooked && of !== 'Reverse' ? ([['as misstated', line('booked', 1)]] as const) : []),
    ...(side.isJudged && !side.isBooked ? ([['as declined', line('declined')]] as const) : []),
  ];
  return lines.flatMap(([how, answer]) => settledEdges(place, asking, { name: `${of} listed ${how}`, answer }));
}

/** What a reply is heard as, and what it does at the acquirer; null where the acquirer cannot reply so any more. */
function heardOf(
  rules: CallRules,
  { side, of, reply }: { readonly side: Side; readonly of: ExploredKind; readonly reply: Reply },
): { readonly answer: AcquirerAnswer; readonly world: Side } | null {
  const booked: Side = { ...side, isBooked: true, isLost: false };
  if (reply === 'approved') return side.isJudged ? null : { answer: doneOf(of), world: booked };
  if (reply === 'misstated') return side.isJudged ? null : { answer: doneOf(of, 1), world: booked };
  if (reply === 'declined') return side.isBooked ? null : { answer: DECLINED, world: { ...side, isJudged: true } };
  if (reply === 'silent') return { answer: SILENCE, world: { ...side, isLost: true } };
  const isBooking = reply.startsWith('booked ');
  const status = required(
    ACQUIRER_ERROR_STATUSES.find((each) => reply === each || reply === `booked ${each}`),
    'the status of a reply',
  );
  const meaning = rules.meaningOfStatus(of, status);
  // The truth about the status, whatever the rules make of it.
  const isRefusal = meaningOfStatus(of, status) === 'refused';
  if (isBooking && side.isJudged) return null;
  const world = isBooking ? booked : isRefusal && !side.isBooked ? { ...side, isJudged: true } : side;
  return { answer: answerOf(meaning, status), world };
}

function answerOf(meaning: ReturnType<CallRules['meaningOfStatus']>, status: AcquirerErrorStatus): AcquirerAnswer {
  if (meaning === 'inquireFirst') return { outcome: 'alreadyExists' };
  if (meaning === 'refused' || meaning === 'accessRefused') return { outcome: meaning, status };
  return SILENCE;
}

/** An inquiry tells the truth, or that it does not know. */
function inquiriesOf({ isBooked }: Side, of: ExploredKind): AcquirerAnswer[] {
  return [isBooked ? doneOf(of) : { outcome: 'notFound' }, { outcome: 'inProgress' }, SILENCE];
}

function settledEdges(
  { rules }: Place,
  { node, side, of, write }: Asking,
  { name, answer }: { readonly name: string; readonly answer: AcquirerAnswer },
): Edge<Node>[] {
  const to = (next: Side, more: Partial<Node> = {}): Edge<Node>[] => [{ name, to: write(next, more) }];
  if (answer.outcome === 'accessRefused') return to(side, { alarms: alarmed(node, 'access') });
  const verdict = rules.verdictOf(of, answer);
  if (verdict === null) return to(side);
  if (verdict.isDone && of !== 'Reverse' && rules.misstatedAmount(AMOUNT, answer) !== null) {
    return to(side, { alarms: alarmed(node, 'contradiction') });
  }
  const isUndoRefund = of === 'Refund' && node.refund !== null;
  if (verdict.isDone) return to({ ...side, ours: 'done' }, { isClosed: of === 'Reverse' || isUndoRefund });
  if (of !== 'Reverse') {
    return to({ ...side, ours: 'refused' }, isUndoRefund ? { alarms: alarmed(node, 'not returned') } : {});
  }
  const refused: Side = { ...side, ours: 'refused' };
  return originalsOf(node.isTaken && !side.isBooked).flatMap((original) => {
    const judged = rules.judgeRefusedReversal(original);
    if (judged.kind === 'undecided') return to(side);
    return judged.kind === 'refund' ? to(refused, { refund: NEW }) : to(refused, { isClosed: true });
  });
}

/** What an inquiry of the authorisation says: the truth, or nothing. */
function originalsOf(isTaken: boolean): AcquirerAnswer[] {
  return [
    isTaken ? { outcome: 'approved', approval: APPROVAL } : { outcome: 'reversed' },
    SILENCE,
    { outcome: 'notFound' },
  ];
}

/** The answer to an earlier try arrives after the call has ended, and says otherwise. */
function secondAnswers({ rules }: Place, { node, side, of }: Pick<Asking, 'node' | 'side' | 'of'>): Edge<Node>[] {
  if (of === 'Reverse' && node.refund !== null) return [];
  const call: AcquirerCall = settled(callOf(of), side.ours === 'done' ? 'Approved' : 'Declined');
  const answer = side.ours === 'done' ? DECLINED : doneOf(of);
  const isAlarmed = rules.contradictionOf(call, answer) !== null;
  const alarms = isAlarmed ? alarmed(node, 'contradiction') : node.alarms;
  return [{ name: `second answer to ${of}`, to: { ...node, alarms } }];
}

function alarmed({ alarms }: Node, alarm: string): readonly string[] {
  return [...new Set([...alarms, alarm])].toSorted();
}

const APPROVAL: Approval = {
  ...{ reference: 'a', transactionId: 'tx', transactionDateTime: '', authCode: '1', amount: AMOUNT },
  card: {
    ...{ cardNumber: '************1014', last4PAN: '1014', cardName: null, expiryDate: null, cardType: 'VISA' },
    ...{ cardFundingType: 'Debit', entryMode: 'Unknown', verificationMethod: 'None' },
  },
  paymentMethodId: null,
  avsResult: 'NOT_CHECKED',
};
const SILENCE: AcquirerAnswer = { outcome: 'unknown', reason: 'silence' };
const DECLINED: AcquirerAnswer = {
  outcome: 'declined',
  decline: { reference: 'r', transactionId: '', transactionDateTime: '', message: 'DECLINED', card: null },
};

function doneOf(of: ExploredKind, more = 0): AcquirerAnswer {
  const amount = of === 'Reverse' ? null : add(AMOUNT, money(more, 'GBP'));
  return { outcome: 'done', transactionId: 'tx', transactionDateTime: '', amount };
}

function callOf(kind: ExploredKind): AcquirerCall {
  const about = { originalReference: 'a', paymentIntentId: null, terminalSessionId: null };
  return newCall({ reference: 'r', kind, ...about, amount: AMOUNT, deadlineAt: DEADLINE });
}
