import {
  type AcquirerCall,
  applyCallMove,
  createAcquirerCall,
  isFirstAnswer,
  isOpen,
  isReversalDue,
  resendAuthorisation,
  REVERSAL_GRACE_MS,
  reverseCall,
  concludeAcquirerCall,
} from '@pos/core/acquirer-calls';
import { chargeOutcome, type ChargeOutcome } from '@pos/core/captures-refunds';
import type { Approval, Decline } from '@pos/core/cards';
import { money } from '@pos/core/money';
import { assert, Refusal, requireValue } from '@pos/core/refusals';
import { type Edge, walkStates } from './state-walk.js';

/** The rules that decide about a charge; a test replaces one with a wrong one. */
export const CHARGE_RULES = { isFirstAnswer, isOpen, isReversalDue, resendAuthorisation, chargeOutcome };
export type ChargeRules = typeof CHARGE_RULES;

/** `remembers`: the acquirer remembers the reversal of a reference that has not arrived. Otherwise it refuses it. */
export interface ChargeVariant {
  readonly remembers: boolean;
}

/** A charge message that has left and has not arrived. `timed`: the deadline of the row covers it. */
type InFlight = 'none' | 'timed' | 'untimed';

interface Charge {
  readonly call: AcquirerCall;
  /** The acquirer's side. `blocked`: the reversal came first, so nothing is booked any more. */
  readonly world: 'nothing' | 'booked' | 'declined' | 'returned' | 'blocked';
  readonly inFlight: InFlight;
}

/** A request between two of its steps. A crash may end it anywhere. */
interface Request {
  readonly at: number;
  readonly step: 'stored' | 'answered';
  readonly reply: Reply | null;
}

type Reply = 'approved' | 'declined' | 'refused' | 'silent';
type KeyAnswer = ChargeOutcome['status'] | null;

interface Node {
  /** The charge of the key, and one under another key after it. */
  readonly charges: readonly Charge[];
  readonly requests: readonly Request[];
  readonly keyAnswer: KeyAnswer;
  /** `due`: the reversal of an open charge is due. `final`: what was sent before its deadline cannot arrive any more. */
  readonly time: 'early' | 'due' | 'final';
}

const AMOUNT = money(1_500, 'GBP');
const DEADLINE = new Date('2026-03-01T12:00:00Z');
const NEXT_MS = 3_600_000;
const REQUESTS_MAX = 2;
const CHARGES_MAX = 2;

/**
 * Walks every state of a charge of a stored card under an idempotency key. Requests crash before the call and with the
 * answer. The acquirer books, declines, refuses by status, loses answers and receives messages late. Repeats of the key
 * continue, also beside a slow request. A worker inquires and orders the reversal, and another key charges again. Returns
 * the violations, each with its path.
 */
export function exploreCharge(
  rules: ChargeRules,
  variant: ChargeVariant,
): { readonly states: number; readonly violations: readonly string[] } {
  const { nodes, violations } = walkStates<Node>({
    first: { charges: [createCharge(0)], requests: [STORED], keyAnswer: null, time: 'early' },
    computeKey: (node) => JSON.stringify(node),
    listEdges: (node) => [
      ...listTimeEdges(node),
      ...node.requests.flatMap((request, index) => listRequestEdges(rules, node, { request, index })),
      ...listClientEdges(rules, node),
      ...node.charges.flatMap((_, at) => [
        ...listArrivalEdges(node, at),
        ...listWorkerEdges(rules, node, at),
        ...listReversalEdges(variant, node, at),
      ]),
    ],
    isEnd: ({ charges, requests, keyAnswer }) =>
      requests.length === 0 && keyAnswer !== null && charges.every(({ call }) => call.state === 'Settled'),
    findProblems,
    findEdgeProblems: (from, { name }) =>
      name.startsWith('send') && from.time !== 'early' ? ['sent although its reversal is due'] : [],
  });
  return { states: nodes.length, violations };
}

const STORED: Request = { at: 0, step: 'stored', reply: null };

function findProblems({ charges, keyAnswer }: Node): string[] {
  const [first] = charges;
  const isKept = (charge: Charge) => charge.world === 'booked' && charge.call.reverseReference === null;
  const isReversing = first?.call.reverseReference !== null;
  const rules: Record<string, boolean> = {
    'taken twice': charges.filter(isKept).length > 1,
    'two charges are open at once': charges.filter(({ call }) => isOpen(call)).length > 1,
    'ended without money, and the acquirer has it': charges.some(
      ({ call, world }) => call.state === 'Settled' && call.outcome !== 'Approved' && world === 'booked',
    ),
    'ended with money that the acquirer does not have': charges.some(
      ({ call, world }) => call.outcome === 'Approved' && world !== 'booked',
    ),
    'the key promises money that is not taken': keyAnswer === 'Successful' && first?.call.outcome !== 'Approved',
    'the key denies money that is kept':
      keyAnswer !== null && keyAnswer !== 'Successful' && first?.world === 'booked' && !isReversing,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

function listTimeEdges(node: Node): Edge<Node>[] {
  if (node.time === 'early') return [{ name: 'its reversal becomes due', to: { ...node, time: 'due' } }];
  // A message arrives within its time, so a slow request has ended by then.
  if (node.time === 'final' || node.requests.length > 0) return [];
  const charges = node.charges.map((charge) =>
    charge.inFlight === 'timed' ? { ...charge, inFlight: 'none' as const } : charge,
  );
  return [{ name: 'what was sent cannot arrive any more', to: { ...node, charges, time: 'final' } }];
}

/** A repeat of the key continues once the lease is over; another key charges again where the payment is not busy. */
function listClientEdges(rules: ChargeRules, node: Node): Edge<Node>[] {
  const { charges, requests, keyAnswer, time } = node;
  const edges: Edge<Node>[] = [];
  const [first] = charges;
  if (first !== undefined && keyAnswer === null && requests.length < REQUESTS_MAX) {
    const { call } = first;
    const deadlineAt = new Date(call.deadlineAt.getTime() + NEXT_MS);
    const now = computeNow(call, time);
    const resent = rules.resendAuthorisation(call, { createdAt: now, deadlineAt, databaseNow: now });
    if (resent === null) edges.push({ name: 'repeat reads the end', to: answerKey(rules, node, 0) });
    else {
      // The time of the model is relative to the deadline, so a later deadline is an earlier time.
      const isLonger = resent.deadlineAt > call.deadlineAt;
      const charge = {
        ...first,
        call: { ...resent, deadlineAt: call.deadlineAt },
        inFlight: markUntimed(first, isLonger),
      };
      const next = { ...replaceCharge(node, 0, charge), time: isLonger ? ('early' as const) : time };
      edges.push({ name: 'repeat of the key', to: { ...next, requests: [...requests, isLonger ? STORED : UNTIMED] } });
    }
  }
  const isBusy = charges.some(({ call }) => rules.isOpen(call));
  const isCaptured = charges.some(({ call }) => call.outcome === 'Approved');
  if (!isBusy && !isCaptured && charges.length < CHARGES_MAX && requests.length === 0) {
    const at = charges.length;
    const next: Node = { ...node, charges: [...charges, createCharge(at)], time: 'early' };
    edges.push({ name: 'another key', to: { ...next, requests: [{ ...STORED, at }] } });
  }
  return edges;
}

/** A request whose time the row of its call does not have: the deadline was not moved for it. */
const UNTIMED: Request = { ...STORED, reply: 'silent' };

function markUntimed({ inFlight }: Charge, isLonger: boolean): InFlight {
  return isLonger && inFlight === 'untimed' ? 'timed' : inFlight;
}

/** The next step of a request, or its crash. */
function listRequestEdges(
  rules: ChargeRules,
  node: Node,
  { request, index }: { readonly request: Request; readonly index: number },
): Edge<Node>[] {
  const { at, step, reply } = request;
  const rest = node.requests.filter((_, other) => other !== index);
  const crashed: Edge<Node> = { name: `crash when ${step}`, to: { ...node, requests: rest } };
  const charge = requireValue(node.charges[at] ?? null, 'the charge of the request');
  if (step === 'answered') {
    const next = { ...node, requests: rest };
    const settled = settleReply(rules, next, { at, reply: requireValue(reply, 'the reply') });
    return [crashed, { name: `settle ${reply}`, to: at === 0 ? answerKey(rules, settled, 0) : settled }];
  }
  // The vault reads the row once more before it sends.
  if (!rules.isOpen(charge.call)) {
    const next = { ...node, requests: rest };
    return [crashed, { name: 'decided meanwhile', to: at === 0 ? answerKey(rules, next, 0) : next }];
  }
  // A slow process sends within the time of its row; later than that its own deadline has ended it.
  if (node.time !== 'early') return [crashed];
  const lost: InFlight = reply === 'silent' ? 'untimed' : 'timed';
  const answer = (name: Reply, sent: Charge): Edge<Node> => ({
    name: `send, ${name}`,
    to: { ...replaceCharge(node, at, sent), requests: [...rest, { at, step: 'answered', reply: name }] },
  });
  return [
    crashed,
    ...(charge.world === 'nothing' || charge.world === 'booked'
      ? [answer('approved', { ...charge, world: 'booked' }), answer('silent', { ...charge, world: 'booked' })]
      : []),
    ...(charge.world !== 'booked' && charge.world !== 'returned'
      ? [answer('declined', { ...charge, world: charge.world === 'blocked' ? 'blocked' : 'declined' })]
      : []),
    // Status refusals are of the call, also where its reference is booked.
    answer('refused', charge),
    answer('silent', { ...charge, inFlight: charge.inFlight === 'untimed' ? 'untimed' : lost }),
  ];
}

function listArrivalEdges(node: Node, at: number): Edge<Node>[] {
  const charge = requireValue(node.charges[at] ?? null, 'a charge');
  if (charge.inFlight === 'none') return [];
  const arrived: Charge = { ...charge, inFlight: 'none', world: charge.world === 'nothing' ? 'booked' : charge.world };
  return [
    { name: 'it arrives late', to: replaceCharge(node, at, arrived) },
    { name: 'it is lost', to: replaceCharge(node, at, { ...charge, inFlight: 'none' }) },
  ];
}

/** The worker inquires; then it orders the reversal where that is due. */
function listWorkerEdges(rules: ChargeRules, node: Node, at: number): Edge<Node>[] {
  const { call } = requireValue(node.charges[at] ?? null, 'a charge');
  if (!rules.isOpen(call)) return [];
  const edges: Edge<Node>[] = [{ name: 'inquiry', to: settleByInquiry(node, at) }];
  if (rules.isReversalDue(call, computeNow(call, node.time))) {
    edges.push({ name: 'reversal is ordered', to: orderReversal(node, at) });
  }
  return edges;
}

/** The reversal is sent. An acquirer that does not remember refuses what has not arrived, until it cannot arrive any more. */
function listReversalEdges({ remembers }: ChargeVariant, node: Node, at: number): Edge<Node>[] {
  const charge = requireValue(node.charges[at] ?? null, 'a charge');
  const { call, world } = charge;
  if (call.reverseReference === null || call.state === 'Settled') return [];
  const end = (to: Charge['world']): Edge<Node>[] => [
    {
      name: `reversal, ${to}`,
      to: replaceCharge(node, at, { ...charge, world: to, call: concludeAcquirerCall(call, 'Reversed') }),
    },
  ];
  if (world === 'booked') return end('returned');
  if (world === 'nothing') return remembers ? end('blocked') : node.time === 'final' ? end('nothing') : [];
  return end(world);
}

function settleReply(
  rules: ChargeRules,
  node: Node,
  { at, reply }: { readonly at: number; readonly reply: Reply },
): Node {
  const charge = requireValue(node.charges[at] ?? null, 'a charge');
  const { call } = charge;
  switch (reply) {
    // The answer is in the acquirer's books, where an inquiry finds it.
    case 'approved':
    case 'declined':
      return rules.isOpen(call) ? settleByInquiry(node, at) : node;
    case 'refused':
      if (!rules.isOpen(call)) return node;
      return replaceCharge(node, at, {
        ...charge,
        call: rules.isFirstAnswer(call) ? concludeAcquirerCall(call, 'Canceled') : applyCallMove(call, 'lose'),
      });
    case 'silent':
      return node;
  }
}

function settleByInquiry(node: Node, at: number): Node {
  const charge = requireValue(node.charges[at] ?? null, 'a charge');
  const { call, world } = charge;
  switch (world) {
    case 'booked': {
      const approved = applyCallMove(call, 'approve', { kind: 'approved', approval: APPROVAL });
      const isTaken = node.charges.some((other) => other.call.outcome === 'Approved');
      if (isTaken) return orderReversal(replaceCharge(node, at, { ...charge, call: approved }), at);
      return replaceCharge(node, at, { ...charge, call: concludeAcquirerCall(approved, 'Approved') });
    }
    case 'declined': {
      const declined = applyCallMove(call, 'decline', { kind: 'declined', decline: DECLINE });
      return replaceCharge(node, at, { ...charge, call: concludeAcquirerCall(declined, 'Declined') });
    }
    case 'nothing':
    case 'returned':
    case 'blocked':
      return node;
  }
}

function orderReversal(node: Node, at: number): Node {
  const charge = requireValue(node.charges[at] ?? null, 'a charge');
  const { call } = reverseCall(charge.call, { reference: `reversal ${at}`, deadlineAt: DEADLINE });
  return replaceCharge(node, at, { ...charge, call });
}

/** Binds the key to the outcome of its charge; an unknown outcome binds nothing. */
function answerKey(rules: ChargeRules, node: Node, at: number): Node {
  if (node.keyAnswer !== null) return node;
  try {
    const { call } = requireValue(node.charges[at] ?? null, 'a charge');
    return { ...node, keyAnswer: rules.chargeOutcome(call).status };
  } catch (error) {
    assert(error instanceof Refusal, 'an outcome that is not known is refused');
    return node;
  }
}

function replaceCharge(node: Node, at: number, charge: Charge): Node {
  return { ...node, charges: node.charges.map((each, other) => (other === at ? charge : each)) };
}

function computeNow({ deadlineAt }: AcquirerCall, time: Node['time']): Date {
  return new Date(deadlineAt.getTime() + (time === 'early' ? -1 : REVERSAL_GRACE_MS));
}

function createCharge(at: number): Charge {
  const call = createAcquirerCall({
    ...{
      reference: `charge ${at}`,
      kind: 'Authorise',
      acquirer: 'default',
      merchantId: 'M-1',
      originalReference: null,
    },
    ...{ paymentIntentId: 'pi_sandbox_1', setupIntentId: 'si_sandbox_1', terminalSessionId: null },
    ...{ amount: AMOUNT, deadlineAt: DEADLINE },
  });
  return { call: applyCallMove(call, 'send'), world: 'nothing', inFlight: 'none' };
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

const DECLINE: Decline = {
  ...{ reference: 'a', transactionId: 'tx', transactionDateTime: '', message: 'DECLINED', card: null },
};
