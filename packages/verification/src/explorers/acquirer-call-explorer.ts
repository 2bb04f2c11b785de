import {
  ACQUIRER_ERROR_STATUSES,
  type AcquirerCall,
  type AcquirerErrorStatus,
  createAcquirerCall,
  findStatusMeaning,
  isOpenTooLong,
  concludeAcquirerCall,
} from '@pos/core/acquirer-calls';
import {
  type AcquirerAnswer,
  type AcquirerBooking,
  confirmRefusal,
  evaluateRefusedReversal,
  findAmountMismatch,
  findContradiction,
  findVerdict,
  needsInquiry,
  toAcquirerAnswer,
} from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import type { Approval } from '@pos/core/cards';
import { add, money } from '@pos/core/money';
import { type Edge, walkStates } from './state-walk.js';

/** The rules that decide about an answer of the acquirer; a test replaces one with a wrong one. */
export const CALL_RULES = {
  ...{ findStatusMeaning, needsInquiry, confirmRefusal, findVerdict },
  ...{ evaluateRefusedReversal, findAmountMismatch, findContradiction, isOpenTooLong, toAcquirerAnswer },
};
export type CallRules = typeof CALL_RULES;

/** `Reverse` is the reversal of an authorisation that was given up; the others move money of a payment. */
export const EXPLORED_KINDS = ['Increase', 'Capture', 'Refund', 'Reverse'] as const;
export type ExploredKind = (typeof EXPLORED_KINDS)[number];

/**
 * The acquirer's possible reply to a call: an outcome, an error status before or after booking, a false answer, or
 * nothing.
 */
export type Reply =
  | 'approved'
  | 'declined'
  | 'silent'
  | 'misstated'
  | AcquirerErrorStatus
  | `booked ${AcquirerErrorStatus}`;

/** The possible replies, and the required end of every path: the call has ended, or an operator was alarmed. */
export interface CallVariant {
  readonly kind: ExploredKind;
  readonly replies: readonly Reply[];
  /**
   * Whether an operator has a call concluded by the acquirer's list once it is late; this must not be the only path to
   * an end.
   */
  readonly hasList: boolean;
  readonly ends: 'settled' | 'alarmed';
}

/** The state of one call in our books and at the acquirer. */
interface Side {
  readonly ours: 'open' | 'done' | 'refused';
  readonly isBooked: boolean;
  /** The acquirer has refused the reference: a call that arrives later is not booked. */
  readonly isChecked: boolean;
  /** A call without an answer may still arrive. */
  readonly isLost: boolean;
}

interface Node {
  readonly call: Side;
  /** For a given-up authorisation: whether the acquirer has its money, and the refund in place of its reversal. */
  readonly isTaken: boolean;
  readonly refund: Side | null;
  readonly isClosed: boolean;
  readonly isLate: boolean;
  readonly alarms: readonly string[];
}

const AMOUNT = money(1_500, 'GBP');
const DEADLINE = new Date('2026-03-01T12:00:00Z');
const LATE = { pendingMs: 300_000, databaseNow: new Date(DEADLINE.getTime() + 300_000) };
const NEW: Side = { ours: 'open', isBooked: false, isChecked: false, isLost: false };

/**
 * Walks every state that a call to the acquirer can reach. The call is sent and repeated. The acquirer books before
 * or after any error status, refuses, loses answers, receives calls late, answers twice and contradicts itself.
 * Inquiries return the truth or nothing, and its list may contain another amount than its answer. A given-up
 * authorisation is reversed, or refunded if its reversal is refused. Returns the violations, each with its path.
 */
export function exploreCall(rules: CallRules, variant: CallVariant): { states: number; violations: readonly string[] } {
  const { nodes, violations } = walkStates<Node>({
    first: { call: NEW, isTaken: variant.kind === 'Reverse', refund: null, isClosed: false, isLate: false, alarms: [] },
    computeKey: (node) => JSON.stringify(node),
    listEdges: (node) => listEdges({ rules, variant }, node),
    isEnd: (node) => isEnd(variant, node),
    findProblems: (node) => findProblems(variant, node),
    findEdgeProblems: createEdgeCheck(variant),
  });
  return { states: nodes.length, violations };
}

interface ExplorerContext {
  readonly rules: CallRules;
  readonly variant: CallVariant;
}

function isEnd({ kind, ends }: CallVariant, node: Node): boolean {
  if (node.alarms.length > 0 && ends === 'alarmed') return true;
  return kind === 'Reverse' ? node.isClosed : node.call.ours !== 'open';
}

function findProblems({ kind }: CallVariant, { call, refund, isTaken, isClosed, alarms }: Node): string[] {
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

function createEdgeCheck({ kind }: CallVariant): (from: Node, edge: Edge<Node>) => string[] {
  return (from, { name, to }) => {
    const isSilent = name.startsWith('second') && !to.alarms.includes('contradiction');
    const isMisled = kind !== 'Reverse' && name.includes('misstated') && to.call.ours === 'done';
    return [
      ...(isSilent ? ['a second answer contradicts the first without an alarm'] : []),
      ...(isMisled && from.call.ours === 'open' ? ['settled by an answer over another amount'] : []),
    ];
  };
}

function listEdges(place: ExplorerContext, node: Node): Edge<Node>[] {
  const { kind, hasList } = place.variant;
  const { call, refund } = node;
  const about = (side: Side, of: ExploredKind, write: (next: Side, more: Partial<Node>) => Node): Edge<Node>[] => [
    ...(side.ours === 'open'
      ? listCallEdges(place, { node, side, of, write })
      : listLateAnswers(place, { node, side, of })),
    ...(side.ours === 'open' && node.isLate && hasList ? listSettlementEdges(place, { node, side, of, write }) : []),
    ...(side.isLost && !side.isBooked && !side.isChecked
      ? [{ name: `${of} arrives late`, to: write({ ...side, isBooked: true, isLost: false }, {}) }]
      : []),
  ];
  const edges = node.isClosed ? [] : about(call, kind, (next, more) => ({ ...node, ...more, call: next }));
  if (refund !== null && !node.isClosed) {
    edges.push(...about(refund, 'Refund', (next, more) => ({ ...node, ...more, refund: next })));
  }
  if (!node.isLate) edges.push({ name: 'time passes', to: advanceTime(place, node) });
  return edges;
}

function advanceTime({ rules }: ExplorerContext, node: Node): Node {
  const isAlarmed = node.call.ours === 'open' && rules.isOpenTooLong({ state: 'Prepared', deadlineAt: DEADLINE }, LATE);
  return { ...node, isLate: true, alarms: isAlarmed ? addAlarm(node, 'open') : node.alarms };
}

interface CallRequest {
  readonly node: Node;
  readonly side: Side;
  readonly of: ExploredKind;
  readonly write: (next: Side, more: Partial<Node>) => Node;
}

/** The call is sent, for the first time or again: every reply, each followed by every possible inquiry. */
function listCallEdges(place: ExplorerContext, asking: CallRequest): Edge<Node>[] {
  const { rules } = place;
  const { side, of } = asking;
  return place.variant.replies.flatMap((reply) => {
    const received = applyReply(rules, { side, of, reply });
    if (received === null) return [];
    const { answer, world } = received;
    const inquiries = rules.needsInquiry(answer) ? listInquiryAnswers(world, of) : [answer];
    return inquiries.flatMap((inquired) => {
      const final = rules.needsInquiry(answer) ? rules.confirmRefusal(answer, inquired) : answer;
      const name = `${of} answered ${reply}, then ${inquired.outcome}`;
      return listSettledEdges(place, { ...asking, side: world }, { name, answer: final });
    });
  });
}

/** An operator has an open call concluded by its line in the acquirer's list. */
function listSettlementEdges(place: ExplorerContext, asking: CallRequest): Edge<Node>[] {
  const { side, of } = asking;
  const line = (status: AcquirerBooking['status'], more = 0): AcquirerAnswer =>
    place.rules.toAcquirerAnswer(getCall(of), {
      ...{ reference: 'r', originalReference: 'a', kind: of, status, bookedAt: DEADLINE },
      ...{ transactionId: '', tid: '' },
      amount: add(AMOUNT, money(more, 'GBP')),
    });
  const lines: readonly (readonly [string, AcquirerAnswer])[] = [
    ...(side.isBooked ? ([['as booked', line('booked')]] as const) : []),
    ...(side.isBooked && of !== 'Reverse' ? ([['as misstated', line('booked', 1)]] as const) : []),
    ...(side.isChecked && !side.isBooked ? ([['as declined', line('declined')]] as const) : []),
  ];
  return lines.flatMap(([how, answer]) => listSettledEdges(place, asking, { name: `${of} listed ${how}`, answer }));
}

/**
 * The answer that we read from a reply, and its effect at the acquirer; null if the acquirer cannot reply so any
 * more.
 */
function applyReply(
  rules: CallRules,
  { side, of, reply }: { readonly side: Side; readonly of: ExploredKind; readonly reply: Reply },
): { readonly answer: AcquirerAnswer; readonly world: Side } | null {
  const booked: Side = { ...side, isBooked: true, isLost: false };
  if (reply === 'approved') return side.isChecked ? null : { answer: createDoneAnswer(of), world: booked };
  if (reply === 'misstated') return side.isChecked ? null : { answer: createDoneAnswer(of, 1), world: booked };
  if (reply === 'declined') return side.isBooked ? null : { answer: DECLINED, world: { ...side, isChecked: true } };
  if (reply === 'silent') return { answer: SILENCE, world: { ...side, isLost: true } };
  const isBooking = reply.startsWith('booked ');
  const status = requireValue(
    ACQUIRER_ERROR_STATUSES.find((each) => reply === each || reply === `booked ${each}`),
    'the status of a reply',
  );
  const meaning = rules.findStatusMeaning(of, status);
  // The real meaning of the status, independent of the rules under test.
  const isRefusal = findStatusMeaning(of, status) === 'refused';
  if (isBooking && side.isChecked) return null;
  const world = isBooking ? booked : isRefusal && !side.isBooked ? { ...side, isChecked: true } : side;
  return { answer: toAnswer(meaning, status), world };
}

function toAnswer(meaning: ReturnType<CallRules['findStatusMeaning']>, status: AcquirerErrorStatus): AcquirerAnswer {
  if (meaning === 'inquireFirst') return { outcome: 'alreadyExists' };
  if (meaning === 'refused' || meaning === 'accessRefused') return { outcome: meaning, status };
  return SILENCE;
}

/** An inquiry returns the truth, or that the result is unknown. */
function listInquiryAnswers({ isBooked }: Side, of: ExploredKind): AcquirerAnswer[] {
  return [isBooked ? createDoneAnswer(of) : { outcome: 'notFound' }, { outcome: 'inProgress' }, SILENCE];
}

function listSettledEdges(
  { rules }: ExplorerContext,
  { node, side, of, write }: CallRequest,
  { name, answer }: { readonly name: string; readonly answer: AcquirerAnswer },
): Edge<Node>[] {
  const to = (next: Side, more: Partial<Node> = {}): Edge<Node>[] => [{ name, to: write(next, more) }];
  if (answer.outcome === 'accessRefused') return to(side, { alarms: addAlarm(node, 'access') });
  const verdict = rules.findVerdict(of, answer);
  if (verdict === null) return to(side);
  if (verdict.isDone && of !== 'Reverse' && rules.findAmountMismatch(AMOUNT, answer) !== null) {
    return to(side, { alarms: addAlarm(node, 'contradiction') });
  }
  const isUndoRefund = of === 'Refund' && node.refund !== null;
  if (verdict.isDone) return to({ ...side, ours: 'done' }, { isClosed: of === 'Reverse' || isUndoRefund });
  if (of !== 'Reverse') {
    return to({ ...side, ours: 'refused' }, isUndoRefund ? { alarms: addAlarm(node, 'not returned') } : {});
  }
  const refused: Side = { ...side, ours: 'refused' };
  return listOriginalAnswers(node.isTaken && !side.isBooked).flatMap((original) => {
    const checked = rules.evaluateRefusedReversal(original, { isNotFoundFinal: false });
    if (checked.kind === 'undecided') return to(side);
    return checked.kind === 'refund' ? to(refused, { refund: NEW }) : to(refused, { isClosed: true });
  });
}

/** The inquiry of the authorisation returns the truth, or nothing. */
function listOriginalAnswers(isTaken: boolean): AcquirerAnswer[] {
  return [
    isTaken ? { outcome: 'approved', approval: APPROVAL } : { outcome: 'reversed' },
    SILENCE,
    { outcome: 'notFound' },
  ];
}

/** The answer to an earlier try arrives after the call has ended, and differs. */
function listLateAnswers(
  { rules }: ExplorerContext,
  { node, side, of }: Pick<CallRequest, 'node' | 'side' | 'of'>,
): Edge<Node>[] {
  if (of === 'Reverse' && node.refund !== null) return [];
  const call: AcquirerCall = concludeAcquirerCall(getCall(of), side.ours === 'done' ? 'Approved' : 'Declined');
  const answer = side.ours === 'done' ? DECLINED : createDoneAnswer(of);
  const isAlarmed = rules.findContradiction(call, answer) !== null;
  const alarms = isAlarmed ? addAlarm(node, 'contradiction') : node.alarms;
  return [{ name: `second answer to ${of}`, to: { ...node, alarms } }];
}

function addAlarm({ alarms }: Node, alarm: string): readonly string[] {
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

function createDoneAnswer(of: ExploredKind, more = 0): AcquirerAnswer {
  const amount = of === 'Reverse' ? null : add(AMOUNT, money(more, 'GBP'));
  return { outcome: 'done', transactionId: 'tx', transactionDateTime: '', amount };
}

function getCall(kind: ExploredKind): AcquirerCall {
  const about = {
    acquirer: 'default',
    merchantId: 'M-1',
    originalReference: 'a',
    paymentIntentId: null,
    terminalSessionId: null,
  };
  return createAcquirerCall({ reference: 'r', kind, ...about, amount: AMOUNT, deadlineAt: DEADLINE });
}
